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
// index that has others.
func TestNewKeysAreLookedUpOnce(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	const records = 100
	write := func(from int) (pages uint64) {
		t.Helper()
		before, err := db.Stats()
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, ix, func(b *uproar.Batch) {
			for n := range records {
				b.AddRecord(fmt.Sprint("account ", from+n))
			}
		})
		after, err := db.Stats()
		if err != nil {
			t.Fatal(err)
		}
		return after.CacheHits + after.CacheMisses - before.CacheHits - before.CacheMisses
	}
	write(0)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if pages := write(records); pages > records+records/10 {
		t.Errorf("got %d page reads for %d new records, want one for each", pages, records)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if n, err := snap.Count(t.Context(), query.All{}); err != nil || n != 2*records {
		t.Errorf("got %d records, %v, want %d", n, err, 2*records)
	}
}
