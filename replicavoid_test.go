// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// TestWriteWithoutEffectIsConfirmed: a copy that was overtaken, and does not know, says of no write
// that it has no effect: the newer state may have another value.
func TestWriteWithoutEffectIsConfirmed(t *testing.T) {
	log := new(shiptest.Memory)
	faulty := shiptest.NewFaulty(log, 1, shiptest.Faults{})
	old, _ := copyOf(t, faulty, ship.Writer)
	ix, err := old.CreateIndex(t.Context(), "people", uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	assign := func(age int64) *uproar.Batch {
		var b uproar.Batch
		b.SetInt("age", "ann", age)
		return &b
	}
	writes := map[string]func(ix *uproar.Index) (uint64, error){
		"write": func(ix *uproar.Index) (uint64, error) { return ix.Write(t.Context(), assign(1)) },
		"update": func(ix *uproar.Index) (uint64, error) {
			return ix.Update(t.Context(), func(_ uproar.Snapshot, b *uproar.Batch) error {
				b.Append(assign(1))
				return nil
			})
		},
		"update of nothing": func(ix *uproar.Index) (uint64, error) {
			return ix.Update(t.Context(), func(uproar.Snapshot, *uproar.Batch) error { return nil })
		},
	}
	first, err := ix.Write(t.Context(), assign(1))
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range writes {
		if again, err := write(ix); again != first || err != nil {
			t.Errorf("%s: got commit %d, %v, want %d, which is confirmed", name, again, err, first)
		}
	}
	faulty.Stall()
	newer, s := copyOf(t, log, ship.Auto)
	awaitThat(t, "the newer copy leads", func() bool { return s.Status().Leads })
	there, err := newer.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := there.Write(t.Context(), assign(2)); err != nil {
		t.Fatal(err)
	}
	type said struct {
		name string
		err  error
	}
	all := make(chan said, len(writes))
	for name, write := range writes {
		go func() {
			_, err := write(ix)
			all <- said{name, err}
		}()
	}
	time.Sleep(100 * time.Millisecond)
	if len(all) > 0 {
		t.Errorf("%d writes were answered while the log does not answer", len(all))
	}
	faulty.Resume()
	for range writes {
		if got := <-all; !errors.Is(got.err, store.ErrFenced) {
			t.Errorf("%s to a copy that was overtaken: got %v, want %v", got.name, got.err, store.ErrFenced)
		}
	}
}
