// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// readManifest reads the manifest, or makes one of the pages that are there. It returns it with the
// pages of hashes; package posting is shown it without them: nothing is looked up by its key.
func (s *source) readManifest() (m *format.Manifest, err error) {
	err = guard(func() (err error) {
		var stored *manifest.Stored
		if stored, err = manifest.Read(s.Store, s.index); err == nil {
			m = stored.Manifest
		}
		return err
	})
	if err != nil && s.isOver(err) {
		return nil, err
	}
	if err == nil && m.Generation <= format.EmptyManifest().Generation {
		err = s.pageless()
	}
	if err != nil {
		s.report.Manifest = append(s.report.Manifest, err.Error())
		if m, err = s.rebuild(); err != nil {
			return nil, err
		}
	}
	shown := &format.Manifest{Flushed: m.Flushed, Generation: m.Generation, Next: m.Next, Fields: maps.Clone(m.Fields)}
	for field := range shown.Fields {
		if format.KindOf(field) == format.Hashes {
			delete(shown.Fields, field)
		}
	}
	s.manifest, s.records = shown, shown.Checkpoint()
	return m, nil
}

// pageless returns an error if there are pages although no manifest names any.
func (s *source) pageless() error {
	prefix, found := format.AppendIndexPrefix(nil, format.KindPage, s.index), false
	err := s.scan(prefix, nil, format.PageKeyLen, func(error) { found = true }, func(_, _ []byte) error {
		found = true
		return store.ErrStop
	})
	if err == nil && found {
		err = model.Corrupt("manifest", "got none, but pages")
	}
	return err
}

// rebuilding is a manifest that is made of the pages in the store, and of the records that can be
// read.
type rebuilding struct {
	*source
	known   map[uint64]format.Ref // pages that whole records name, by generation
	hints   map[uint64]format.Ref // and others
	gone    map[uint64]bool       // pages that whole records drop
	floor   uint64                // a page below it is known, or gone
	flushed uint64
	next    map[uint32]uint64
	refs    []format.Ref
	highest uint64 // generation
}

// rebuild makes a manifest anew. Of two pages with the same rows the younger one counts. What an
// interrupted flush or load has left may be among them.
func (s *source) rebuild() (*format.Manifest, error) {
	b := &rebuilding{source: s, known: map[uint64]format.Ref{}, hints: map[uint64]format.Ref{}, gone: map[uint64]bool{},
		next: map[uint32]uint64{}}
	if err := b.readRecords(); err != nil {
		return nil, err
	}
	if err := b.findPages(); err != nil {
		return nil, err
	}
	b.refs = slices.DeleteFunc(b.refs, func(r format.Ref) bool { return format.KindOf(r.Field) == format.Hashes })
	b.dropOld()
	b.addFirstPieces()
	if err := b.startLog(); err != nil {
		return nil, err
	}
	return format.EmptyManifest().Apply(&format.ManifestChange{Flushed: b.flushed, Next: b.next, Added: b.refs},
		b.highest+1)
}

// readRecords takes what the records that can be read say.
func (b *rebuilding) readRecords() error {
	prefix := format.AppendIndexPrefix(nil, format.KindManifest, b.index)
	var group []*format.ManifestRecord
	return b.scan(prefix, nil, format.ManifestKeyLen, func(error) { group = nil }, func(key, value []byte) error {
		r, err := format.DecodeManifestRecord(key, value)
		if err != nil {
			group = nil
			return nil
		}
		for _, ref := range r.Added {
			b.hints[ref.Generation] = ref
		}
		if group = r.Join(group); uint64(len(group)) < r.Parts {
			return nil
		}
		b.apply(group)
		group = group[:0]
		return nil
	})
}

// apply takes a whole checkpoint or change.
func (b *rebuilding) apply(group []*format.ManifestRecord) {
	last := group[len(group)-1]
	if last.Kind == format.RecordCheckpoint {
		clear(b.known)
		clear(b.gone)
		b.floor = last.Generation
	}
	for _, r := range group {
		for _, ref := range r.Added {
			b.known[ref.Generation] = ref
		}
		for _, ref := range r.Dropped {
			b.gone[ref.Generation] = true
			delete(b.known, ref.Generation)
		}
	}
	b.flushed = max(b.flushed, last.Flushed)
	for space, next := range last.Next {
		b.next[space] = max(b.next[space], next)
	}
}

// findPages gathers the pages that are named, and the younger ones in the store.
func (b *rebuilding) findPages() error {
	for _, r := range b.known {
		b.refs = append(b.refs, r)
	}
	var found []format.Ref
	prefix := format.AppendIndexPrefix(nil, format.KindPage, b.index)
	err := b.scan(prefix, nil, format.PageKeyLen, func(error) {}, func(key, value []byte) error {
		generation, _ := format.PageGeneration(key)
		if _, known := b.known[generation]; known || b.gone[generation] || generation < b.floor {
			return nil
		}
		r, ok := b.hints[generation]
		if !ok {
			r = refOf(bytes.Clone(key), bytes.Clone(value))
		}
		found = append(found, r)
		return nil
	})
	b.refs = append(b.refs, found...)
	for i := range b.refs {
		b.highest = max(b.highest, b.refs[i].Generation)
	}
	return err
}

