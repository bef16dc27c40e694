// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import "github.com/uproar-db/uproar/internal/posting/intern"

// NewKeys are the keys of one space that were given IDs since the last flush.
type NewKeys struct {
	First  uint64   // the ID of keys[0]; the others follow
	Keys   []string // appended to only; a published slice never changes below its length
	places *intern.Places
}

// EmptyKeys returns a key space that has no keys yet. Its first key will get the ID first.
func EmptyKeys(first uint64) *NewKeys { return &NewKeys{First: first} }

// Next returns the first ID that is not given out.
func (k *NewKeys) Next() uint64 { return k.First + uint64(len(k.Keys)) }

// add gives the next ID to a key.
func (k *NewKeys) add(key string) uint64 {
	id := k.Next()
	k.Keys = append(k.Keys, key)
	k.places = k.places.Add(k.Keys)
	return id
}

// find returns the ID of a key, the last one if it was given several.
func (k *NewKeys) find(key string) (id uint64, ok bool) {
	place, ok := k.places.Find(k.Keys, key)
	return k.First + uint64(place), ok
}
