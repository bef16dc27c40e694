// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Manifest says which pages are current. It is immutable; apply makes the next one.
type Manifest struct {
	Flushed    uint64            // the log up to here is in the pages
	Generation uint64            // the next one to be given to a page
	Next       map[uint32]uint64 // key space → first ID not yet given out, as of flushed
	Fields     map[uint32]FieldPages
}

// FieldPages are the pages of a field.
type FieldPages struct {
	Refs  []Ref  // ascending by first row and piece
	Index *Index // nil: they are few
}

// EmptyManifest returns the manifest of an index without pages.
func EmptyManifest() *Manifest {
	return &Manifest{Generation: 1, Next: map[uint32]uint64{}, Fields: map[uint32]FieldPages{}}
}

// FindRef returns the position of the last page that begins at or before row, or -1. For a list in
// pieces, that is its last piece.
func FindRef(refs []Ref, row uint64) int {
	return sort.Search(len(refs), func(i int) bool { return refs[i].First > row }) - 1
}

// Pages returns the pages that hold the row: none, one, or the pieces of a large list.
func (m *Manifest) Pages(field uint32, row uint64) []Ref {
	f := m.Fields[field]
	refs, i := f.Refs, f.Index.FindRef(f.Refs, row)
	if i < 0 {
		return nil
	}
	if refs[i].Piece == 0 {
		if row > refs[i].Last() {
			return nil
		}
		return refs[i : i+1]
	}
	if refs[i].First != row {
		return nil
	}
	start := i
	for start > 0 && refs[start-1].First == row && refs[start-1].Piece > 0 {
		start--
	}
	return refs[start : i+1]
}

// HashPage returns the page that holds a hash, and the last hash that it may hold.
func (m *Manifest) HashPage(field uint32, hash uint64) (*Ref, bool) {
	f := m.Fields[field]
	i := f.Index.FindRef(f.Refs, hash)
	if i < 0 {
		return nil, false
	}
	return &f.Refs[i], true
}

// ManifestChange is what a flush or bulk load does to the manifest.
type ManifestChange struct {
	Flushed        uint64
	Next           map[uint32]uint64
	Dropped, Added []Ref
}

// Apply returns the manifest after a change. It fails when a dropped page is not current or the
// result has pages that overlap.
func (m *Manifest) Apply(c *ManifestChange, generation uint64) (*Manifest, error) {
	n := &Manifest{Flushed: c.Flushed, Generation: max(m.Generation, generation), Next: c.Next,
		Fields: make(map[uint32]FieldPages, len(m.Fields))}
	touched := map[uint32]bool{}
	for i := range c.Dropped {
		touched[c.Dropped[i].Field] = true
	}
	for i := range c.Added {
		touched[c.Added[i].Field] = true
	}
	gone := make(map[uint64]bool, len(c.Dropped))
	for i := range c.Dropped {
		gone[c.Dropped[i].Generation] = true
	}
	found := 0
	for field, f := range m.Fields {
		if !touched[field] {
			n.Fields[field] = f
			continue
		}
		kept := make([]Ref, 0, len(f.Refs))
		for i := range f.Refs {
			if gone[f.Refs[i].Generation] {
				found++
				continue
			}
			kept = append(kept, f.Refs[i])
		}
		n.Fields[field] = FieldPages{Refs: kept}
	}
	if found != len(gone) {
		return nil, model.Corrupt("manifest", "got %d pages to drop, found %d of them", len(gone), found)
	}
	added := make(map[uint32][]Ref, len(touched))
	for i := range c.Added {
		added[c.Added[i].Field] = append(added[c.Added[i].Field], c.Added[i])
	}
	for field := range touched {
		sortRefs(added[field])
		refs := mergeRefs(n.Fields[field].Refs, added[field])
		if err := checkOrder(refs); err != nil {
			return nil, err
		}
		if n.Fields[field] = (FieldPages{Refs: refs, Index: newPageIndex(refs)}); len(refs) == 0 {
			delete(n.Fields, field)
		}
	}
	return n, nil
}

// mergeRefs returns two sequences of pages, each in the order of the manifest, as one.
func mergeRefs(a, b []Ref) []Ref {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	merged := make([]Ref, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].compare(&b[0]) <= 0 {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// checkOrder fails when two pages hold the same row. It also fails when the pieces of a list do not
// begin with piece 0.
func checkOrder(refs []Ref) error {
	if len(refs) > 0 && KindOf(refs[0].Field) == Hashes && refs[0].First != 0 {
		return model.Corrupt("manifest", "%s: got no page of hashes before it, want one from 0", &refs[0])
	}
	for i := range refs {
		r := &refs[i]
		if i == 0 || refs[i-1].First != r.First {
			if r.Piece > 1 {
				return model.Corrupt("manifest", "%s: got no piece before it, want one from container key 0", r)
			}
			if i > 0 && KindOf(r.Field) != Hashes && refs[i-1].Last() >= r.First {
				return model.Corrupt("manifest", "%s overlaps %s", r, &refs[i-1])
			}
			continue
		}
		if refs[i-1].Piece == 0 || r.Piece <= refs[i-1].Piece {
			return model.Corrupt("manifest", "%s overlaps %s", r, &refs[i-1])
		}
	}
	return nil
}

// All calls fn for every page, by field in ascending order.
func (m *Manifest) All(fn func(*Ref)) {
	for _, field := range m.SortedFields() {
		for i := range m.Fields[field].Refs {
			fn(&m.Fields[field].Refs[i])
		}
	}
}

// Missing returns the pages of a manifest that a later one no longer has.
func Missing(m, later *Manifest) (refs []Ref) {
	has := make(map[uint64]bool, later.Count())
	later.All(func(r *Ref) { has[r.Generation] = true })
	m.All(func(r *Ref) {
		if !has[r.Generation] {
			refs = append(refs, *r)
		}
	})
	return refs
}

// SortedFields returns the fields that have pages, ascending.
func (m *Manifest) SortedFields() []uint32 {
	fields := make([]uint32, 0, len(m.Fields))
	for field := range m.Fields {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	return fields
}

// Count returns the number of pages.
func (m *Manifest) Count() (n int) {
	for _, f := range m.Fields {
		n += len(f.Refs)
	}
	return n
}
