// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestDeletionsInPortions deletes far more than a flush may gather: it holds no more than that, and
// the pages are as if it had held all.
func TestDeletionsInPortions(t *testing.T) {
	const records, rows, most = 3000, 5, 500
	config := testConfig(t, 8<<20)
	config.tombstoneEdits = most
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	var b Batch
	for i := range uint64(records) {
		r := b.Key(model.RecordSpace, fmt.Sprint("r", i))
		b.Set(model.Exists, model.ID(0), r)
		for j := range uint64(rows) {
			b.Set(country, b.Key(model.KeySpace(country), fmt.Sprint("c", j)), r)
			b.Set(follows, r, b.Key(model.RecordSpace, fmt.Sprint("r", (i+j*j)%records)))
		}
		b.Assign(city, r, b.Key(model.KeySpace(city), fmt.Sprint("c", i%rows)))
		b.AssignInt(age, r, int64(i%100))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	var gone Batch
	for i := range uint64(records) {
		if i%10 != 0 {
			gone.Delete(gone.Key(model.RecordSpace, fmt.Sprint("r", i)))
		}
	}
	gone.Empty(city, gone.Key(model.KeySpace(city), fmt.Sprint("c", 0)))
	kept := gone.Key(model.RecordSpace, fmt.Sprint("r", 0))
	gone.Assign(city, kept, gone.Key(model.KeySpace(city), fmt.Sprint("c", 0))) // over the deletions
	if _, err := ix.Commit(t.Context(), &gone); err != nil {
		t.Fatal(err)
	}
	st, _, err := ix.flusher.freeze()
	if err != nil {
		t.Fatal(err)
	}
	portions := 0
	_, _, err = ix.manifests.merger(t.Context(), st.Version.Manifest).ApplyTombstones(ix.source, st.Frozen, most,
		func(edits []model.Edit, assigned []model.ValueEdit) error {
			if n := len(edits) + len(assigned); n > most+64 { // of an integer with all its bits
				t.Errorf("got %d edits in a portion, want at most %d", n, most)
			}
			if !slices.IsSortedFunc(edits, model.CompareEdits) || !slices.IsSortedFunc(assigned,
				model.CompareValueEdits) {
				t.Error("got a portion that does not ascend")
			}
			portions++
			return nil
		})
	if err != nil || portions < records*rows/most {
		t.Errorf("got %d portions, %v, want many", portions, err)
	}
	if err := errors.Join(ix.Flush(t.Context()), ix.Verify(t.Context(), nil)); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	var l overlay.List
	for _, c := range []struct {
		field uint32
		row   uint64
		want  uint64
	}{{model.Exists, 0, records / 10}, {country, 3, records / 10}, {city, 0, 1}, {age, model.IntegerAny, records / 10},
		{follows, 0, 1}} {
		if err := snap.List(c.field, c.row, &l); err != nil || l.Len() != c.want {
			t.Errorf("field %d, row %d: got %d records, %v, want %d", c.field, c.row, l.Len(), err, c.want)
		}
	}
	awaitSwept(t, ix, ix.source.Store)
}

// TestManyEmptied empties as many rows as it assigns values, in one batch: its cost is their sum
// and not their product, while all other writers wait.
func TestManyEmptied(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds")
	}
	const n = 400_000
	memory, err := memory.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	config := testConfig(t, 1<<30)
	config.Memory, config.NoSync = memory, true
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	var first, second Batch
	for i := range uint64(n) {
		first.Assign(city, model.ID(i), model.ID(i))
		second.Empty(city, model.ID(n+i))
		second.Assign(city, model.ID(i), model.ID(i+1))
	}
	within(t, "the second batch", func() {
		for _, b := range []*Batch{&first, &second} {
			if _, err := ix.Commit(t.Context(), b); err != nil {
				t.Error(err)
			}
		}
	})
	snap := ix.Snapshot()
	defer snap.Close()
	if row, ok, err := snap.Value(city, 5); row != 6 || !ok || err != nil {
		t.Errorf("got row %d, %v, %v, want 6", row, ok, err)
	}
}
