// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"slices"
	"sync"

	"github.com/uproar-db/uproar/store"
)

// Call is a method of a store that Faulty can fail.
type Call uint8

// The calls that can fail. Get and Scan are reads, Apply and Sync are writes; Keys is a Scan.
const (
	Get Call = iota
	Scan
	Apply
	Sync
	callCount
)

func (c Call) writes() bool { return c == Apply || c == Sync }

// Fault says which call fails, and how.
type Fault struct {
	Call Call
	Nth  int   // which call, counted from Inject: 1 is the next of its kind
	Err  error // what it returns

	// Late lets the call do its work before it fails: the batch is applied, or synced, and nobody
	// hears of it; Get has shown the value, Scan its first entry. Otherwise it fails before it has
	// done anything.
	Late bool

	// Once makes that one call fail only. Otherwise all later calls fail with Err too: writes when
	// it is a write, as the contract has it of broken disks, and reads when it is a read.
	Once bool
}

// Faulty is a store whose calls fail when they are told to. It passes all others on to the store
// that it wraps. Safe for concurrent use.
type Faulty struct {
	inner store.Store

	mu     sync.Mutex // held for bookkeeping only, never during a call
	counts [callCount]int
	faults []fault
	broken [2]error // what every read, and every write, returns from now on
}

type fault struct {
	Fault
	at int // the count at which it strikes
}

// NewFaulty returns a store over inner in which nothing fails yet.
func NewFaulty(inner store.Store) *Faulty { return &Faulty{inner: inner} }

// Inject arranges for a fault. Several may wait at the same time; of two that meet the same call,
// the one injected first strikes.
func (f *Faulty) Inject(ft Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, fault{ft, f.counts[ft.Call] + ft.Nth})
}

// Heal forgets all faults, waiting and lasting ones.
func (f *Faulty) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults, f.broken = nil, [2]error{}
}

// Count returns how many calls of a kind there have been, failed ones included: run a test once
// without faults to learn how many places there are to fail.
func (f *Faulty) Count(c Call) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[c]
}

// enter counts a call and returns the fault that strikes it, or nil.
func (f *Faulty) enter(c Call) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.counts[c]++
	kind := 0
	if c.writes() {
		kind = 1
	}
	if err := f.broken[kind]; err != nil {
		return &Fault{Call: c, Err: err}
	}
	i := slices.IndexFunc(f.faults, func(ft fault) bool { return ft.Call == c && ft.at == f.counts[c] })
	if i < 0 {
		return nil
	}
	ft := f.faults[i].Fault
	if !ft.Once {
		f.broken[kind] = ft.Err
	}
	return &ft
}

// Get implements store.Store.
func (f *Faulty) Get(key []byte, fn func(value []byte) error) error {
	ft := f.enter(Get)
	if ft == nil {
		return f.inner.Get(key, fn)
	}
	if ft.Late {
		if err := f.inner.Get(key, fn); err != nil {
			return err
		}
	}
	return ft.Err
}

// Scan implements store.Store.
func (f *Faulty) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	ft := f.enter(Scan)
	if ft == nil {
		return f.inner.Scan(prefix, start, fn)
	}
	if ft.Late {
		err := f.inner.Scan(prefix, start, func(key, value []byte) error {
			if err := fn(key, value); err != nil {
				return err
			}
			return ft.Err
		})
		if err != nil {
			return err
		}
	}
	return ft.Err
}

// Keys implements store.Store. It counts as a Scan.
func (f *Faulty) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return f.Scan(prefix, start, func(key, _ []byte) error { return fn(key) })
}

// Apply implements store.Store.
func (f *Faulty) Apply(b *store.Batch, sync bool) error {
	return f.write(Apply, func() error { return f.inner.Apply(b, sync) })
}

// Sync implements store.Store.
func (f *Faulty) Sync() error { return f.write(Sync, f.inner.Sync) }

func (f *Faulty) write(c Call, call func() error) error {
	ft := f.enter(c)
	if ft == nil {
		return call()
	}
	if ft.Late {
		if err := call(); err != nil {
			return err
		}
	}
	return ft.Err
}

// Close implements store.Store. It closes the store wrapped, and never fails by itself.
func (f *Faulty) Close() error { return f.inner.Close() }

var _ store.Store = (*Faulty)(nil)
