// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval/ranking"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// Measure says by what the values of a field are ranked within a selection.
type Measure string

const (
	// ByCount is how many of the records have the value.
	ByCount Measure = "count"

	// ByLift is how many times more frequent the value is among the records than in the background.
	ByLift Measure = "lift"

	// ByJaccard is the size of an intersection, divided by that of the union. The two sets are the
	// selection and the records that have the value.
	ByJaccard Measure = "jaccard"

	// ByCosine is the size of the intersection of ByJaccard over the geometric mean of both sizes.
	ByCosine Measure = "cosine"

	// ByRatio is how many times more frequent the value is among the records than in the
	// background. The background need not contain them. A value that it does not have counts as if
	// one of its records had it. It tells two selections apart.
	ByRatio Measure = "ratio"
)

// measures says what each is to package eval.
var measures = map[Measure]ranking.Measure{"": ranking.ByCount, ByCount: ranking.ByCount, ByLift: ranking.ByLift,
	ByJaccard: ranking.ByJaccard, ByCosine: ranking.ByCosine, ByRatio: ranking.ByRatio}

// TopOptions says which values of a field are wanted. The zero value means all, by count.
type TopOptions struct {
	By      Measure // "" means ByCount
	Limit   int     // how many values; 0: all
	Least   uint64  // values of fewer of the records are left out; 0 means 1
	Threads int     // how many goroutines share the counting over a value column; 0: one
	After   *Ranked // the last entry of the page before this one; nil: from the first on
	// ByLift: what is compared with; records outside it are left out of both; nil: all that exist.
	// ByRatio: the other selection, required. Else nil
	Background *Selection
}

// Ranked is a value of a field, and how it stands to a selection.
type Ranked struct {
	Key   string
	Count uint64  // records of the selection that have the value, at least 1
	Total uint64  // records that have it; ByLift and ByRatio: of the background
	Score float64 // by what it is ranked
	Row   uint64  // the number of the value in its field, which no other gets; of a relation the ID of the record
}

// Top returns the values of a field that the records have, by descending score. Of equal scores the
// greater count comes first, then the value that was first written first. The values of a relation
// are records. A page continues After the last entry of another. In one snapshot, and with
// otherwise the same options, pages have each value once. In a later snapshot, a page has the
// values behind that place then.
//
// Cost: the cheaper of two plans. One counts over the value column of the field (Field.Column). The
// other walks over the field and, for each value that may still enter, counts an intersection.
// Errors: ErrUnknownField, ErrInvalid, ErrMemory, ErrCorrupt, ctx's, or the store's.
func (n *Selection) Top(ctx context.Context, field string, o TopOptions) ([]Ranked, error) {
	f, err := n.withRows(field)
	if err != nil {
		return nil, err
	}
	by, ok := measures[o.By]
	switch {
	case !ok:
		return nil, invalid("top: got the measure %q, want %q, %q, %q, %q or %q", o.By, ByCount, ByLift, ByJaccard,
			ByCosine, ByRatio)
	case o.Limit < 0:
		return nil, invalid("top: got a limit of %d, want 0 or more", o.Limit)
	case o.Threads < 0:
		return nil, invalid("top: got %d threads, want 0 or more", o.Threads)
	case o.Background != nil && o.Background.s != n.s:
		return nil, invalid("top: got a background of another snapshot, want one of the same")
	case o.Background != nil && o.By != ByLift && o.By != ByRatio:
		return nil, invalid("top: got a background with the measure %q, want %q or %q", o.By, ByLift, ByRatio)
	case o.Background == nil && o.By == ByRatio:
		return nil, invalid("top: got the measure %q without a background, want one", o.By)
	}
	set, r := n.set.View(), ranking.Options{By: by, Limit: o.Limit, Least: o.Least, Threads: o.Threads}
	switch o.By {
	case ByRatio:
		r.Whole, r.Background = o.Background.Len(), o.Background.set.View()
	case ByLift:
		background := o.Background
		if background == nil {
			if r.Whole, err = n.s.lists.Count(); err != nil {
				return nil, err
			}
		} else {
			r.Whole, r.Background = background.Len(), background.set.View()
			set = pair.And(set, r.Background).View()
		}
	}
	if o.After != nil {
		r.After = &ranking.Ranked{Row: o.After.Row, Count: o.After.Count, Score: o.After.Score}
	}
	rows, err := ranking.Top(ctx, n.s.lists, f.ID, set, r)
	if err != nil {
		return nil, err
	}
	top := make([]Ranked, len(rows))
	keys := binding.RowKeys{Lists: n.s.lists, Field: f}
	err = keys.Read(len(rows), func(i int) uint64 { return rows[i].Row }, func(i int, key string) {
		top[i] = Ranked{Key: key, Count: rows[i].Count, Total: rows[i].Total, Score: rows[i].Score, Row: rows[i].Row}
	})
	return top, err
}
