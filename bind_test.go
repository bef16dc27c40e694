// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/posting/format"
)

// TestBatchesShareNothing writes batches and has every other one refused at its end. What a refused
// batch named, deleted and emptied must not affect the next one, which is bound in the same memory.
func TestBatchesShareNothing(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	put(t, ix, func(b *uproar.Batch) {
		b.Set("tag", "old", "kept")
		b.SetInt("age", "old", 40)
	})
	long := strings.Repeat("k", format.MaxKey+1)
	for i := range 50 {
		var refused uproar.Batch
		refused.DeleteRecord("old")
		refused.DeleteRow("tag", "kept")
		refused.SetInt("age", "old again", 41)
		refused.Set("tag", fmt.Sprint("new", i), "lost")
		refused.AddRecord(long)
		if _, err := ix.Write(t.Context(), &refused); !errors.Is(err, uproar.ErrInvalid) {
			t.Fatalf("got %v, want %v", err, uproar.ErrInvalid)
		}
		put(t, ix, func(b *uproar.Batch) {
			b.Set("tag", "old", "more")
			b.Set("follows", fmt.Sprint("other", i), fmt.Sprint("new", i))
		})
		for _, c := range []struct{ query, want string }{
			{"tag = kept", "[old]"}, {"tag = more", "[old]"}, {"age = 40", "[old]"}, {"age = 41", "[]"},
			{"tag = lost", "[]"},
			{fmt.Sprintf("follows(other%d)", i), fmt.Sprintf("[new%d]", i)},
		} {
			if got := answer(t, ix, c.query); got != c.want {
				t.Fatalf("after %d batches: %s: got %q, want %q", i, c.query, got, c.want)
			}
		}
	}
}

// TestWriteAllocations writes batches of records that are known: what binding them takes is there
// from the batches before.
func TestWriteAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, and empties pools at random")
	}
	db, ix := people(t)
	defer db.Close()
	var b uproar.Batch
	for i := range 100 {
		b.Set("follows", fmt.Sprint("a", i), fmt.Sprint("b", i))
	}
	write := func() {
		if _, err := ix.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	write()
	if got := allocations(write); got > 80 {
		t.Errorf("got %v allocations for a batch of %d writes, want 80 at most", got, b.Len())
	}
}
