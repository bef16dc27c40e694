// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"math"
	"slices"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Keys writes the keys that a space was given since the last flush, in both directions. It also
// removes the keys of the dead, whose IDs ascend.
func (m *Merger) Keys(space uint32, secret *format.Secret, k *delta.NewKeys, dead []uint64) error {
	if len(k.Keys) == 0 && len(dead) == 0 {
		return nil
	}
	held := m.account()
	defer held.Set(0)
	entries := make([]format.HashEntry, 0, len(k.Keys)+len(dead))
	held.Set(int64(cap(entries)) * int64(unsafe.Sizeof(format.HashEntry{})))
	err := m.KeyText(space, k, dead, func(key string, id uint64) {
		entries = append(entries, format.HashEntry{Hash: secret.Hash(key), ID: id, Gone: true})
	})
	if err != nil {
		return err
	}
	for i, key := range k.Keys {
		if id := k.First + uint64(i); !contains(dead, id) {
			entries = append(entries, format.HashEntry{Hash: secret.Hash(key), ID: id})
		}
	}
	slices.SortFunc(entries, format.CompareHashes)
	return m.Hashes(space+1, entries)
}

// contains reports whether an ID is among some that ascend.
func contains(ids []uint64, id uint64) bool {
	_, ok := slices.BinarySearch(ids, id)
	return ok
}

// KeyText removes the keys of the dead from their pages and passes each to gone. It appends new
// keys after the last page, which it rewrites while it is small.
func (m *Merger) KeyText(space uint32, k *delta.NewKeys, dead []uint64, gone func(key string, id uint64)) error {
	w := &rowWriter{Out: m.Out, Field: space}
	refs := m.base.Fields[space].Refs
	for i := range refs {
		r := &refs[i]
		from, _ := slices.BinarySearch(dead, r.First)
		rewrite := from < len(dead) && dead[from] <= r.Last()
		last := i == len(refs)-1 && r.Bytes < format.Target*3/4 && len(k.Keys) > 0
		if !rewrite && !last {
			continue
		}
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if err := m.keptKeys(w, r, dead, gone); err != nil {
			return err
		}
		if !last {
			if err := w.finish(); err != nil {
				return err
			}
		}
	}
	for i, key := range k.Keys {
		if contains(dead, k.First+uint64(i)) {
			continue
		}
		if err := w.add(k.First+uint64(i), format.AppendKey(nil, key), 1); err != nil {
			return err
		}
	}
	return w.finish()
}

// keptKeys adds the keys of a page but for those of the dead to w, in the page's place.
func (m *Merger) keptKeys(w *rowWriter, r *format.Ref, dead []uint64, gone func(key string, id uint64)) error {
	p, err := m.read(r)
	if err != nil {
		return err
	}
	m.Out.drop(r)
	return p.All(func(row uint64, code []byte) error {
		if !contains(dead, r.First+row) {
			return w.add(r.First+row, code, 1)
		}
		key, ok := format.AppendKeyText(nil, code)
		if !ok {
			return model.Corrupt(r.String(), "ID %d: got no key in codec %d", r.First+row, code[0])
		}
		gone(string(key), r.First+row)
		return nil
	})
}

// Hashes merges new entries, ascending, into the hash pages of a field. It removes the entries that
// are gone.
func (m *Merger) Hashes(field uint32, entries []format.HashEntry) error {
	refs := m.base.Fields[field].Refs
	if len(refs) == 0 {
		if len(entries) == 0 {
			return nil
		}
		return m.hashPages(field, 0, math.MaxUint64, entries)
	}
	for len(entries) > 0 {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		at := format.FindRef(refs, entries[0].Hash)
		last := uint64(math.MaxUint64)
		n := len(entries)
		if at+1 < len(refs) {
			last = refs[at+1].First - 1
			n, _ = slices.BinarySearchFunc(entries, last, func(e format.HashEntry, last uint64) int {
				if e.Hash <= last {
					return -1
				}
				return 1
			})
		}
		p, err := m.read(&refs[at])
		if err != nil {
			return err
		}
		m.Out.drop(&refs[at])
		gone := make(map[uint64]bool)
		for _, e := range entries[:n] {
			if e.Gone {
				gone[e.ID] = true
			}
		}
		old := p.AppendHashEntries(make([]format.HashEntry, 0, p.Count), refs[at].First)
		merged := insertHashes(old, entries[:n])
		if len(gone) > 0 {
			merged = slices.DeleteFunc(merged, func(e format.HashEntry) bool { return gone[e.ID] })
		}
		if err := m.hashPages(field, refs[at].First, last, merged); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// insertHashes returns the entries of a page, old, and new ones, which ascend, in ascending order.
// Those of a page ascend too, but for some that were known to another precision.
func insertHashes(old, entries []format.HashEntry) []format.HashEntry {
	if !slices.IsSortedFunc(old, format.CompareHashes) {
		slices.SortFunc(old, format.CompareHashes)
	}
	merged := make([]format.HashEntry, 0, len(old)+len(entries))
	for len(old) > 0 && len(entries) > 0 {
		if format.CompareHashes(old[0], entries[0]) <= 0 {
			merged, old = append(merged, old[0]), old[1:]
		} else {
			merged, entries = append(merged, entries[0]), entries[1:]
		}
	}
	return append(append(merged, old...), entries...)
}

// hashPageEntries is how many entries make a page of usual size.
const hashPageEntries = format.Target / 9

// hashPages writes entries, ascending, as the pages for the hashes first to last: one, or several
// of equal size. Old entries are known down to a shift and relative to first, so a page may begin
// only where hashes differ above that shift, counted from first: then every look-up meets its
// entry.
func (m *Merger) hashPages(field uint32, first, last uint64, entries []format.HashEntry) error {
	shift := uint8(0)
	for _, e := range entries {
		shift = max(shift, e.Shift)
	}
	pages := (len(entries) + hashPageEntries*5/4 - 1) / (hashPageEntries * 5 / 4)
	for ; pages > 1; pages-- {
		cut := len(entries) / pages
		for cut < len(entries) && (entries[cut-1].Hash-first)>>shift == (entries[cut].Hash-first)>>shift {
			cut++
		}
		if cut == len(entries) {
			break
		}
		begin := first + (entries[cut].Hash-first)>>shift<<shift
		if err := m.hashPage(field, first, begin-1, entries[:cut]); err != nil {
			return err
		}
		first, entries = begin, entries[cut:]
	}
	return m.hashPage(field, first, last, entries)
}

func (m *Merger) hashPage(field uint32, first, last uint64, entries []format.HashEntry) error {
	return m.Out.page(format.Ref{Field: field, First: first, Rows: uint32(len(entries))},
		format.AppendHashPage(entries, first, last))
}
