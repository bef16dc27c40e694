// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

// Ref names a record or a row in a Batch: by its ID, or as a key that may have none yet.
type Ref uint64

// KeyRef is the bit of a Ref that counts the keys of its batch; the others are IDs.
const KeyRef Ref = 1 << 63

// MaxID is the greatest ID.
const MaxID = 1<<63 - 1

// ID returns the Ref of an ID of at most MaxID. A batch with the Ref of a greater one is refused.
func ID(id uint64) Ref {
	if id > MaxID {
		return NoRef
	}
	return Ref(id)
}

// NoRef is a Ref of no batch.
const NoRef Ref = 1<<64 - 1

// Resolve returns the ID that a Ref stands for.
func Resolve(x uint64, ids []uint64) uint64 {
	if Ref(x)&KeyRef != 0 {
		return ids[Ref(x)&^KeyRef]
	}
	return x
}

// MaxEdits is how many writes a batch may have, so that one alone cannot fill the memory.
const MaxEdits = 1 << 20

// MaxKeys is how many keys a commit may name, runs of them included.
const MaxKeys = 4 * MaxEdits
