// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"runtime"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Paired is a posting list that is read with another one.
type Paired struct {
	Field uint32
	Row   uint64
	List  *overlay.List
}

// Paired reads two posting lists for AndLen, and for nothing else, at less than what List takes for
// each: deltas are looked into for both at the same time, and their edits are merged only where
// AndLen needs that. The lists must be two. Errors as of List.
func (s Snapshot) Paired(of *[2]Paired) error {
	if s.Closed() {
		return model.ErrClosed
	}
	if s.St.isFlushed() || s.St.Masks != nil || s.St.hasMerged(of) {
		for i := range of {
			if err := s.List(of[i].Field, of[i].Row, of[i].List); err != nil {
				return err
			}
		}
		return nil
	}
	s.St.pairRuns(of)
	hits := uint64(0)
	defer func() { s.St.Source.hit(hits) }()
	for i := range of {
		if err := s.addPages(of[i].Field, of[i].Row, of[i].List, &hits); err != nil {
			return err
		}
	}
	a, b := of[0].List, of[1].List
	if k := s.St.Active.Spaces[model.RecordSpace]; k != nil {
		a.Universe = k.Next()>>16 + 1
		b.Universe = a.Universe
	}
	if way := overlay.PlanCount(a, b); way != overlay.ByChunks && way != overlay.ByProbes {
		a.FoldRuns(of[0].Field)
		b.FoldRuns(of[1].Field)
	}
	for i := range of {
		if l := of[i].List; !l.IsUnedited() {
			s.St.merge(s.ctx, of[i].Field, of[i].Row, l, overlayAndCost)
		}
	}
	return nil
}

// hasMerged reports whether one of two lists is merged with what the deltas say of it.
func (st *State) hasMerged(of *[2]Paired) bool {
	return st.Merged.get(of[0].Field, of[0].Row) != nil || st.Merged.get(of[1].Field, of[1].Row) != nil
}

// pairRuns sets two lists to what the deltas say of them, in runs.
func (st *State) pairRuns(of *[2]Paired) {
	var room [2 * delta.LookedAt]levelLook
	looks := room[:0]
	for i := range of {
		l := of[i].List
		l.Reset(view.View{}, l.Edits[:0])
		hash := delta.FilterHash(of[i].Row)
		if st.Frozen != nil {
			looks = appendLooks(looks, st.Frozen.Of(of[i].Field), of[i].Row, hash, l)
		}
		looks = appendLooks(looks, st.Active.Of(of[i].Field), of[i].Row, hash, l)
	}
	lookInto(looks)
}

// levelLook is a look for a row into a level, for a list.
type levelLook struct {
	level     *delta.Level
	row, hash uint64
	list      *overlay.List
	place     delta.Place
}

// appendLooks appends looks into all levels of a field, oldest first.
func appendLooks(looks []levelLook, ts delta.Levels, row, hash uint64, l *overlay.List) []levelLook {
	for _, t := range ts.All {
		looks = append(looks, levelLook{level: t, row: row, hash: hash, list: l})
	}
	return looks
}

// lookInto appends to the lists what levels have of their rows. Each step is taken for all of them
// before the next one is, so that the processor waits for their lines of memory at the same time
// and not for one after the other.
func lookInto(looks []levelLook) {
	n := 0
	for i := range looks {
		if x := &looks[i]; x.level.MayHave(x.hash) {
			looks[n] = *x
			n++
		}
	}
	looks = looks[:n]
	for i := range looks {
		x := &looks[i]
		x.place = x.level.PlaceOf(x.row)
	}
	touched := uint64(0)
	for i := range looks {
		if p := &looks[i].place; p.Low < p.High {
			touched |= looks[i].level.Entries[p.Guess].Row
		}
	}
	runtime.KeepAlive(touched) // or the compiler leaves the loop out
	for i := range looks {
		x := &looks[i]
		if l := x.level.Row(x.row, x.place); len(l.Entries) > 0 {
			x.list.Much = append(x.list.Much, l)
		}
	}
}
