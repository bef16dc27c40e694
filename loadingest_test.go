// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// ingesting counts the ingestions of a store.
type ingesting struct {
	*pebblestore.Store
	n atomic.Int64
}

func (s *ingesting) Ingest() (store.Ingestion, error) {
	s.n.Add(1)
	return s.Store.Ingest()
}

func openIngesting(t *testing.T, dir string) *ingesting {
	t.Helper()
	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &ingesting{Store: s}
}

// loadMany loads follows among 50 000 accounts, which are more pages than a batch holds: a million
// into fields that have none, and some into those that have.
func loadMany(t *testing.T, db *uproar.DB) {
	t.Helper()
	ix, err := db.CreateIndex(t.Context(), "accounts", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"})
	if err != nil {
		t.Fatal(err)
	}
	loadSome(t, ix, 0, 1_000_000)
	loadSome(t, ix, 1_000_000, 1_200_000)
}

func loadSome(t *testing.T, ix *uproar.Index, from, to int) {
	t.Helper()
	load, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Abort()
	for i := from; i < to; i++ {
		account, target := i%50_000, int(uint32(i)*2_654_435_761>>8)%50_000
		if err := load.Set("follows", fmt.Sprint("account", account), fmt.Sprint("account", target)); err != nil {
			t.Fatal(err)
		}
	}
	if err := load.Commit(); err != nil {
		t.Fatal(err)
	}
}

// counts asks how many accounts follow some.
func counts(t *testing.T, db *uproar.DB) (got []uint64) {
	t.Helper()
	ix, err := db.Index("accounts")
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for i := range 200 {
		n, err := snap.Count(t.Context(), query.Related{Field: "followers", Key: fmt.Sprint("account", i*200)})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, n)
	}
	return got
}

// TestLoadIngests loads into a store that takes sorted tables, and restores into another one. Both
// must answer as one in memory does, and go on after they were closed.
func TestLoadIngests(t *testing.T) {
	model, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	loadMany(t, model)
	want := fmt.Sprint(counts(t, model))

	dirs, saved := []string{t.TempDir(), t.TempDir()}, new(bytes.Buffer)
	for i, dir := range dirs {
		s := openIngesting(t, dir)
		if i > 0 {
			if _, err := uproar.Restore(t.Context(), s, saved); err != nil {
				t.Fatal(err)
			}
		}
		db, err := uproar.Open(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			loadMany(t, db)
		}
		if n := s.n.Load(); n < 1 || n < 4 && i == 0 { // both directions in both loads
			t.Errorf("store %d: %d ingestions", i, n)
		}
		if got := fmt.Sprint(counts(t, db)); got != want {
			t.Errorf("store %d: got %s, want %s", i, got, want)
		}
		if _, err := db.Backup(t.Context(), saved, nil); i == 0 && err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if db, err = uproar.Open(t.Context(), openIngesting(t, dir), nil); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(counts(t, db)); got != want {
			t.Errorf("store %d, opened again: got %s, want %s", i, got, want)
		}
		if err := db.Verify(t.Context(), nil); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "ingest-*")); len(left) > 0 {
			t.Errorf("store %d left %v", i, left)
		}
	}
}
