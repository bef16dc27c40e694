// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// A member whose last set is gone leaves a record without values, and so does a key or member that
// does not end any more. A sweep deletes them. It finds them in a snapshot, beside all else, and
// then deletes some in each commit of its own, between those of jobs: records that got a value
// since are left out, also by others, whose commits are followed.
//
// A process that is killed within a sweep has deleted some of the records, which nobody misses.

// Bounds of sweeps.
const (
	sweptAtOnce = 4096    // records in one commit
	mostRevived = 1 << 20 // records that got a value since a sweep began, before it ends
	leastSwept  = 1 << 14 // members that were taken out of sets before a sweep begins
	sweepPause  = time.Minute
	sweepLate   = 10 * time.Minute // after which a sweep begins for any number of them
	sweepBreath = 20 * time.Millisecond
	sweepShare  = 50 // of the time that the search takes, between two
)

// sweep is what the goroutine that commits knows of a sweep.
type sweep struct {
	found   chan *bitmap.Bitmap // once; nil: it has failed
	end     context.CancelFunc
	left    *bitmap.Bitmap // records without values; nil: they are not found yet
	kept    *bitmap.Bitmap // records that got a value, in large sets; nil: none
	from    uint64         // those below have been deleted
	revived map[string]bool
}

// sweeper begins sweeps. It is of the goroutine that commits.
type sweeper struct {
	removed int       // members that were taken out of sets since the last sweep, about
	before  int       // removed when the sweep under way began
	last    time.Time // when it ended, or began
	took    time.Duration
	now     *sweep        // nil: none is under way
	wake    chan struct{} // it can go on
}

// due returns how long nothing is to be done.
func (w *sweeper) due() time.Duration {
	switch {
	case w.now != nil && w.now.left != nil:
		return time.Until(w.last.Add(sweepBreath))
	case w.now != nil || w.removed == 0:
		return sweepPause
	case w.removed >= leastSwept:
		return time.Until(w.last.Add(max(sweepPause, sweepShare*w.took)))
	}
	return time.Until(w.last.Add(max(sweepLate, sweepShare*w.took)))
}

// stop ends the sweep under way.
func (w *sweeper) stop() {
	if w.now != nil {
		w.now.end()
		w.now = nil
	}
}

// step begins a sweep that is due, or goes on with one. sequence is that of the last commit, and
// begin runs a function beside. It returns the sequence of its own commit; 0: it made none.
func (w *sweeper) step(ctx context.Context, ix *uproar.Index, sequence uint64, begin func(fn func())) uint64 {
	if w.due() > 0 && (w.now == nil || w.now.left != nil) {
		return 0
	}
	if w.now == nil {
		w.last = time.Now()
		w.begin(ctx, ix, begin)
		return 0
	}
	if w.now.left == nil {
		select {
		case w.now.left = <-w.now.found:
			w.took = time.Since(w.last)
			w.now.spare()
		default:
			return 0
		}
	}
	w.last = time.Now()
	if w.now.left == nil {
		w.fail()
		return 0
	}
	after, more, err := w.now.some(ctx, ix, sequence)
	switch {
	case err == errWritten:
	case err != nil:
		w.fail()
	case !more:
		w.stop()
	}
	return after
}

// fail ends the sweep under way. Another begins later.
func (w *sweeper) fail() {
	w.stop()
	w.removed = max(w.removed, 1)
}

// anew ends the sweep under way, for one from the beginning: it is not known which records have got
// a value.
func (w *sweeper) anew() {
	if w.now != nil {
		w.stop()
		w.removed += max(w.before, 1)
	}
}

// begin looks for records without values.
func (w *sweeper) begin(ctx context.Context, ix *uproar.Index, run func(fn func())) {
	snap := ix.Snapshot() // of the commit that was followed last, or a later one
	var of []query.Expr
	for _, f := range ix.Fields() {
		if f.Type == uproar.Relation { // whose records may have a row, and no value
			snap.Close()
			return
		}
		of = append(of, query.Any{Field: f.Name})
	}
	ctx, end := context.WithCancel(ctx)
	found := make(chan *bitmap.Bitmap, 1)
	w.before, w.removed, w.now = w.removed, 0, &sweep{found: found, end: end, revived: make(map[string]bool)}
	run(func() {
		defer snap.Close()
		set, err := snap.Bitmap(ctx, query.And{Of: []query.Expr{query.All{}, query.NoneOf(of...)}})
		if err != nil {
			set = nil
		}
		found <- set
		select {
		case w.wake <- struct{}{}:
		default:
		}
	})
}

// errWritten says that others have written what was not followed yet.
var errWritten = errors.New("keyspace: others have written")

// some deletes the next records, and reports whether there were any. It returns the sequence of the
// commit; 0: nothing had to be deleted. Errors: errWritten, after which it may be tried again, or
// as of Index.Update.
func (s *sweep) some(ctx context.Context, ix *uproar.Index, sequence uint64) (after uint64, more bool, err error) {
	var ids, gone []uint64
	for id := range s.left.From(s.from) {
		if ids = append(ids, id); len(ids) == sweptAtOnce {
			break
		}
	}
	if len(ids) == 0 {
		return 0, false, nil
	}
	first := true
	after, err = ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
		if now := snap.Sequence(); now != sequence {
			if !first { // writers wait for this, and the feed may wait for them
				return errWritten
			}
			c, err := changesOf(ctx, ix, sequence, now, nil, 0)
			if err != nil {
				return errWritten
			}
			for _, name := range c.revived {
				s.revived[name] = true
			}
		}
		first = false
		there := query.And{Of: []query.Expr{query.All{}, query.Bitmap{Bytes: bitmap.Of(ids...).Bytes()}}}
		left, err := snap.IDs(ctx, there, uproar.Page{})
		if err != nil {
			return err
		}
		names, err := snap.KeysOf(left.IDs)
		gone = gone[:0]
		for i, name := range names {
			if !s.revived[name] {
				b.DeleteRecord(name)
				gone = append(gone, left.IDs[i])
			}
		}
		b.Reads(gone, nil) // others may write to other records meanwhile
		return err
	})
	if err == nil {
		s.from = ids[len(ids)-1] + 1
	}
	if err != nil || len(gone) == 0 { // the sequence may be that of others
		after = 0
	}
	return after, true, err
}

// keep tells a sweep of records that got a value: those of a set.
func (w *sweeper) keep(set *bitmap.Bitmap) {
	if w.now == nil {
		return
	}
	if w.now.kept != nil {
		set = bitmap.Or(w.now.kept.View(), set.View())
	}
	w.now.kept = set
	w.now.spare()
}

// spare takes the records that are kept out of those that are deleted.
func (s *sweep) spare() {
	if s.left != nil && s.kept != nil {
		s.left, s.kept = bitmap.AndNot(s.left.View(), s.kept.View()), nil
	}
}

// note tells a sweep which records got a value, and how many members have lost one.
func (w *sweeper) note(removed int, revived func(tell func(name string))) {
	if w.removed += removed; w.now == nil {
		return
	}
	revived(func(name string) { w.now.revived[name] = true })
	if len(w.now.revived) > mostRevived {
		w.anew()
	}
}
