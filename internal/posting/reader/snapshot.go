// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
)

// Snapshot is one state of an index: every read through it sees the same commits. It is a small
// value; taking one takes no lock. Close lets go of it, once; pages that only it can see are
// deleted after that. Safe for concurrent use.
type Snapshot struct {
	St     *State
	ctx    context.Context // of the questions, if not nil
	closed *atomic.Bool    // shared by all copies; nil: it need not be closed
}

// Snapshot returns the current state. All writes are in it whose Commit had returned.
func (src *Source) Snapshot() Snapshot {
	for {
		st := src.State.Load()
		if st.Version.acquire() {
			return Snapshot{St: st, closed: new(atomic.Bool)}
		}
	}
}

// Under returns the snapshot for questions that end with ctx. After each page of a list or of keys
// that it must read from the store, and after a single key or value for which it must read some,
// ctx is looked at, and its error returned if it is done. So a question that finds nothing in the
// cache takes little longer than it may, also on a slow disk. Closing one of the two closes both.
func (s Snapshot) Under(ctx context.Context) Snapshot {
	s.ctx = ctx
	return s
}

// Context returns the context of Under, nil without one.
func (s Snapshot) Context() context.Context { return s.ctx }

// patient returns the error of the context, if it is done and pages were read from the store, by
// whomever, since there were so many misses of the cache.
func (s Snapshot) patient(misses uint64) error {
	if s.ctx != nil && s.St.Source.Misses.Load() != misses {
		return s.ctx.Err()
	}
	return nil
}

// page returns a page, under the context of the snapshot.
func (s Snapshot) page(r *format.Ref) (*format.Page, error) {
	hits := uint64(0)
	p, err := s.pageOf(r, &hits)
	s.St.Source.hit(hits)
	return p, err
}

// pageOf is page that adds to hits if the cache has the page, for who looks for several and adds
// these to those of the index at the end: to count each, over all processors, has what is loaded
// next wait for all that was loaded before.
func (s Snapshot) pageOf(r *format.Ref, hits *uint64) (*format.Page, error) {
	if p, ok := s.St.Source.Cache.Get(s.St.Source.ID, r.Generation); ok {
		*hits++
		return p, nil
	}
	p, err := s.St.Source.load(r)
	if err == nil && s.ctx != nil {
		err = s.ctx.Err()
	}
	return p, err
}

// viewOf returns the list of a row on its page; see pageOf.
func (s Snapshot) viewOf(r *format.Ref, row uint64, hits *uint64) (bitmap.View, error) {
	p, err := s.pageOf(r, hits)
	if err != nil {
		return bitmap.View{}, err
	}
	return p.View(r, row)
}

// Close lets go of the snapshot, and of all copies of it. Lists that were read through it stay
// valid; further reads are ErrClosed. Closing it twice is a mistake of the program, and panics.
func (s Snapshot) Close() {
	if s.closed.Swap(true) {
		panic("posting: a snapshot was closed twice")
	}
	if s.St.Version.Users.Add(-1) == 0 {
		s.St.Source.Collect()
	}
}

// Closed reports whether the snapshot or its index was closed.
func (s Snapshot) Closed() bool {
	return s.closed != nil && s.closed.Load() || s.St.Source.Closed.Load()
}

// Sequence returns the number of the last commit in the snapshot.
func (s Snapshot) Sequence() uint64 { return s.St.Sequence }

// MemoryLimit returns the bound on the memory of the database, in bytes.
func (s Snapshot) MemoryLimit() int64 { return s.St.Source.Memory.Limit }

// Take counts memory that a query is about to use, in bytes, against the bound of the database; the
// query gives the same back with Give when it has ended. Cost: two atomic additions. Errors:
// *MemoryError, which matches ErrMemory, when so much is not left: nothing is counted then.
// ErrClosed.
func (s Snapshot) Take(bytes int64) error {
	if s.Closed() {
		return model.ErrClosed
	}
	return s.St.Source.Memory.Take(memory.Queries, bytes)
}

