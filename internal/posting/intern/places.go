// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package intern

import (
	"hash/maphash"
	"sync/atomic"
)

// Places says by hash where in a slice of keys a key is, by open addressing. Whoever has a part of
// the slice from its beginning may share it, and passes over places that the part does not have. A
// larger one takes its place when it is full. nil is that of no keys.
type Places struct {
	slots []atomic.Uint64 // half of a hash, and a place plus 1; 0: free; their number is a power of two
	taken int             // of slots, by who adds keys
}

// seed is that of the hashes.
var seed = maphash.MakeSeed()

// leastSlots is how many slots there are for the first key.
const leastSlots = 64

// Add adds the last of the keys, and returns the places of them all: the same ones, or larger ones.
// One goroutine at a time may call it, with keys that begin with those of the call before, or with
// some of them. The others must have got their keys from it in a way that orders memory.
func (p *Places) Add(keys []string) *Places {
	if p != nil && p.taken*3 < len(p.slots)*2 {
		p.put(keys, len(keys)-1)
		return p
	}
	slots := leastSlots
	for slots < 3*len(keys) {
		slots *= 2
	}
	p = &Places{slots: make([]atomic.Uint64, slots)}
	for i := range keys {
		p.put(keys, i)
	}
	return p
}

// put puts a place into a free slot.
func (p *Places) put(keys []string, place int) {
	hash := maphash.String(seed, keys[place])
	mask := uint64(len(p.slots) - 1)
	at := hash & mask
	for p.slots[at].Load() != 0 {
		at = (at + 1) & mask
	}
	p.slots[at].Store(hash>>32<<32 | uint64(place+1))
	p.taken++
}

// Find returns the last place of a key among keys.
func (p *Places) Find(keys []string, key string) (place int, ok bool) {
	if p == nil {
		return 0, false
	}
	hash := maphash.String(seed, key)
	mask := uint64(len(p.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := p.slots[at].Load()
		if slot == 0 {
			return place, ok
		}
		i := int(uint32(slot)) - 1
		if slot>>32 == hash>>32 && i < len(keys) && keys[i] == key {
			place, ok = max(place, i), true
		}
	}
}
