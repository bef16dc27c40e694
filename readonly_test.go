// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestReadOnly opens a database with writes that are not in pages, and pages that nobody names, for
// reading only: it answers as before, and nothing reaches the store.
func TestReadOnly(t *testing.T) {
	mem := memstore.New()
	if _, err := uproar.Open(t.Context(), mem, &uproar.Options{ReadOnly: true}); !errors.Is(err,
		uproar.ErrNotDatabase) {
		t.Errorf("an empty store: got %v, want %v", err, uproar.ErrNotDatabase)
	}
	db := openDB(t, keepOpen{mem}, nil)
	ix := newShop(t, db, "shop")
	rng := rand.New(rand.NewPCG(1, 2))
	writeShop(t, ix, rng, 10)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	writeShop(t, ix, rng, 3)
	want := dump(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var orphan store.Batch // as an interrupted flush leaves it behind
	orphan.Put([]byte("\x04\x00\x00\x00\x01"+string(make([]byte, 22))+"\x00\x00\x00\x00\x00\x00\xFF\xFF"),
		[]byte("a page"))
	if err := mem.Apply(&orphan, true); err != nil {
		t.Fatal(err)
	}

	watched := storetest.NewFaulty(mem)
	db = openDB(t, watched, &uproar.Options{ReadOnly: true, DeltaBytes: 1})
	if got := dump(t, db); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if _, err := db.Backup(t.Context(), io.Discard, nil); err != nil {
		t.Errorf("Backup: %v", err)
	}
	ix, err := db.Index("shop")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range ix.Changes(t.Context(), ix.Snapshot().Sequence()-1) {
		if err != nil {
			t.Errorf("Changes: %v", err)
		}
	}
	var b uproar.Batch
	b.Set("country", "r1", "c1")
	for name, call := range map[string]func() error{
		"Write":       func() error { _, err := ix.Write(t.Context(), &b); return err },
		"Load":        func() error { _, err := ix.Load(t.Context(), nil); return err },
		"Flush":       func() error { return ix.Flush(t.Context()) },
		"CreateIndex": func() error { _, err := db.CreateIndex(t.Context(), "new"); return err },
	} {
		if err := call(); !errors.Is(err, uproar.ErrReadOnly) {
			t.Errorf("%s: got %v, want %v", name, err, uproar.ErrReadOnly)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if n := watched.Count(storetest.Apply); n > 0 {
		t.Errorf("%d batches were written, want none", n)
	}
}

// TestReadOnlyStores opens databases on disk for reading only twice at a time, and not beside a
// writer.
func TestReadOnlyStores(t *testing.T) {
	for name, open := range map[string]func(dir string, readOnly bool) (store.Store, error){
		"bbolt": func(dir string, readOnly bool) (store.Store, error) {
			return bboltstore.Open(dir, &bboltstore.Options{ReadOnly: readOnly})
		},
		"pebble": func(dir string, readOnly bool) (store.Store, error) {
			return pebblestore.Open(dir, &pebblestore.Options{ReadOnly: readOnly})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := open(dir, false)
			if err != nil {
				t.Fatal(err)
			}
			db := openDB(t, s, nil)
			writeShop(t, newShop(t, db, "shop"), rand.New(rand.NewPCG(1, 2)), 5)
			want := dump(t, db)
			if _, err := open(dir, true); !errors.Is(err, uproar.ErrLocked) {
				t.Errorf("beside a writer: got %v, want %v", err, uproar.ErrLocked)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s, err := open(dir, true)
				if err != nil {
					t.Fatal(err)
				}
				db := openDB(t, s, &uproar.Options{ReadOnly: true})
				defer db.Close()
				if got := dump(t, db); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
			if _, err := open(dir, false); !errors.Is(err, uproar.ErrLocked) {
				t.Errorf("a writer beside readers: got %v, want %v", err, uproar.ErrLocked)
			}
		})
	}
}
