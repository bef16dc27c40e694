// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ranking

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/eval/rowcount"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/trace"
)

// Measure says by what rows are ranked within a set.
type Measure uint8

const (
	// ByCount is how many records of the set the row has.
	ByCount Measure = iota
	// ByLift is how many times more frequent the row is in the set than in the background.
	ByLift
	// ByJaccard is what row and set have in common, of what is in one of them.
	ByJaccard
	// ByCosine is what row and set have in common, of the geometric mean of their sizes.
	ByCosine
	// ByRatio is how many times more frequent the row is in the set than in the background, which
	// need not have the set; a row that nothing there has counts as if one record had it.
	ByRatio
)

// Options says how rows are ranked.
type Options struct {
	By    Measure
	Limit int    // rows that are wanted; 0: all
	Least uint64 // rows with fewer records of the set are left out; at least 1
	// of ByLift, which has the whole set, the zero value: all that exist; of ByRatio, which must
	// have one
	Background view.View
	Whole      uint64 // of ByLift and ByRatio: records in the background
	// if not nil: only rows behind this place in the order; of it only Score, Count and Row are
	// read
	After   *Ranked
	Threads int // how many goroutines share the counting over a value column; 0 and 1: the caller's alone
}

// Ranked is a row with its place among others.
type Ranked struct {
	Row   uint64
	Count uint64  // records of the set in the row
	Total uint64  // records in the row; of ByLift and ByRatio, those of the background
	Score float64 // what Measure says; ByCount: the count
}

// Top returns the rows of a field that have records of a set, by descending score. Among equal
// scores the greater count comes first, then the lower row. It is exact.
//
// Cost: that of counting all rows, see CountRows. Where it costs less, Top walks over the field as
// by reader.Snapshot.Rows, with an intersection that is only counted for each row that may still
// enter: a row's size bounds its score, and by count rows are met in the order of their sizes.
// Errors: ErrMemory, those of reading lists, or ctx's.
func Top(ctx context.Context, snap reader.Snapshot, field uint32, set view.View, r Options) (rows []Ranked,
	err error) {
	ctx, step := trace.Begin(ctx, "rank")
	defer step.EndWith(&err)
	snap = snap.Under(ctx)
	t := ranked{Options: r, size: set.Len(), snap: snap, worst: math.Inf(-1)}
	t.Least = max(1, r.Least)
	defer func() { snap.Give(t.held) }()
	if t.size == 0 {
		return nil, ctx.Err()
	}
	if done, err := t.quickly(ctx, field, set); done || err != nil {
		return t.rows, err
	}
	sizes, err := t.rowSizes(ctx, field)
	if err != nil {
		return nil, err
	}
	if sizes != nil {
		defer sizes.Close()
	}
	err = snap.Rows(ctx, field, 0, func(row uint64, l *overlay.List) error {
		most := min(l.AtMost(), t.size)
		if most < t.Least || t.full && r.By == ByCount && float64(most) <= t.worst {
			return nil
		}
		x := Ranked{Row: row}
		switch r.By {
		case ByCount:
		case ByRatio:
			if x.Total = l.AndLen(r.Background); t.full && t.score(most, x.Total) < t.worst {
				return nil
			}
		default:
			if x.Total = t.total(row, l, sizes); x.Total < t.Least || t.full && t.score(min(x.Total, t.size),
				x.Total) < t.worst {
				return nil
			}
		}
		if x.Count = l.AndLen(set); x.Count < t.Least {
			return nil
		}
		if r.By == ByCount {
			x.Total = l.Len()
		}
		x.Score = t.score(x.Count, x.Total)
		return t.add(x)
	})
	if err != nil {
		return nil, err
	}
	t.cut()
	return t.rows, nil
}

// ranked gathers the best rows. As many as are wanted are a heap with the worst first, until cut.
type ranked struct {
	Options
	snap  reader.Snapshot
	size  uint64 // of the set
	rows  []Ranked
	full  bool    // as many as wanted are there
	worst float64 // if full: the score that a row must have
	held  int64
}

// rowSizes returns the sizes of the rows if the ranking needs them. It returns nil if it does not,
// or if there is no memory for them. Sizes are kept, and a list with edits takes a walk to be
// counted.
func (t *ranked) rowSizes(ctx context.Context, field uint32) (*reader.RowSizes, error) {
	if t.By == ByCount || t.By == ByRatio || !t.Background.IsEmpty() {
		return nil, nil
	}
	sizes, err := t.snap.RowSizes(ctx, field)
	if errors.Is(err, model.ErrMemory) || errors.Is(err, model.ErrInvalid) { // or for the number of a row
		return nil, nil
	}
	return sizes, err
}

// total returns how many records of the background a row has.
func (t *ranked) total(row uint64, l *overlay.List, sizes *reader.RowSizes) uint64 {
	switch {
	case t.By == ByLift && !t.Background.IsEmpty():
		return l.AndLen(t.Background)
	case sizes != nil:
		return sizes.Len(row)
	default:
		return l.Len()
	}
}

// score returns the score of a row with count records of the set, and total in all.
func (t *ranked) score(count, total uint64) float64 {
	c, n, all := float64(count), float64(t.size), float64(total)
	switch t.By {
	case ByLift:
		return c / n * float64(t.Whole) / all
	case ByRatio:
		return c / n * float64(t.Whole) / max(all, 1)
	case ByJaccard:
		return c / (n + all - c)
	case ByCosine:
		return c / math.Sqrt(n*all)
	default:
		return c
	}
}

const rankedBytes = 32

// orderRanked compares two rows by their places: by descending score; of equal scores the greater
// count comes first, then the lower row.
func orderRanked(a, b Ranked) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Row, b.Row))
}

func (t *ranked) add(x Ranked) error {
	if t.After != nil && orderRanked(x, *t.After) <= 0 {
		return nil
	}
	if t.full {
		if orderRanked(x, t.rows[0]) < 0 {
			t.rows[0] = x
			t.worstFirst().down(0)
			t.worst = t.rows[0].Score
		}
		return nil
	}
	if t.rows = append(t.rows, x); len(t.rows) == t.Limit {
		t.worstFirst().init()
		t.full, t.worst = true, t.rows[0].Score
	}
	if need := int64(cap(t.rows)) * rankedBytes; need > t.held {
		if err := t.snap.Take(need - t.held); err != nil {
			return err
		}
		t.held = need
	}
	return nil
}

func (t *ranked) worstFirst() heap[Ranked] {
	return heap[Ranked]{t.rows, func(x, y Ranked) int { return orderRanked(y, x) }}
}

// cut sorts the rows. None may be added afterwards.
func (t *ranked) cut() { slices.SortFunc(t.rows, orderRanked) }

// Distinct returns how many rows of a field have records of a set. Cost and errors as of Top.
func Distinct(ctx context.Context, snap reader.Snapshot, field uint32, set view.View) (n uint64, err error) {
	ctx, step := trace.Begin(ctx, "distinct")
	defer step.EndWith(&err)
	snap = snap.Under(ctx)
	if counts, err := rowcount.Quickly(ctx, snap, field, set, 0); counts != nil || err != nil {
		if err == nil {
			for range counts.All() {
				n++
			}
			counts.Close()
		}
		return n, err
	}
	err = snap.Rows(ctx, field, 0, func(_ uint64, l *overlay.List) error {
		if l.AndLen(set) > 0 {
			n++
		}
		return nil
	})
	return n, err
}
