// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestConcurrentUpdates has several goroutines count one integer up, each by reading it and writing
// one more, while others write plainly, delete records and flush: no increment is lost.
func TestConcurrentUpdates(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), &uproar.Options{DeltaBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "counters", uproar.Field{Name: "n", Type: uproar.Integer},
		uproar.Field{Name: "by", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	const counters, each = 8, 200
	var wait sync.WaitGroup
	for g := range counters {
		wait.Go(func() {
			for i := range each {
				_, err := ix.Update(t.Context(), func(s uproar.Snapshot, b *uproar.Batch) error {
					x, _, err := s.Int("n", "counter")
					if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
						return err
					}
					b.SetInt("n", "counter", x+1)
					b.Set("by", "counter", fmt.Sprint(g, " ", i))
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Go(func() {
		for i := range each {
			var b uproar.Batch
			b.SetInt("n", fmt.Sprint("other ", i), int64(i))
			b.DeleteRecord(fmt.Sprint("other ", i-3))
			if _, err := ix.Write(t.Context(), &b); err != nil {
				t.Error(err)
			}
			if i%50 == 0 {
				if err := ix.Flush(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	})
	wait.Wait()
	s := ix.Snapshot()
	defer s.Close()
	if x, _, err := s.Int("n", "counter"); x != counters*each || err != nil {
		t.Errorf("got %d, %v, want %d", x, err, counters*each)
	}
	values := 0
	for _, err := range s.Rows(t.Context(), "by") {
		if err != nil {
			t.Fatal(err)
		}
		values++
	}
	if values != counters*each {
		t.Errorf("got %d values, want %d", values, counters*each)
	}
}

// TestUpdateThatWritesNothing: what fn refuses is returned, and is no commit; nor is what writes
// nothing.
func TestUpdateThatWritesNothing(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.New("no")
	if _, err := ix.Update(t.Context(), func(_ uproar.Snapshot, b *uproar.Batch) error {
		b.Set("likes", "ann", "tea")
		return refused
	}); err != refused {
		t.Errorf("got %v, want %v", err, refused)
	}
	sequence, err := ix.Update(t.Context(), func(uproar.Snapshot, *uproar.Batch) error { return nil })
	if sequence != 0 || err != nil {
		t.Errorf("got %d, %v, want 0: nothing was written", sequence, err)
	}
	sequence, err = ix.Update(t.Context(), func(_ uproar.Snapshot, b *uproar.Batch) error {
		b.Set("likes", "ann", "tea")
		return nil
	})
	if sequence != 1 || err != nil {
		t.Errorf("got %d, %v, want the first commit", sequence, err)
	}
	if _, err := ix.Update(t.Context(), func(_ uproar.Snapshot, b *uproar.Batch) error {
		b.Set("lieks", "ann", "tea")
		return nil
	}); !errors.Is(err, uproar.ErrUnknownField) {
		t.Errorf("got %v, want %v", err, uproar.ErrUnknownField)
	}
}

// TestPanickingUpdate: a panic of an update is its caller's, also when the committer has called it,
// and other writers go on.
func TestPanickingUpdate(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	func() {
		defer func() {
			if got := recover(); got != "again" {
				t.Errorf("got the panic %v, want that of the second call", got)
			}
		}()
		_, err := ix.Update(t.Context(), func(_ uproar.Snapshot, b *uproar.Batch) error {
			if calls++; calls > 1 {
				panic("again")
			}
			var other uproar.Batch
			other.AddRecord("other") // so that the committer calls again
			if _, err := ix.Write(t.Context(), &other); err != nil {
				return err
			}
			b.Set("city", "ann", "Bern")
			return nil
		})
		t.Errorf("got %v, want a panic", err)
	}()
	var b uproar.Batch
	b.Set("city", "bob", "Ulm")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Errorf("a write behind it: got %v", err)
	}
}
