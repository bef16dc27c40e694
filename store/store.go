// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package store

// Store is an ordered map from keys to values that commits batches atomically.
//
// All methods are safe for concurrent use. Readers never wait for writers: a Get or Scan sees the
// state after some whole number of batches. It sees at least all whose Apply had returned before it
// was called.
//
// The functions given to Get and Scan run inside the engine's critical sections. They must be brief
// and must not call the same store, or the two may wait for each other for ever.
//
// An engine that fails to write (a full or broken disk) does not guess what reached the disk: that
// Apply or Sync and all later ones return an error. Reading goes on, without the failed batch.
// Opening again finds what was synced.
type Store interface {
	// Get calls fn once with the value stored under key. The value belongs to the store and is
	// valid only until fn returns, because engines remap their files; fn must not change it. An
	// error of fn is returned as it is.
	//
	// Errors: ErrNotFound when there is no such entry (fn is not called), ErrEmptyKey, ErrClosed,
	// ErrCorrupt when the engine finds its bytes damaged.
	Get(key []byte, fn func(value []byte) error) error

	// Scan calls fn for each entry whose key begins with prefix and is not less than start, in
	// ascending order of keys, over one consistent state: what Apply commits meanwhile is not seen.
	// A nil start begins at the first key with the prefix, a nil prefix means every entry. Key and
	// value belong to the store and are valid only until fn returns. When fn returns ErrStop the
	// scan ends with nil; any other error ends it and is returned as it is.
	//
	// Errors: ErrClosed, ErrCorrupt.
	Scan(prefix, start []byte, fn func(key, value []byte) error) error

	// Keys is Scan without the values: it reads none of them, and so costs little where they are
	// large.
	//
	// Errors: ErrClosed, ErrCorrupt.
	Keys(prefix, start []byte, fn func(key []byte) error) error

	// Apply commits the operations of b, in their order, as one: a reader sees all of them or none,
	// and after a crash all of them are there or none. Batches take effect in the order of the
	// calls, and what a crash leaves is always a prefix of the batches applied: a batch is there
	// only if all before it are. With sync, the batch has reached the disk when Apply returns, and
	// so has everything applied before it; without, it may be lost in a crash until a later Sync,
	// or Apply with sync, has returned. Concurrent callers share the cost of a sync. A batch
	// without operations changes nothing, but with sync is a Sync.
	//
	// Apply does not change b and keeps no reference to it, nor to its bytes, once it has returned.
	//
	// The limits are those of Batch.Check, the same for every back end.
	//
	// Errors, with nothing changed: ErrTooLarge (as *TooLargeError), ErrEmptyKey, ErrReadOnly,
	// ErrFull, ErrClosed. After any other error the batch is not seen by readers, but may be found
	// there when the store is opened again.
	Apply(b *Batch, sync bool) error

	// Sync makes everything durable whose Apply returned before the call. On a store that was
	// opened for reading only it does nothing.
	//
	// Errors: ErrClosed, or the engine's error, after which nothing unsynced may be relied on.
	Sync() error

	// Close lets the calls in progress finish, makes everything durable, and releases files and
	// locks. Every later call of any method, Close included, returns ErrClosed.
	Close() error
}
