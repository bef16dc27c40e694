// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"hash/maphash"
	"sync/atomic"
)

// hashSeed is that of the hashes by which keys are found in a delta.
var hashSeed = maphash.MakeSeed()

// NewKeys are the keys of one space that were given IDs since the last flush. One goroutine adds
// keys; each published copy has those up to its length, and is read without a lock.
type NewKeys struct {
	First uint64   // the ID of keys[0]; the others follow
	Keys  []string // appended to only; a published slice never changes below its length

	places *placesOf // shared by copies, which pass over places that they do not have; nil: no key
}

// placesOf says by hash where in NewKeys.Keys a key is, by open addressing. A larger one takes its
// place, so that copies keep theirs.
type placesOf struct {
	slots []atomic.Uint64 // half of a hash, and a place plus 1; 0: free; their number is a power of two
	taken int             // not free; of who adds keys
}

// leastSlots is how many slots there are for the first key.
const leastSlots = 64

// EmptyKeys returns a key space that has no keys yet. Its first key will get the ID first.
func EmptyKeys(first uint64) *NewKeys { return &NewKeys{First: first} }

// Next returns the first ID that is not given out.
func (k *NewKeys) Next() uint64 { return k.First + uint64(len(k.Keys)) }

// add gives the next ID to a key.
func (k *NewKeys) add(key string) uint64 {
	id := k.Next()
	k.Keys = append(k.Keys, key)
	if p := k.places; p != nil && p.taken*3 < len(p.slots)*2 {
		p.add(key, len(k.Keys)-1)
		return id
	}
	slots := leastSlots
	for slots < 3*len(k.Keys) {
		slots *= 2
	}
	k.places = &placesOf{slots: make([]atomic.Uint64, slots)}
	for i, key := range k.Keys {
		k.places.add(key, i)
	}
	return id
}

// add puts the place of a key into a free slot.
func (p *placesOf) add(key string, place int) {
	hash := maphash.String(hashSeed, key)
	mask := uint64(len(p.slots) - 1)
	at := hash & mask
	for p.slots[at].Load() != 0 {
		at = (at + 1) & mask
	}
	p.slots[at].Store(hash>>32<<32 | uint64(place+1))
	p.taken++
}

// find returns the ID of a key, the last one if it was given several.
func (k *NewKeys) find(key string) (id uint64, ok bool) {
	if k.places == nil {
		return 0, false
	}
	slots := k.places.slots
	hash := maphash.String(hashSeed, key)
	mask := uint64(len(slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := slots[at].Load()
		if slot == 0 {
			return id, ok
		}
		i := uint64(uint32(slot)) - 1
		if slot>>32 == hash>>32 && i < uint64(len(k.Keys)) && k.Keys[i] == key {
			id, ok = max(id, k.First+i), true
		}
	}
}
