// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// TestCopyMended flips a bit of each of two tables: the report says which were put right, and
// nothing is lost.
func TestCopyMended(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // each makes a table
		s, err := pebblestore.Open(dir, nil)
		must(t, err)
		db, err := uproar.Open(t.Context(), s, nil)
		must(t, err)
		index, err := db.Index("people")
		if err != nil {
			index, err = db.CreateIndex(t.Context(), "people", uproar.Field{Name: "tag", Type: uproar.Set})
			must(t, err)
		}
		var b uproar.Batch
		for i := range 500 {
			b.Set("tag", fmt.Sprint("p", i), fmt.Sprint("t", i%7))
		}
		_, err = index.Write(t.Context(), &b)
		must(t, err)
		must(t, db.Close())
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	must(t, err)
	if len(tables) < 2 {
		t.Fatalf("got tables %q, want two", tables)
	}
	var want []store.Bit
	for i, table := range tables[:2] {
		content, err := os.ReadFile(table)
		must(t, err)
		at := 5 + 3*i
		content[at] ^= 1 << (2 * i)
		must(t, os.WriteFile(table, content, 0o600))
		want = append(want, store.Bit{File: filepath.Base(table), Offset: int64(at), Bit: 2 * i})
	}
	s, err := pebblestore.Open(dir, &pebblestore.Options{Salvage: true})
	must(t, err)
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	defer db.Close()
	report, err := Copy(t.Context(), s, db, Options{Found: s.Lost()})
	must(t, err)
	must(t, s.Close())
	if !slices.Equal(report.Mended, want) || report.MoreMended || report.Lost() || report.Indexes[0].Records != 500 {
		t.Errorf("got %+v with %d records, want %v and nothing lost", report, report.Indexes[0].Records, want)
	}
	var text strings.Builder
	must(t, report.Text(&text))
	line := fmt.Sprintf("%s, byte 5: bit 0 had flipped, and was put right\n", want[0].File)
	if !strings.Contains(text.String(), line) {
		t.Errorf("got %q, want %q in it", text.String(), line)
	}
}
