// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestRowSizesOfEmptied: rows whose records were all taken away have a size of 0, before a flush as
// after it.
func TestRowSizesOfEmptied(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 16<<20))
	defer ix.Close()
	commit := func(change func(b *Batch)) {
		t.Helper()
		var b Batch
		change(&b)
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when string) {
		t.Helper()
		snap := ix.Snapshot()
		defer snap.Close()
		sizes, err := snap.RowSizes(t.Context(), country)
		if err != nil {
			t.Fatal(err)
		}
		defer sizes.Close()
		for row, want := range []uint64{0, 0, 0, 2, 1, 0, 0} {
			if got := sizes.Len(uint64(row)); got != want {
				t.Errorf("%s: row %d: got %d records, want %d", when, row, got, want)
			}
		}
	}
	commit(func(b *Batch) {
		for i := range uint64(3) {
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, string('a'+rune(i))))
		}
		b.Set(country, model.ID(1), model.ID(0)) // cleared
		b.Set(country, model.ID(2), model.ID(1)) // its record is deleted
		b.Set(country, model.ID(3), model.ID(0))
		b.Set(country, model.ID(3), model.ID(2))
		b.Set(country, model.ID(4), model.ID(2))
		b.Set(country, model.ID(5), model.ID(2)) // emptied
	})
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	commit(func(b *Batch) {
		b.Clear(country, model.ID(1), model.ID(0))
		b.Empty(country, model.ID(5))
	})
	commit(func(b *Batch) { b.Delete(model.ID(1)) })
	check("in a delta")
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("in pages")
}
