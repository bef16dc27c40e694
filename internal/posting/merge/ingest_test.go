// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"bytes"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// ingester is a store in memory that takes sorted entries, as stores on disk do.
type ingester struct {
	*memstore.Store
	begun, ended int
}

func (s *ingester) Ingest() (store.Ingestion, error) {
	s.begun++
	return &ingestion{s: s}, nil
}

// ingestion gathers entries in a batch.
type ingestion struct {
	s     *ingester
	batch store.Batch
	last  []byte
	ended bool
}

func (g *ingestion) Put(key, value []byte) error {
	if g.last != nil && bytes.Compare(key, g.last) <= 0 {
		return store.ErrUnsorted
	}
	g.last = bytes.Clone(key)
	g.batch.Put(g.last, bytes.Clone(value))
	return nil
}

func (g *ingestion) Commit() error {
	err := g.s.Apply(&g.batch, true)
	g.Abort()
	return err
}

func (g *ingestion) Abort() {
	if !g.ended {
		g.ended = true
		g.s.ended++
	}
}

// loadBatch returns a batch of pages of a load, which holds so many bytes.
func loadBatch(most int) (*PageBatch, *ingester) {
	s, o := &ingester{Store: memstore.New()}, cutBatch()
	o.Store, o.Most, o.Ingests = s, most, true
	return o, s
}

// addPages adds pages of the sizes, in the order of their keys.
func addPages(t *testing.T, o *PageBatch, sizes ...int) {
	t.Helper()
	for i, size := range sizes {
		if err := o.page(format.Ref{Field: someField, First: uint64(i), Rows: 1}, make([]byte, size)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLoadedPagesAreAllThere: pages larger than a batch come before, between and behind small ones.
func TestLoadedPagesAreAllThere(t *testing.T) {
	for name, sizes := range map[string][]int{
		"few":           {50, 40},
		"many":          {50, 50, 50, 50, 50, 50},
		"a large first": {500, 50, 50},
		"large ones":    {50, 500, 50, 600, 700, 50},
		"large alone":   {500, 500, 500},
	} {
		o, s := loadBatch(100)
		addPages(t, o, sizes...)
		if err := o.Flush(); err != nil {
			t.Fatal(err)
		}
		for i, r := range o.Added {
			if err := s.Get(format.AppendPageKey(nil, o.Index, &r), func([]byte) error { return nil }); err != nil {
				t.Errorf("%s: page %d of %d: %v", name, i, len(sizes), err)
			}
		}
		if s.begun != s.ended || s.begun > 1 {
			t.Errorf("%s: %d ingestions were begun, and %d ended; want one", name, s.begun, s.ended)
		}
	}
}

// TestDiscardedPagesAreNowhere: what was ingested for a merge that failed is dropped.
func TestDiscardedPagesAreNowhere(t *testing.T) {
	o, s := loadBatch(100)
	addPages(t, o, 50, 500, 50)
	o.discard()
	if err := s.Keys(nil, nil, func(key []byte) error { t.Errorf("there is %x", key); return nil }); err != nil {
		t.Fatal(err)
	}
	if s.begun != 1 || s.ended != 1 {
		t.Errorf("%d ingestions were begun, and %d ended; want one", s.begun, s.ended)
	}
}

// TestUnsortedEntriesAreIngested: an entry out of order begins another ingestion.
func TestUnsortedEntriesAreIngested(t *testing.T) {
	s := &ingester{Store: memstore.New()}
	i, ok := NewIngest(s)
	if !ok {
		t.Fatal("the store cannot ingest")
	}
	for _, key := range []string{"b", "c", "a", "a", "d"} {
		if err := i.Put([]byte(key), []byte(key)); err != nil {
			t.Fatal(err)
		}
	}
	if err := i.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b", "c", "d"} {
		if err := s.Get([]byte(key), func([]byte) error { return nil }); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	if s.begun != 3 || s.ended != 3 {
		t.Errorf("%d ingestions were begun, and %d ended; want 3", s.begun, s.ended)
	}
}
