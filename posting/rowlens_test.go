// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"testing"

	"github.com/uproar-db/uproar/store/memstore"
)

// TestRowLensOfEmptied: rows whose records were all taken away are left out, before a flush as after it.
func TestRowLensOfEmptied(t *testing.T) {
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
		var got []uint64
		err := snap.RowLens(t.Context(), country, func(row uint64) bool { return row != 4 }, func(row, n uint64) error {
			got = append(got, row, n)
			return nil
		})
		if err != nil || len(got) != 2 || got[0] != 3 || got[1] != 2 {
			t.Errorf("%s: got rows and lengths %v, %v, want row 3 with 2", when, got, err)
		}
	}
	commit(func(b *Batch) {
		for i := range uint64(3) {
			b.Set(Exists, ID(0), b.Key(RecordSpace, string('a'+rune(i))))
		}
		b.Set(country, ID(1), ID(0)) // cleared
		b.Set(country, ID(2), ID(1)) // its record is deleted
		b.Set(country, ID(3), ID(0))
		b.Set(country, ID(3), ID(2))
		b.Set(country, ID(4), ID(2)) // not wanted
		b.Set(country, ID(5), ID(2)) // emptied
	})
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	commit(func(b *Batch) {
		b.Clear(country, ID(1), ID(0))
		b.Empty(country, ID(5))
	})
	commit(func(b *Batch) { b.Delete(ID(1)) })
	check("in a delta")
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("in pages")
}
