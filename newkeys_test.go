// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestNewKeysAreLookedUpOnce: a write of new records looks each key up in one page, also in an
// index that has others. A key that many writes of a batch name is looked up with the first.
func TestNewKeysAreLookedUpOnce(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	const records = 200 // which are more than a batch looks up together
	write := func(fill func(b *uproar.Batch, n int)) (pages uint64) {
		t.Helper()
		before, err := db.Stats()
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, ix, func(b *uproar.Batch) {
			for n := range records {
				fill(b, n)
			}
		})
		after, err := db.Stats()
		if err != nil {
			t.Fatal(err)
		}
		return after.CacheHits + after.CacheMisses - before.CacheHits - before.CacheMisses
	}
	old := func(n int) string { return fmt.Sprint("account ", n) }
	fresh := func(b *uproar.Batch, n int) { b.AddRecord(old(records + n)) }
	write(func(b *uproar.Batch, n int) { b.AddRecord(old(n)) })
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if pages := write(fresh); pages > records+records/10 {
		t.Errorf("got %d page reads for %d new records, want one for each", pages, records)
	}
	known := write(func(b *uproar.Batch, n int) { b.AddRecord(old(n)) })
	for name, fill := range map[string]func(b *uproar.Batch, n int){
		"one new record follows old ones": func(b *uproar.Batch, n int) { b.Set("follows", "new", old(n)) },
		"old records follow a new one":    func(b *uproar.Batch, n int) { b.Set("follows", old(n), "newer") },
		"one new record is named often":   func(b *uproar.Batch, _ int) { b.AddRecord("newest") },
		"one old record is named often":   func(b *uproar.Batch, _ int) { b.AddRecord(old(7)) },
		"one record is deleted and made":  func(b *uproar.Batch, _ int) { b.DeleteRecord(old(8)); b.AddRecord(old(8)) },
	} {
		if pages := write(fill); pages > known+4 {
			t.Errorf("%s: got %d page reads, want at most the %d of the old ones, and some", name, pages, known)
		}
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if n, err := snap.Count(t.Context(), query.All{}); err != nil || n != 2*records+3 {
		t.Errorf("got %d records, %v, want %d", n, err, 2*records+3)
	}
}
