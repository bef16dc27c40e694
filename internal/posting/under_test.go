// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// readStore counts what is read.
type readStore struct {
	store.Store
	reads atomic.Int64
}

func (s *readStore) Get(key []byte, fn func([]byte) error) error {
	s.reads.Add(1)
	return s.Store.Get(key, fn)
}

// TestUnder: a question whose context is done ends with the first page that it has to read, which
// is kept, so that one that is asked again gets further; what is in the cache is answered.
func TestUnder(t *testing.T) {
	s := &readStore{Store: memstore.New()}
	ix := open(t, s, testConfig(t, 1<<20))
	defer ix.Close()
	const records = 40000
	name := func(i int) string { return fmt.Sprintf("record %d, whose key is a long one", i) }
	for i := 0; i < records; {
		var b Batch
		for range records / 8 {
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, name(i)))
			if i%3 != 0 { // a list of many containers
				b.Set(country, model.ID(1), model.ID(uint64(i)<<16+uint64(i)))
			}
			i++
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	snap := ix.Snapshot().Under(done)
	defer snap.Close()
	var far []uint64
	for id := uint64(0); id < records; id += records / 20 {
		far = append(far, id)
	}
	for what, c := range map[string]struct {
		ask   func() error
		least int64 // pages
	}{
		"List": {func() error { return snap.List(country, 1, new(overlay.List)) }, 2},
		"Contains": {func() error {
			is, err := snap.Contains(country, 1, 7<<16+7)
			if err == nil && !is {
				t.Error("Contains: a record is not in the list")
			}
			return err
		}, 1},
		"MultiGet": {func() error {
			keys := []reader.Lookup{{Space: model.RecordSpace, Key: name(0)},
				{Space: model.RecordSpace, Key: name(records - 1),
					Exists: true}}
			err := snap.MultiGet(keys)
			if err == nil && (!keys[0].OK || !keys[1].OK || keys[1].ID != records-1) {
				t.Errorf("MultiGet: got %v", keys)
			}
			return err
		}, 4},
		"Keys": {func() error {
			r := snap.Keys(model.RecordSpace)
			_, n, err := r.AppendAll(nil, far, reader.KeyForm{})
			if err == nil && n != len(far) {
				t.Errorf("Keys: got %d, want %d", n, len(far))
			}
			return err
		}, 3},
	} {
		limit := ix.source.Cache.Limit()
		ix.source.Cache.Bound(0)
		ix.source.Cache.Bound(limit)
		asked := int64(0)
		for {
			before := s.reads.Load()
			err := c.ask()
			read := s.reads.Load() - before
			if err == nil && read == 0 {
				break
			}
			if err != context.Canceled || read != 1 {
				t.Fatalf("%s, asked %d times before: got %v and %d pages from the store, want %v with the first", what,
					asked, err, read, context.Canceled)
			}
			asked++
		}
		if asked < c.least {
			t.Errorf("%s: ended after %d pages, want at least %d", what, asked, c.least)
		}
	}
}
