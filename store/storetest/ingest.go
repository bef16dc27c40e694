// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// ingester returns the power of a store to ingest, and skips the test when it has none.
func ingester(t *testing.T, s store.Store) store.Ingester {
	t.Helper()
	i, ok := s.(store.Ingester)
	if !ok {
		t.Skip("the store takes batches only")
	}
	return i
}

func beginIngest(t *testing.T, s store.Store) store.Ingestion {
	t.Helper()
	g, err := ingester(t, s).Ingest()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func ingest(t *testing.T, g store.Ingestion, key, value string) {
	t.Helper()
	if err := g.Put([]byte(key), []byte(value)); err != nil {
		t.Fatalf("Put of %q: %v", key, err)
	}
}

func testIngest(t *testing.T, s store.Store) {
	apply(t, s, put("b", "of a batch"))
	apply(t, s, put("c", "of a batch"))
	g := beginIngest(t, s)
	defer g.Abort()
	ingest(t, g, "a", "")
	key := []byte("b")
	if err := g.Put(key, []byte("ingested")); err != nil {
		t.Fatal(err)
	}
	key[0] = 'z' // the caller's again
	apply(t, s, put("d", "meanwhile"))
	want := []string{"b=of a batch", "c=of a batch", "d=meanwhile"}
	if got := list(t, s, nil, nil); !slices.Equal(got, want) {
		t.Fatalf("before Commit got %q, want %q", got, want)
	}
	if err := g.Commit(); err != nil {
		t.Fatal(err)
	}
	g.Abort()
	want = []string{"a=", "b=ingested", "c=of a batch", "d=meanwhile"}
	if got := list(t, s, nil, nil); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	apply(t, s, put("a", "of a batch"))
	if got, _ := read(t, s, "a"); got != "of a batch" {
		t.Fatalf("a batch behind the ingestion: got %q", got)
	}
	empty := beginIngest(t, s)
	if err := empty.Commit(); err != nil {
		t.Fatalf("Commit without entries: %v", err)
	}
}

func testIngestRefuses(t *testing.T, s store.Store) {
	for _, c := range []struct {
		name, before, key string
		value             int
		want              error
	}{
		{"empty key", "", "", 0, store.ErrEmptyKey},
		{"same key", "k", "k", 0, store.ErrUnsorted},
		{"lesser key", "k", "j", 0, store.ErrUnsorted},
		{"large key", "", string(make([]byte, store.MaxKey+1)), 0, store.ErrTooLarge},
		{"large value", "", "k", store.MaxValue + 1, store.ErrTooLarge},
	} {
		g := beginIngest(t, s)
		if c.before != "" {
			ingest(t, g, c.before, "")
		}
		if err := g.Put([]byte(c.key), make([]byte, c.value)); !errors.Is(err, c.want) {
			t.Errorf("%s: got error %v, want %v", c.name, err, c.want)
		}
		g.Abort()
	}
	if got := list(t, s, nil, nil); len(got) > 0 {
		t.Errorf("after Abort there is %q", got)
	}
}

// testIngestLarge ingests more than a table holds, from several goroutines, beside batches.
func testIngestLarge(t *testing.T, s store.Store) {
	ingester(t, s)
	const size = 1 << 20
	each := 90
	if testing.Short() {
		each = 66 // a table and a little
	}
	var work sync.WaitGroup
	for from := range 2 {
		work.Go(func() {
			g, err := s.(store.Ingester).Ingest()
			if err != nil {
				t.Error(err)
				return
			}
			defer g.Abort()
			for i := range each {
				key := fmt.Sprintf("%d-%04d", from, i)
				if err := g.Put([]byte(key), bytes.Repeat([]byte{byte(i)}, size)); err != nil {
					t.Error(err)
					return
				}
			}
			if err := g.Commit(); err != nil {
				t.Error(err)
			}
		})
	}
	for i := range 50 {
		apply(t, s, put(fmt.Sprintf("0-%04d", 2*i), "a batch"))
	}
	work.Wait()
	n := 0
	err := s.Scan(nil, nil, func(key, value []byte) error {
		n++
		if len(value) != size && string(value) != "a batch" {
			return fmt.Errorf("%q has %d bytes", key, len(value))
		}
		return nil
	})
	if err != nil || n < 2*each {
		t.Errorf("got %d entries and %v, want %d", n, err, 2*each)
	}
}

// testReopenIngested checks that what was ingested outlives the process, and what was not does not.
func testReopenIngested(t *testing.T, open func(t *testing.T, dir string) store.Store) {
	dir := t.TempDir()
	s := open(t, dir)
	g, lost := beginIngest(t, s), beginIngest(t, s)
	for i := range 100 {
		ingest(t, g, fmt.Sprintf("key%03d", i), "ingested")
		ingest(t, lost, fmt.Sprintf("lost%03d", i), "ingested")
	}
	if err := g.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := lost.Put([]byte("z"), nil); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Put on a closed store: got error %v, want %v", err, store.ErrClosed)
	}
	lost.Abort()
	s = open(t, dir)
	defer s.Close()
	if got := list(t, s, nil, nil); len(got) != 100 || got[99] != "key099=ingested" {
		t.Errorf("opened again, got %d entries, want 100", len(got))
	}
}
