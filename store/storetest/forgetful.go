// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/store"
)

// Forgetful is a store on a disk that can lose power. It passes everything on to the store that it
// wraps, and remembers how to undo what was not synced: a PowerCut takes back a random suffix of
// the batches that were applied without sync and not synced since, whole batches only, and none
// that was synced. What is left is what a back end that fulfils the contract may show after a
// crash.
//
// The store wrapped must be given to no one else. Forgetful is safe for concurrent use. It keeps
// the replaced values of unsynced batches in memory.
type Forgetful struct {
	disk *disk
	dead atomic.Bool // after Close or PowerCut; changed under disk.mu
}

// disk is what outlives a power cut: all handles of one disk share it.
type disk struct {
	inner store.Store
	mu    sync.Mutex   // held by writers, never by readers
	undo  [][]store.Op // for each batch not yet synced, oldest first: the operations that take it back
	open  *Forgetful   // the handle in use, or the last that was
}

// NewForgetful returns a handle on inner, all of whose present entries count as synced.
func NewForgetful(inner store.Store) *Forgetful {
	d := &disk{inner: inner}
	d.open = &Forgetful{disk: d}
	return d.open
}

// Unsynced returns the number of batches that a power cut could take back now.
func (f *Forgetful) Unsynced() int {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return len(f.disk.undo)
}

// PowerCut takes back some of the unsynced batches, newest first, and returns how many. rng decides
// the number, from none to all. From then on every call on f returns ErrClosed, as if its process
// were gone; writes in progress finish first. A store that is closed or was cut already forgets
// nothing. It panics when the store wrapped fails: that is the test's failure, not the disk's.
func (f *Forgetful) PowerCut(rng *rand.Rand) int {
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if f.dead.Swap(true) {
		return 0
	}
	forgotten := rng.IntN(len(d.undo) + 1)
	for _, ops := range slices.Backward(d.undo[len(d.undo)-forgotten:]) {
		if err := d.takeBack(ops); err != nil {
			panic(fmt.Sprintf("storetest: the store that Forgetful wraps cannot forget: %v", err))
		}
	}
	d.undo = nil
	return forgotten
}

// takeBack applies ops, in several batches if need be: what was replaced may be larger than what
// replaced it, and nobody is looking.
func (d *disk) takeBack(ops []store.Op) error {
	b := new(store.Batch)
	for _, op := range ops {
		if b.Len() == store.MaxOps || b.Size()+len(op.Key)+len(op.Value) > store.MaxBatch {
			if err := d.inner.Apply(b, false); err != nil {
				return err
			}
			b.Reset()
		}
		if op.Delete {
			b.Delete(op.Key)
		} else {
			b.Put(op.Key, op.Value)
		}
	}
	return d.inner.Apply(b, false)
}

// Reopen returns a new handle on what the disk holds, once f is closed or its power was cut. It
// panics when a handle is still in use: a disk has one user.
func (f *Forgetful) Reopen() *Forgetful {
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.open.dead.Load() {
		panic("storetest: Reopen of a store that is in use")
	}
	d.open = &Forgetful{disk: d}
	return d.open
}

// Get implements store.Store.
func (f *Forgetful) Get(key []byte, fn func(value []byte) error) error {
	if f.dead.Load() {
		return store.ErrClosed
	}
	return f.disk.inner.Get(key, fn)
}

// Scan implements store.Store.
func (f *Forgetful) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	if f.dead.Load() {
		return store.ErrClosed
	}
	return f.disk.inner.Scan(prefix, start, fn)
}

// Keys implements store.Store.
func (f *Forgetful) Keys(prefix, start []byte, fn func(key []byte) error) error {
	if f.dead.Load() {
		return store.ErrClosed
	}
	return f.disk.inner.Keys(prefix, start, fn)
}

// Apply implements store.Store.
func (f *Forgetful) Apply(b *store.Batch, sync bool) error {
	d := f.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if f.dead.Load() {
		return store.ErrClosed
	}
	if err := b.Check(); err != nil {
		return err
	}
	before, err := d.before(b)
	if err != nil {
		return err
	}
	if err := d.inner.Apply(b, sync); err != nil {
		return err
	}
	if sync {
		d.undo = nil
	} else if b.Len() > 0 {
		d.undo = append(d.undo, before)
	}
	return nil
}

// before returns the operations that take b back.
func (d *disk) before(b *store.Batch) ([]store.Op, error) {
	ops := make([]store.Op, 0, b.Len())
	for op := range b.Ops() {
		old := store.Op{Key: slices.Clone(op.Key)}
		err := d.inner.Get(op.Key, func(value []byte) error {
			old.Value = slices.Clone(value)
			return nil
		})
		if errors.Is(err, store.ErrNotFound) {
			old.Delete = true
		} else if err != nil {
			return nil, err
		}
		ops = append(ops, old)
	}
	return ops, nil
}

// Sync implements store.Store.
func (f *Forgetful) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return f.sync()
}

func (f *Forgetful) sync() error {
	if f.dead.Load() {
		return store.ErrClosed
	}
	if err := f.disk.inner.Sync(); err != nil {
		return err
	}
	f.disk.undo = nil
	return nil
}

// Close implements store.Store: everything is synced. The store wrapped stays open, for Reopen, and
// remains the caller's to close.
func (f *Forgetful) Close() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.sync(); err != nil {
		return err
	}
	f.dead.Store(true)
	return nil
}

var _ store.Store = (*Forgetful)(nil)
