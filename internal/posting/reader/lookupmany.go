// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"cmp"
	"slices"
)

// multiGetTogether is how many keys are looked up at the same time: the pages of all of them are
// kept alive meanwhile.
const multiGetTogether = 256

// lookupMany looks keys up in the order in which pages have them: first by their hashes, then by
// the IDs of the candidates. So a page is fetched once, however small the cache is, and few are
// kept alive at a time.
func (m *multiGet) lookupMany(keys []Lookup) error {
	order := make([]lookupAt, len(keys))
	for i := range keys {
		order[i] = lookupAt{keys[i].Space, m.snap.St.Source.Secret.Hash(keys[i].Key), int32(i)}
	}
	if err := m.inOrder(keys, order, func(some []Lookup) error { return m.findCandidates(some) }); err != nil {
		return err
	}
	for i := range keys {
		order[i] = lookupAt{keys[i].Space, keys[i].ID, int32(i)}
	}
	return m.inOrder(keys, order, func(some []Lookup) error { return m.decideAll(some) })
}

// lookupAt is a key, and where it stands among others.
type lookupAt struct {
	space uint32
	at    uint64 // its hash, or its ID
	index int32
}

// inOrder calls fn with portions of the keys in an order, which it sorts.
func (m *multiGet) inOrder(keys []Lookup, order []lookupAt, fn func([]Lookup) error) error {
	slices.SortFunc(order, func(a, b lookupAt) int {
		return cmp.Or(cmp.Compare(a.space, b.space), cmp.Compare(a.at, b.at))
	})
	some := make([]Lookup, 0, multiGetTogether)
	for part := range slices.Chunk(order, multiGetTogether) {
		if m.snap.ctx != nil && m.snap.ctx.Err() != nil {
			return m.snap.ctx.Err()
		}
		some = some[:0]
		for _, o := range part {
			some = append(some, keys[o.index])
		}
		if err := fn(some); err != nil {
			return err
		}
		for i, o := range part {
			keys[o.index] = some[i]
		}
	}
	return nil
}
