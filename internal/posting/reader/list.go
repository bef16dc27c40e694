// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// List reads a posting list into l. Of a row that was never written it is the empty list. Cost: a
// look-up in the manifest and a page in the cache, or one read of the store for each page that is
// not. Errors: ErrCorrupt, ErrClosed, or the store's.
func (s Snapshot) List(field uint32, row uint64, l *overlay.List) error {
	if s.Closed() {
		return model.ErrClosed
	}
	hits := uint64(0)
	if s.St.isFlushed() {
		l.Reset(view.View{}, l.Edits[:0])
		err := s.addPages(field, row, l, &hits)
		s.St.Source.hit(hits)
		return err
	}
	if s.St.merged(field, row, l) {
		return nil
	}
	if s.St.overlay(field, row, l, true) {
		err := s.addPages(field, row, l, &hits)
		if s.St.Source.hit(hits); err != nil {
			return err
		}
	}
	s.St.mayMerge(s.ctx, field, row, l)
	return nil
}

// addPages adds what the pages have of a list; see pageOf.
func (s Snapshot) addPages(field uint32, row uint64, l *overlay.List, hits *uint64) error {
	refs := s.St.Version.Pages(field, row)
	for i := range refs {
		v, err := s.viewOf(&refs[i], row, hits)
		if err != nil {
			return err
		}
		l.AddPiece(v, refs[i].PieceKey())
	}
	l.Refs = refs
	l.TrimMask()
	return nil
}

// Contains reports whether the record is in a posting list: one probe, of one page. Errors as of
// List.
func (s Snapshot) Contains(field uint32, row, record uint64) (bool, error) {
	if s.Closed() {
		return false, model.ErrClosed
	}
	hits := uint64(0)
	ok, err := s.contains(field, row, record, &hits)
	s.St.Source.hit(hits)
	return ok, err
}

func (s Snapshot) contains(field uint32, row, record uint64, hits *uint64) (bool, error) {
	inverse := s.St.Source.FieldOf(field).Inverse
	if m := s.St.Masks; row > model.MaxID || record > model.MaxID || m.IsDead(record) || inverse != 0 && m.IsDead(row) {
		return false, nil
	}
	if set, ok := s.St.Active.Edited(field, row, record); ok {
		return set, nil
	}
	newer := s.St.Active.Tombstones
	if newer.IsEmptied(field, row) || inverse != 0 && newer.IsEmptied(inverse, record) {
		return false, nil
	}
	if s.St.Frozen != nil {
		if set, ok := s.St.Frozen.Edited(field, row, record); ok {
			return set, nil
		}
		if older := s.St.Frozen.Tombstones; older.IsEmptied(field, row) || inverse != 0 &&
			older.IsEmptied(inverse, record) {
			return false, nil
		}
	}
	refs := s.St.Version.Pages(field, row)
	for i := len(refs) - 1; i >= 0; i-- {
		if refs[i].PieceKey() <= record>>16 {
			v, err := s.viewOf(&refs[i], row, hits)
			return err == nil && v.Contains(record), err
		}
	}
	return false, nil
}

// Count returns the number of records that exist. Errors as of List.
func (s Snapshot) Count() (uint64, error) {
	var universe overlay.List
	if err := s.List(model.Exists, 0, &universe); err != nil {
		return 0, err
	}
	return universe.Len(), nil
}

// mayMerge merges an overlaid list once that pays, and leaves it to the readers that follow.
func (st *State) mayMerge(ctx context.Context, field uint32, row uint64, l *overlay.List) {
	if l.IsUnedited() {
		return
	}
	st.merge(ctx, field, row, l, overlayCost+l.AtMost()/overlayRecords)
}

// merge is mayMerge of an overlaid list. cost is the cost of overlaying it without its edits.
func (st *State) merge(ctx context.Context, field uint32, row uint64, l *overlay.List, cost uint64) {
	edits := uint64(l.Pending())
	if st.Merged == nil || st.Source.Unmerged {
		return
	}
	debt := st.Source.debts.add(field, row, st.Number, cost+overlayEditCost*edits)
	if debt < mergeCost+mergeRecordCost*l.AtMost()+overlayEditCost*edits {
		return
	}
	merged, err := asBitmap(l, ctx, new(overlay.Cursor))
	if err != nil {
		return // the walk over the overlaid list, which follows, ends with ctx
	}
	view := merged.View()
	bytes := int64(len(view.Body())) + mergedOverhead
	st.Merged.put(st.Source.Memory, &mergedList{Field: field, Row: row, view: view, Bytes: bytes})
	l.Reset(view, l.Edits[:0])
	l.Held = bytes
}

// asBitmap returns the records of the list as a bitmap of their own. c is used for the walk.
// Errors: those of ctx, which may be nil.
func asBitmap(l *overlay.List, ctx context.Context, c *overlay.Cursor) (*mutable.Bitmap, error) {
	var b pack.Builder
	c.Reset(l)
	for ok, n := c.Seek(0), 1; ok; ok, n = c.Next(), n+1 {
		if n%blocksPerLook == 0 && ctx != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.AppendBlock(c.Block())
	}
	return mutable.NewBitmap(&b, pack.Fastest), nil
}

// blocksPerLook is how many blocks are merged between two looks at the context.
const blocksPerLook = 256
