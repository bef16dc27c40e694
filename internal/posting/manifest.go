// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// manifest says which pages are current. It is immutable; apply makes the next one.
type manifest struct {
	flushed    uint64            // the log up to here is in the pages
	generation uint64            // the next one to be given to a page
	next       map[uint32]uint64 // key space → first ID not yet given out, as of flushed
	fields     map[uint32]fieldPages
}

// fieldPages are the pages of a field.
type fieldPages struct {
	refs  []ref      // ascending by first row and piece
	index *pageIndex // nil: they are few
}

func emptyManifest() *manifest {
	return &manifest{generation: 1, next: map[uint32]uint64{}, fields: map[uint32]fieldPages{}}
}

// find returns the position in refs of the last page that begins at or before row, -1 when there is
// none. Of a list in pieces it is the last piece.
func find(refs []ref, row uint64) int {
	return sort.Search(len(refs), func(i int) bool { return refs[i].first > row }) - 1
}

// pages returns the pages that hold the row: none, one, or the pieces of a large list.
func (m *manifest) pages(field uint32, row uint64) []ref {
	f := m.fields[field]
	refs, i := f.refs, f.index.find(f.refs, row)
	if i < 0 {
		return nil
	}
	if refs[i].piece == 0 {
		if row > refs[i].last() {
			return nil
		}
		return refs[i : i+1]
	}
	if refs[i].first != row {
		return nil
	}
	start := i
	for start > 0 && refs[start-1].first == row && refs[start-1].piece > 0 {
		start--
	}
	return refs[start : i+1]
}

// hashPage returns the page that holds a hash, and the last hash that it may hold.
func (m *manifest) hashPage(field uint32, hash uint64) (*ref, bool) {
	f := m.fields[field]
	i := f.index.find(f.refs, hash)
	if i < 0 {
		return nil, false
	}
	return &f.refs[i], true
}

// change is what a flush or bulk load does to the manifest.
type manifestChange struct {
	flushed        uint64
	next           map[uint32]uint64
	dropped, added []ref
}

// apply returns the manifest after a change. It fails when a dropped page is not current or the
// result has pages that overlap.
func (m *manifest) apply(c *manifestChange, generation uint64) (*manifest, error) {
	n := &manifest{flushed: c.flushed, generation: max(m.generation, generation), next: c.next,
		fields: make(map[uint32]fieldPages, len(m.fields))}
	touched := map[uint32]bool{}
	for i := range c.dropped {
		touched[c.dropped[i].field] = true
	}
	for i := range c.added {
		touched[c.added[i].field] = true
	}
	gone := make(map[uint64]bool, len(c.dropped))
	for i := range c.dropped {
		gone[c.dropped[i].generation] = true
	}
	found := 0
	for field, f := range m.fields {
		if !touched[field] {
			n.fields[field] = f
			continue
		}
		kept := make([]ref, 0, len(f.refs))
		for i := range f.refs {
			if gone[f.refs[i].generation] {
				found++
				continue
			}
			kept = append(kept, f.refs[i])
		}
		n.fields[field] = fieldPages{refs: kept}
	}
	if found != len(gone) {
		return nil, model.Corrupt("manifest", "got %d pages to drop, found %d of them", len(gone), found)
	}
	added := make(map[uint32][]ref, len(touched))
	for i := range c.added {
		added[c.added[i].field] = append(added[c.added[i].field], c.added[i])
	}
	for field := range touched {
		sortRefs(added[field])
		refs := mergeRefs(n.fields[field].refs, added[field])
		if err := checkOrder(refs); err != nil {
			return nil, err
		}
		if n.fields[field] = (fieldPages{refs: refs, index: newPageIndex(refs)}); len(refs) == 0 {
			delete(n.fields, field)
		}
	}
	return n, nil
}

// mergeRefs returns two sequences of pages, each in the order of the manifest, as one.
func mergeRefs(a, b []ref) []ref {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	merged := make([]ref, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].compare(&b[0]) <= 0 {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// checkOrder fails when two pages hold the same row, or the pieces of a list do not begin with
// piece 0.
func checkOrder(refs []ref) error {
	if len(refs) > 0 && kindOf(refs[0].field) == pageHashes && refs[0].first != 0 {
		return model.Corrupt("manifest", "%s: got no page of hashes before it, want one from 0", &refs[0])
	}
	for i := range refs {
		r := &refs[i]
		if i == 0 || refs[i-1].first != r.first {
			if r.piece > 1 {
				return model.Corrupt("manifest", "%s: got no piece before it, want one from container key 0", r)
			}
			if i > 0 && kindOf(r.field) != pageHashes && refs[i-1].last() >= r.first {
				return model.Corrupt("manifest", "%s overlaps %s", r, &refs[i-1])
			}
			continue
		}
		if refs[i-1].piece == 0 || r.piece <= refs[i-1].piece {
			return model.Corrupt("manifest", "%s overlaps %s", r, &refs[i-1])
		}
	}
	return nil
}

// all calls fn for every page, by field in ascending order.
func (m *manifest) all(fn func(*ref)) {
	for _, field := range m.sortedFields() {
		for i := range m.fields[field].refs {
			fn(&m.fields[field].refs[i])
		}
	}
}

func (m *manifest) sortedFields() []uint32 {
	fields := make([]uint32, 0, len(m.fields))
	for field := range m.fields {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	return fields
}

// count returns the number of pages.
func (m *manifest) count() (n int) {
	for _, f := range m.fields {
		n += len(f.refs)
	}
	return n
}
