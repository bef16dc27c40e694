// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

var errNested = errors.New("the store was called from within Get, Scan or Keys")

// strict is a store that shows values to one caller at a time. It fails a caller who asks for more
// while being shown a value: other stores may deadlock there, for example bbolt when its file has
// to grow meanwhile.
type strict struct {
	store.Store
	mu sync.Mutex
}

// enter waits for its turn. It gives up after longer than any other caller can take, unless that
// one waits for this call.
func (s *strict) enter() error {
	for start := time.Now(); !s.mu.TryLock(); time.Sleep(10 * time.Microsecond) {
		if time.Since(start) > 2*time.Minute {
			return errNested
		}
	}
	return nil
}

func (s *strict) Get(key []byte, fn func(value []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	return s.Store.Get(key, fn)
}

func (s *strict) Scan(prefix, start []byte, fn func(key, value []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	return s.Store.Scan(prefix, start, fn)
}

func (s *strict) Keys(prefix, start []byte, fn func(key []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	return s.Store.Keys(prefix, start, fn)
}

func (s *strict) Apply(b *store.Batch, sync bool) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	return s.Store.Apply(b, sync)
}

// TestNestedCalls runs everything that reads the store, on one that fails calls from within its
// callbacks. Replaying an assignment looks for the old value on a page.
func TestNestedCalls(t *testing.T) {
	s := &strict{Store: memstore.New()}
	config := testConfig(t, 1<<20)
	ix := open(t, s, config)
	write := func(n int) {
		t.Helper()
		var b Batch
		for i := range 50 {
			r := b.Key(model.RecordSpace, fmt.Sprint("r", i))
			b.Set(model.Exists, model.ID(0), r)
			b.Set(follows, r, b.Key(model.RecordSpace, fmt.Sprint("r", (i+n)%50)))
			b.Set(country, b.Key(model.KeySpace(country), fmt.Sprint("c", n)), r)
			b.Assign(city, r, b.Key(model.KeySpace(city), fmt.Sprint("c", n)))
			b.AssignInt(age, r, int64(n))
		}
		b.Delete(b.Key(model.RecordSpace, fmt.Sprint("r", 7*n)))
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for round := range 3 {
		write(2 + round)
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		config = testConfig(t, 1<<20) // an empty cache
		ix = open(t, s, config)
		if err := errors.Join(ix.Verify(t.Context(), nil), ix.Log(t.Context(), 1, func(Entry) error {
			return nil
		})); err != nil {
			t.Fatal(err)
		}
	}
	defer ix.Close()
	snap := ix.Snapshot()
	defer snap.Close()
	r, _, err := snap.Lookup(model.RecordSpace, "r3")
	if err != nil {
		t.Fatal(err)
	}
	if x, ok, err := snap.Int(age, r); x != 4 || !ok || err != nil {
		t.Errorf("got %d, %v, %v, want 4", x, ok, err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}