// Give ends the counting of memory that Take counted.
func (s Snapshot) Give(bytes int64) { s.St.Source.Memory.Change(memory.Queries, -bytes) }

// List reads a posting list into l. Of a row that was never written it is the empty list. Cost: a
// look-up in the manifest and a page in the cache, or one read of the store for each page that is
// not. Errors: ErrCorrupt, ErrClosed, or the store's.
func (s Snapshot) List(field uint32, row uint64, l *overlay.List) error {
	if s.Closed() {
		return model.ErrClosed
	}
	hits := uint64(0)
	if s.St.isFlushed() {
		l.Reset(bitmap.View{}, l.Edits[:0])
		err := s.addPages(field, row, l, &hits)
		s.St.Source.hit(hits)
		return err
	}
	if s.merged(field, row, l) {
		return nil
	}
	if s.overlay(field, row, l, true) {
		err := s.addPages(field, row, l, &hits)
		if s.St.Source.hit(hits); err != nil {
			return err
		}
	}
	s.mayMerge(field, row, l)
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

// overlay sets l to what the deltas say of a list, and reports whether the pages have a say as
// well. edited is false if no delta has an edit of it.
func (s Snapshot) overlay(field uint32, row uint64, l *overlay.List, edited bool) (pages bool) {
	m := s.St.Masks
	l.Reset(bitmap.View{}, l.Edits[:0])
	if row > model.MaxID {
		return false
	}
	switch {
	case !edited:
	case m == nil:
		s.addRuns(field, row, l)
	default:
		l.Edits = s.edits(l.Edits, field, row)
	}
	if m == nil {
		return true
	}
	if s.St.Source.FieldOf(field).Inverse != 0 && m.IsDead(row) {
		l.Clear()
		return false
	}
	l.Mask = m.Of(field)
	return !m.Active.IsEmptied(field, row) && !m.Frozen.IsEmptied(field, row)
}

// addRuns sets what the deltas say of a list, from which nothing was taken away as a whole: in
// layers if it is much, and merged if it is not.
func (s Snapshot) addRuns(field uint32, row uint64, l *overlay.List) {
	if s.St.Frozen != nil {
		l.Much = s.St.Frozen.Of(field).AppendRuns(l.Much, row)
	}
	l.Much = s.St.Active.Of(field).AppendRuns(l.Much, row)
	l.FoldRuns(field)
}

// edits returns what the deltas say of a list: the active one's word counts over the frozen one's,
// and what was deleted is left out.
func (s Snapshot) edits(dst []model.Edit, field uint32, row uint64) []model.Edit {
	start := len(dst)
	if older := s.olderEdits(field, row); len(older) == 0 {
		dst = s.St.Active.AppendEdits(dst, field, row)
	} else {
		dst = mergeEdits(dst, older, s.St.Active.AppendEdits(nil, field, row))
	}
	if m := s.St.Masks; m != nil && !m.Dead.IsEmpty() {
		kept := slices.DeleteFunc(dst[start:], func(e model.Edit) bool { return m.IsDead(e.Record) })
		dst = dst[:start+len(kept)]
	}
	return dst
}

// olderEdits returns what the frozen delta says of a list, as far as the active one has not emptied
// it.
func (s Snapshot) olderEdits(field uint32, row uint64) []model.Edit {
	newer := s.St.Active.Removals
	if s.St.Frozen == nil || newer.IsEmptied(field, row) {
		return nil
	}
	older := s.St.Frozen.AppendEdits(nil, field, row)
	inverse := s.St.Source.FieldOf(field).Inverse
	if newer == nil || inverse == 0 || newer.Emptied[inverse] == nil {
		return older
	}
	return slices.DeleteFunc(older, func(e model.Edit) bool { return newer.IsEmptied(inverse, e.Record) })
}

// mergeEdits appends two ascending sequences of edits of one list; where both name a record, newer
// counts.
func mergeEdits(dst, older, newer []model.Edit) []model.Edit {
	for len(older) > 0 && len(newer) > 0 {
		switch o, n := older[0], newer[0]; {
		case o.Record < n.Record:
			dst, older = append(dst, o), older[1:]
		case o.Record == n.Record:
			older = older[1:]
		default:
			dst, newer = append(dst, n), newer[1:]
		}
	}
	return append(append(dst, older...), newer...)
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
	newer := s.St.Active.Removals
	if newer.IsEmptied(field, row) || inverse != 0 && newer.IsEmptied(inverse, record) {
		return false, nil
	}
	if s.St.Frozen != nil {
		if set, ok := s.St.Frozen.Edited(field, row, record); ok {
			return set, nil
		}
		if older := s.St.Frozen.Removals; older.IsEmptied(field, row) || inverse != 0 &&
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

// Lookup returns the ID of a key in a key space. ok is false when it was never given one. Errors as
// of List.
func (s Snapshot) Lookup(space uint32, key string) (id uint64, ok bool, err error) {
	if s.Closed() {
		return 0, false, model.ErrClosed
	}
	if id, ok = s.lookupDelta(space, key); ok {
		return id, !(space == model.RecordSpace && s.St.Masks.IsDead(id)), nil
	}
	misses := s.St.Source.Misses.Load()
	if id, ok, err = s.St.Source.LookupPage(s.St.Version.Manifest, space, key); err == nil {
		err = s.patient(misses)
	}
	return id, ok && !(space == model.RecordSpace && s.St.Masks.IsDead(id)), err
}

// lookupDelta returns the ID that a delta gave to a key.
func (s Snapshot) lookupDelta(space uint32, key string) (id uint64, ok bool) {
	if id, ok = s.St.Active.Lookup(space, key); !ok && s.St.Frozen != nil {
		id, ok = s.St.Frozen.Lookup(space, key)
	}
	return id, ok
}

// AppendKey appends the key that has an ID in a key space. ok is false when none has. Errors as of
// List.
func (s Snapshot) AppendKey(dst []byte, space uint32, id uint64) (key []byte, ok bool, err error) {
	r := s.Keys(space)
	return r.Append(dst, id)
}

// View returns the list of a row on its page.
func (src *Source) View(r *format.Ref, row uint64) (bitmap.View, error) {
	p, err := src.Page(r)
	if err != nil {
		return bitmap.View{}, err
	}
	return p.View(r, row)
}

// LookupPage returns the ID of a key that is on the pages of a manifest.
func (src *Source) LookupPage(m *format.Manifest, space uint32, key string) (id uint64, ok bool, err error) {
	return src.LookupHash(m, space, key, src.Secret.Hash(key), 0)
}

// LookupHash is lookupPage for a key whose hash is known, and an ID of at least from.
func (src *Source) LookupHash(m *format.Manifest, space uint32, key string, hash, from uint64) (id uint64, ok bool,
	err error) {
	r, ok := m.HashPage(space+1, hash)
	if !ok {
		return 0, false, nil
	}
	p, err := src.Page(r)
	if err != nil {
		return 0, false, err
	}
	ok = false
	p.Candidates(r.First, hash, func(candidate uint64) bool {
		if candidate < from {
			return true
		}
		refs := m.Pages(space, candidate)
		if len(refs) == 0 {
			err = model.Corrupt(r.String(), "got ID %d, which no page of keys has", candidate)
			return false
		}
		var kp *format.Page
		if kp, err = src.Page(&refs[0]); err != nil {
			return false
		}
		if id, ok = candidate, format.IsKey(kp.Row(candidate-refs[0].First), key); ok {
			return false
		}
		return true
	})
	return id, ok && err == nil, err
}

// Count returns the number of records that exist. Errors as of List.
func (s Snapshot) Count() (uint64, error) {
	var universe overlay.List
	if err := s.List(model.Exists, 0, &universe); err != nil {
		return 0, err
	}
	return universe.Len(), nil
}
