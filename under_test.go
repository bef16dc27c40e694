// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// endingStore outlives databases, and calls read with each page that is read.
type endingStore struct {
	store.Store
	read func()
}

func (s *endingStore) Close() error { return nil }

func (s *endingStore) Get(key []byte, fn func([]byte) error) error {
	s.read()
	return s.Store.Get(key, fn)
}

// TestEndedWhileReading has the context of a question end while its first page is read: no other is
// read, whether the question takes it or the snapshot was told of it.
func TestEndedWhileReading(t *testing.T) {
	const records = 20000
	name := func(i int) string { return fmt.Sprintf("record %030d", i*7919%records) }
	s := &endingStore{Store: memstore.New(), read: func() {}}
	db, err := uproar.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set},
		uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "known"})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for i := range records {
		b.Set("likes", name(i), fmt.Sprint("thing ", i%3000))
		b.Set("knows", name(i), name((i+1)%records))
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var ids []uint64
	for i := range 200 {
		ids = append(ids, uint64(i*97))
	}
	for what, ask := range map[string]func(ctx context.Context, s uproar.Snapshot, rows []uproar.RowID) error{
		"Count": func(ctx context.Context, s uproar.Snapshot, _ []uproar.RowID) error {
			_, err := s.Count(ctx, query.Or{Of: []query.Expr{query.Equal{Field: "likes", Value: "thing 1"},
				query.Equal{Field: "likes", Value: "thing 1500"}, query.Equal{Field: "likes", Value: "thing 2999"}}})
			return err
		},
		"Count, whose names are looked up": func(ctx context.Context, s uproar.Snapshot, _ []uproar.RowID) error {
			_, err := s.Count(ctx, query.Or{Of: []query.Expr{query.Related{Field: "knows", Key: name(5)},
				query.Related{Field: "known", Key: name(9000)}}})
			return err
		},
		"CountAnd": func(ctx context.Context, s uproar.Snapshot, _ []uproar.RowID) error {
			_, err := s.CountAnd(ctx, query.Related{Field: "knows", Key: name(5)},
				query.Related{Field: "known", Key: name(9000)})
			return err
		},
		"AppendAnd": func(ctx context.Context, s uproar.Snapshot, rows []uproar.RowID) error {
			_, _, err := s.AppendAnd(ctx, nil, 0, rows...)
			return err
		},
		"AppendKeysOf": func(ctx context.Context, s uproar.Snapshot, _ []uproar.RowID) error {
			_, err := s.AppendKeysOf(ctx, nil, ids, uproar.KeyForm{})
			return err
		},
		"ID": func(ctx context.Context, s uproar.Snapshot, _ []uproar.RowID) (err error) {
			for s, i := s.Under(ctx), 0; i < 10 && err == nil; i++ {
				_, err = s.ID(name(i * 997))
			}
			return err
		},
		"Has": func(ctx context.Context, s uproar.Snapshot, _ []uproar.RowID) error {
			_, err := s.Under(ctx).Has("knows", name(5), name(6))
			return err
		},
	} {
		for _, ends := range []bool{false, true} {
			reads, err := askCold(t, s, ends, ask)
			if !ends && (err != nil || reads < 3) {
				t.Errorf("%s: got %v with %d pages, want an answer with 3 or more", what, err, reads)
			}
			if ends && (!errors.Is(err, context.Canceled) || reads > 2) {
				t.Errorf("%s, whose context ends: got %v with %d pages, want %v with 1, or 2 of a single key", what,
					err, reads, context.Canceled)
			}
		}
	}
}

// askCold asks a database that has only looked up three rows, and returns how many pages were read.
// If ends is true, the context ends with the first.
func askCold(t *testing.T, s *endingStore, ends bool, ask func(context.Context, uproar.Snapshot,
	[]uproar.RowID) error) (reads int, err error) {
	t.Helper()
	s.read = func() {}
	db, err := uproar.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	var rows []uproar.RowID
	for _, value := range []string{"thing 1", "thing 1500", "thing 2999"} {
		row, ok, err := snap.RowID("likes", value)
		if err != nil || !ok {
			t.Fatalf("%s: got %t, %v", value, ok, err)
		}
		rows = append(rows, row)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.read = func() {
		if reads++; ends {
			cancel()
		}
	}
	err = ask(ctx, snap, rows)
	return reads, err
}
