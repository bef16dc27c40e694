// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import "hash/maphash"

// hashes are a set of keys of which only the number counts. Two keys of a million have the same
// hash once in 30 million sets: then one is counted too few.
type hashes struct {
	seed maphash.Seed
	of   map[uint64]struct{}
}

// What entries of maps take, about, without their texts.
const (
	hashBytes   = 32
	recordBytes = 200
)

// add adds a key, and returns how many bytes it takes.
func (h *hashes) add(key string) (bytes int64) {
	if h.of == nil {
		h.seed, h.of = maphash.MakeSeed(), make(map[uint64]struct{})
	}
	before := len(h.of)
	h.of[maphash.String(h.seed, key)] = struct{}{}
	return int64(len(h.of)-before) * hashBytes
}

// count returns how many keys there are.
func (h *hashes) count() int { return len(h.of) }

// drop takes all keys away, and returns how many bytes they took.
func (h *hashes) drop() (bytes int64) {
	bytes = int64(len(h.of)) * hashBytes
	h.of = nil
	return bytes
}

// bytes returns what a record takes that is kept.
func (e *Event) bytes() int64 {
	return int64(recordBytes + len(e.Key) + len(e.Target) + len(e.List) + len(e.Rev))
}

// bytes returns what a record takes that is kept, if it is there.
func (c *content) bytes(key string, there bool) int64 {
	if !there {
		return 0
	}
	return int64(recordBytes + len(key) + len(c.target) + len(c.list) + len(c.rev))
}
