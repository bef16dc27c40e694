// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/dchest/siphash"
)

// Secret is the key of the hash under which an index finds its keys, so that nobody outside can choose keys that collide.
type Secret [16]byte

// hash returns the hash of a key: SipHash-2-4.
func (s *Secret) hash(key string) uint64 {
	return siphash.Hash(binary.LittleEndian.Uint64(s[:8]), binary.LittleEndian.Uint64(s[8:]), []byte(key))
}

// keys writes the pages of the keys that a space was given since the last flush, in both directions.
func (m *merger) keys(space uint32, secret *Secret, k *newKeys) error {
	if len(k.keys) == 0 {
		return nil
	}
	if err := m.keyText(space, k); err != nil {
		return err
	}
	entries := make([]hashEntry, len(k.keys))
	for i, key := range k.keys {
		entries[i] = hashEntry{hash: secret.hash(key), id: k.first + uint64(i)}
	}
	slices.SortFunc(entries, compareHashes)
	return m.hashes(space+1, entries)
}

// keyText appends new keys after the last page, which is rewritten while it is small.
func (m *merger) keyText(space uint32, k *newKeys) error {
	w := &rowWriter{out: m.out, field: space}
	if refs := m.base.fields[space]; len(refs) > 0 && refs[len(refs)-1].bytes < pageTarget*3/4 {
		last := &refs[len(refs)-1]
		p, err := m.read(last)
		if err != nil {
			return err
		}
		m.out.drop(last)
		err = p.all(func(row uint64, code []byte) error { return w.add(last.first+row, code, 1) })
		if err != nil {
			return err
		}
	}
	for i, key := range k.keys {
		if err := w.add(k.first+uint64(i), appendKey(nil, key), 1); err != nil {
			return err
		}
	}
	return w.finish()
}

func compareHashes(a, b hashEntry) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
}

// hashes merges new entries, ascending, into the hash pages of a field.
func (m *merger) hashes(field uint32, entries []hashEntry) error {
	refs := m.base.fields[field]
	if len(refs) == 0 {
		return m.hashPages(field, 0, math.MaxUint64, entries)
	}
	for len(entries) > 0 {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		at := find(refs, entries[0].hash)
		last := uint64(math.MaxUint64)
		n := len(entries)
		if at+1 < len(refs) {
			last = refs[at+1].first - 1
			n, _ = slices.BinarySearchFunc(entries, last, func(e hashEntry, last uint64) int {
				if e.hash <= last {
					return -1
				}
				return 1
			})
		}
		p, err := m.read(&refs[at])
		if err != nil {
			return err
		}
		m.out.drop(&refs[at])
		merged := append(p.appendHashEntries(make([]hashEntry, 0, p.count+n), refs[at].first), entries[:n]...)
		slices.SortFunc(merged, compareHashes)
		if err := m.hashPages(field, refs[at].first, last, merged); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// hashPageEntries is how many entries make a page of usual size.
const hashPageEntries = pageTarget / 9

// hashPages writes entries, ascending, as the pages for the hashes first to last: one, or several of equal size. Old entries are known down to a shift
// and relative to first, so a page may begin only where hashes differ above that shift, counted from first: then every look-up meets its entry.
func (m *merger) hashPages(field uint32, first, last uint64, entries []hashEntry) error {
	shift := uint8(0)
	for _, e := range entries {
		shift = max(shift, e.shift)
	}
	pages := (len(entries) + hashPageEntries*5/4 - 1) / (hashPageEntries * 5 / 4)
	for ; pages > 1; pages-- {
		cut := len(entries) / pages
		for cut < len(entries) && (entries[cut-1].hash-first)>>shift == (entries[cut].hash-first)>>shift {
			cut++
		}
		if cut == len(entries) {
			break
		}
		begin := first + (entries[cut].hash-first)>>shift<<shift
		if err := m.hashPage(field, first, begin-1, entries[:cut]); err != nil {
			return err
		}
		first, entries = begin, entries[cut:]
	}
	return m.hashPage(field, first, last, entries)
}

func (m *merger) hashPage(field uint32, first, last uint64, entries []hashEntry) error {
	return m.out.page(ref{field: field, first: first, rows: uint32(len(entries))}, appendHashPage(entries, first, last))
}
