// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"
	"slices"
)

// Limits of one Apply, the same for every back end, so that what works on one works on all. They
// are what every engine that we know takes with room to spare; docs/design/store.md derives them.
const (
	MaxKey   = 512      // bytes of a key
	MaxValue = 16 << 20 // bytes of a value
	MaxOps   = 1024     // operations of a batch
	MaxBatch = 32 << 20 // bytes of all keys and values of a batch, as Batch.Size counts them
)

// Op is one operation of a batch.
type Op struct {
	Key    []byte
	Value  []byte // nil when Delete
	Delete bool   // remove the entry under Key, if there is one
}

// Batch is a list of operations to be committed as one. The zero value is an empty batch, ready for
// use.
//
// A batch copies nothing: it keeps the slices that Put and Delete are given. The caller must not
// change their bytes until Apply has returned or the batch is reset. A batch is not safe for
// concurrent use, and may be applied more than once.
type Batch struct {
	ops  []Op
	size int
}

// Put adds an operation that stores value under key, in place of what is there. Of several
// operations on one key the last one counts.
func (b *Batch) Put(key, value []byte) {
	b.ops = append(b.ops, Op{Key: key, Value: value})
	b.size += len(key) + len(value)
}

// Delete adds an operation that removes the entry under key. It is no error when there is none.
func (b *Batch) Delete(key []byte) {
	b.ops = append(b.ops, Op{Key: key, Delete: true})
	b.size += len(key)
}

// Len returns the number of operations.
func (b *Batch) Len() int { return len(b.ops) }

// Size returns the number of bytes of all keys and values.
func (b *Batch) Size() int { return b.size }

// Ops yields the operations in the order in which they were added. Their bytes belong to whoever
// gave them to the batch.
func (b *Batch) Ops() iter.Seq[Op] { return slices.Values(b.ops) }

// Reset empties the batch and lets go of all keys and values. It keeps the room for operations for
// reuse.
func (b *Batch) Reset() {
	clear(b.ops)
	b.ops = b.ops[:0]
	b.size = 0
}

// Check returns the error with which Apply refuses the batch: nil, ErrEmptyKey or a *TooLargeError.
// Every back end calls it first. It takes one pass over the operations.
func (b *Batch) Check() error {
	if len(b.ops) > MaxOps {
		return &TooLargeError{What: "batch operations", Got: len(b.ops), Max: MaxOps}
	}
	for i := range b.ops {
		op := &b.ops[i]
		switch {
		case len(op.Key) == 0:
			return ErrEmptyKey
		case len(op.Key) > MaxKey:
			return &TooLargeError{What: "key bytes", Got: len(op.Key), Max: MaxKey}
		case len(op.Value) > MaxValue:
			return &TooLargeError{What: "value bytes", Got: len(op.Value), Max: MaxValue}
		}
	}
	if b.size > MaxBatch {
		return &TooLargeError{What: "batch bytes", Got: b.size, Max: MaxBatch}
	}
	return nil
}