// refOf returns what the manifest would say of a page, without how many values it has. Bytes is 0
// where the page cannot be read.
func refOf(key, value []byte) format.Ref {
	r := format.Ref{Field: binary.BigEndian.Uint32(key[5:]), First: binary.BigEndian.Uint64(key[13:]), Rows: 1}
	r.Generation, _ = format.PageGeneration(key)
	p, err := format.OpenPage(&r, key, value)
	piece := binary.BigEndian.Uint64(append([]byte{0, 0}, key[21:27]...))
	kind := format.KindOf(r.Field)
	switch {
	case err != nil:
		if piece > 0 {
			r.Piece = piece + 1
		}
		return r
	case piece > 0 || mayBePiece(kind, p):
		r.Piece = piece + 1
	}
	r.Rows, r.Bytes = uint32(p.Rows()), uint32(len(value))
	return r
}

// mayBePiece reports whether a page is as large as the first piece of a list.
func mayBePiece(kind byte, p *format.Page) bool {
	return p.Rows() == 1 && (kind == format.Postings || kind == format.Values && p.Width > 0)
}

// dropOld drops pages whose rows a younger one has.
func (b *rebuilding) dropOld() {
	slices.SortFunc(b.refs, func(x, y format.Ref) int {
		return cmp.Or(cmp.Compare(x.Field, y.Field), cmp.Compare(x.First, y.First), cmp.Compare(x.Piece, y.Piece),
			cmp.Compare(y.Generation, x.Generation))
	})
	var kept []format.Ref
	for _, r := range b.refs {
		for len(kept) > 0 && collide(&kept[len(kept)-1], &r) && kept[len(kept)-1].Generation < r.Generation {
			kept = kept[:len(kept)-1]
		}
		if len(kept) == 0 || !collide(&kept[len(kept)-1], &r) {
			kept = append(kept, r)
		}
	}
	b.refs = kept
}

// collide reports whether two pages, of which the second does not begin before the first, cannot
// both be current.
func collide(x, y *format.Ref) bool {
	switch {
	case x.Field != y.Field:
		return false
	case x.First == y.First:
		return x.Piece == y.Piece || x.Piece == 0 || y.Piece == 0
	}
	return x.Last() >= y.First
}

// addFirstPieces adds the first piece of lists that lack it, as a page that cannot be read. A page
// of one row without further pieces is none.
func (b *rebuilding) addFirstPieces() {
	var added []format.Ref
	for i := range b.refs {
		r := &b.refs[i]
		begins := i == 0 || b.refs[i-1].Field != r.Field || b.refs[i-1].First != r.First
		alone := i+1 == len(b.refs) || b.refs[i+1].Field != r.Field || b.refs[i+1].First != r.First
		switch {
		case begins && r.Piece > 1:
			b.highest++
			added = append(added, format.Ref{Field: r.Field, First: r.First, Piece: 1, Rows: 1, Generation: b.highest})
		case begins && alone && r.Piece == 1 && r.Values == 0:
			r.Piece = 0
		}
	}
	b.refs = append(b.refs, added...)
}

// startLog says which commits are in pages, and which IDs were given: as the log says, which goes
// on from there.
func (b *rebuilding) startLog() error {
	w := &logWalk{next: b.flushed + 1, first: true, spaces: map[uint32]uint64{}, begun: map[uint32]uint64{},
		entry: func(uint64, *wal.Entry) {}}
	first, holed := uint64(math.MaxUint64), false // before the first
	prefix := format.AppendIndexPrefix(nil, format.KindLog, b.index)
	err := b.scan(prefix, nil, format.LogKeyLen, func(error) { holed = holed || first == math.MaxUint64 },
		func(key, value []byte) error {
			f, err := wal.Open(key, value)
			if err == nil && f.Last > b.flushed {
				first = min(first, f.First)
			}
			holed = holed || err != nil && first == math.MaxUint64
			return nil
		})
	if err == nil {
		_, err = b.walkLog(w)
	}
	if first != math.MaxUint64 && first > b.flushed+1 {
		if holed { // they may be in pages
			b.report.Log = append(b.report.Log, Span{b.flushed + 1, first - 1})
		}
		b.flushed = first - 1
	}
	for i := range b.refs {
		if r := &b.refs[i]; format.KindOf(r.Field) == format.Keys {
			b.next[r.Field] = max(b.next[r.Field], r.Last()+1)
		}
	}
	for space, id := range w.begun {
		b.next[space] = id
	}
	return err
}
