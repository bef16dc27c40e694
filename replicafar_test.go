// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// heldOpen is a store that outlives Close.
type heldOpen struct{ store.Store }

func (heldOpen) Close() error { return nil }

// writerOver opens the writer of a log over a local store.
func writerOver(t *testing.T, local store.Store, e ship.Engine) *uproar.DB {
	t.Helper()
	s, err := ship.Open(t.Context(), local, e, ship.Options{Role: ship.Writer, Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, &uproar.Options{MemoryBytes: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// TestCopyWithoutItsLog refuses to write to the folder of a copy past its log: the others would
// never get that.
func TestCopyWithoutItsLog(t *testing.T) {
	local := heldOpen{memstore.New()}
	if err := writerOver(t, local, new(shiptest.Memory)).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := uproar.Open(t.Context(), local, nil); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid", err)
	}
	db, err := uproar.Open(t.Context(), local, &uproar.Options{ReadOnly: true})
	if err != nil {
		t.Fatalf("for reading only: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// TestEpochOfPages: the pages of each writer have its epoch in their generation, those of indexes
// that it found and those of indexes that it made.
func TestEpochOfPages(t *testing.T) {
	local, e := heldOpen{memstore.New()}, new(shiptest.Memory)
	for epoch := uint64(1); epoch <= 3; epoch++ {
		db := writerOver(t, local, e)
		field := uproar.Field{Name: "likes", Type: uproar.Set}
		if _, err := db.CreateIndex(t.Context(), fmt.Sprint("i", epoch), field); err != nil {
			t.Fatal(err)
		}
		old := make(map[string]bool)
		pages := func(fn func(key []byte)) {
			err := local.Keys([]byte{4}, nil, func(key []byte) error { fn(key); return nil })
			if err != nil {
				t.Fatal(err)
			}
		}
		pages(func(key []byte) { old[string(key)] = true })
		for _, name := range db.Indexes() {
			ix, err := db.Index(name)
			if err != nil {
				t.Fatal(err)
			}
			var b uproar.Batch
			b.Set("likes", fmt.Sprint("someone", epoch), "something")
			if _, err := ix.Write(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		fresh := 0
		pages(func(key []byte) {
			if old[string(key)] {
				return
			}
			fresh++
			if got := binary.BigEndian.Uint64(key[len(key)-8:]) >> 40; got != epoch {
				t.Errorf("a page of writer %d has epoch %d in its generation", epoch, got)
			}
		})
		if fresh < int(epoch) {
			t.Errorf("got %d new pages for %d indexes", fresh, epoch)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStorageIsAway: while the storage does not answer, a write ends at its deadline, and Close
// comes to its end.
func TestStorageIsAway(t *testing.T) {
	line := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{})
	db := writerOver(t, memstore.New(), line)
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	line.Stall()
	for i := range 3 { // one is sent, and others wait behind it
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		var b uproar.Batch
		b.Set("likes", "someone", fmt.Sprint(i))
		start := time.Now()
		_, err := ix.Write(ctx, &b)
		if !errors.Is(err, context.DeadlineExceeded) || i == 0 && !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("write %d: got %v, want that its time is over, and of the first that its end is unknown", i, err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("write %d: took %v", i, took)
		}
	}
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Logf("Close: %v", err) // what waited is not there
		}
	case <-time.After(20 * time.Second):
		t.Error("Close waits for storage that does not answer")
	}
	line.Resume()
}
