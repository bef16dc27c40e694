// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package memstore is a store in memory: ordered, with consistent scans, for tests and for indexes
// that need not outlive the process.
package memstore

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"

	"github.com/uproar-db/uproar/store"
)

// Store keeps its entries in a B-tree. A node is copied when it changes, so that every reader has
// an unchanging tree of its own: readers take no lock, and a scan of any length costs writers
// nothing but the nodes it holds on to. It fulfils store.Store, store.Sizer and store.Compacter.
// Nothing survives Close, so that syncing does nothing. Safe for concurrent use. The values it
// shows are its own and never change, but callers should not rely on that: other stores reuse
// theirs.
type Store struct {
	published atomic.Pointer[state] // what readers see; nil when closed

	writer sync.Mutex
	tree   *tree // the writer's own; published trees are copies of it
	size   int64
}

type entry struct{ key, value []byte }

type tree = btree.BTreeG[entry]

type state struct {
	tree *tree
	size int64
}

// New returns an empty store.
func New() *Store {
	less := func(a, b entry) bool { return bytes.Compare(a.key, b.key) < 0 }
	s := &Store{tree: btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
	s.publish()
	return s
}

// publish shows the writer's tree to readers. Copying marks the nodes as shared; it copies none of
// them.
func (s *Store) publish() {
	s.published.Store(&state{tree: s.tree.Copy(), size: s.size})
}

// Get implements store.Store.
func (s *Store) Get(key []byte, fn func(value []byte) error) error {
	st := s.published.Load()
	switch {
	case st == nil:
		return store.ErrClosed
	case len(key) == 0:
		return store.ErrEmptyKey
	}
	e, ok := st.tree.Get(entry{key: key})
	if !ok {
		return store.ErrNotFound
	}
	return fn(e.value)
}

// Scan implements store.Store.
func (s *Store) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	st := s.published.Load()
	if st == nil {
		return store.ErrClosed
	}
	if bytes.Compare(start, prefix) < 0 {
		start = prefix
	}
	var err error
	st.tree.Ascend(entry{key: start}, func(e entry) bool {
		if !bytes.HasPrefix(e.key, prefix) {
			return false
		}
		err = fn(e.key, e.value)
		return err == nil
	})
	if errors.Is(err, store.ErrStop) {
		return nil
	}
	return err
}

// Keys implements store.Store.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.Scan(prefix, start, func(key, _ []byte) error { return fn(key) })
}

// Apply implements store.Store; it copies the keys and values of b.
func (s *Store) Apply(b *store.Batch, sync bool) error {
	if err := b.Check(); err != nil {
		return err
	}
	s.writer.Lock()
	defer s.writer.Unlock()
	if s.published.Load() == nil {
		return store.ErrClosed
	}
	for op := range b.Ops() {
		var old entry
		var found bool
		if op.Delete {
			old, found = s.tree.Delete(entry{key: op.Key})
		} else {
			old, found = s.tree.Set(entry{key: slices.Clone(op.Key), value: slices.Clone(op.Value)})
			s.size += int64(len(op.Key) + len(op.Value))
		}
		if found {
			s.size -= int64(len(old.key) + len(old.value))
		}
	}
	s.publish()
	return nil
}

// Sync implements store.Store; it does nothing.
func (s *Store) Sync() error {
	if s.published.Load() == nil {
		return store.ErrClosed
	}
	return nil
}

// Close implements store.Store; it lets go of all entries. Scans in progress go on over the tree
// that they have.
func (s *Store) Close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	if s.published.Swap(nil) == nil {
		return store.ErrClosed
	}
	s.tree = nil
	return nil
}

// Size implements store.Sizer: the bytes of keys and values, without the tree's own.
func (s *Store) Size() (store.Size, error) {
	st := s.published.Load()
	if st == nil {
		return store.Size{}, store.ErrClosed
	}
	return store.Size{Tree: st.size}, nil
}

// Compact implements store.Compacter. There is never anything to reclaim.
func (s *Store) Compact(ctx context.Context) error {
	if s.published.Load() == nil {
		return store.ErrClosed
	}
	return ctx.Err()
}

var (
	_ store.Store     = (*Store)(nil)
	_ store.Sizer     = (*Store)(nil)
	_ store.Compacter = (*Store)(nil)
)
