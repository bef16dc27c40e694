// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// pageNamed is what an error about a page says: the name of the field, and the rows.
var pageNamed = regexp.MustCompile(`field "(tags|city|_exists|_saved)": .*page of field \d+, ` +
	`(rows \d+ to \d+|row \d+, piece \d+|hashes from [0-9a-f]{16}), generation \d+`)

// TestDamagedPageNamed flips a bit at a time in the file that has the pages, of each engine: whoever
// comes by the page, and Verify, are told the field and the rows.
func TestDamagedPageNamed(t *testing.T) {
	for engine, open := range map[string]func(dir string) (store.Store, error){
		"bbolt":  func(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) },
		"pebble": func(dir string) (store.Store, error) { return pebblestore.Open(dir, nil) },
	} {
		t.Run(engine, func(t *testing.T) {
			ctx, dir := t.Context(), t.TempDir()
			openDB := func(dir string) (*uproar.DB, error) {
				s, err := open(dir)
				if err != nil {
					return nil, err
				}
				db, err := uproar.Open(ctx, s, nil)
				if err != nil {
					return nil, errors.Join(err, s.Close())
				}
				return db, nil
			}
			db, err := openDB(dir)
			if err != nil {
				t.Fatal(err)
			}
			ix, err := db.CreateIndex(ctx, "things", uproar.Field{Name: "tags", Type: uproar.Set},
				uproar.Field{Name: "city", Type: uproar.Single})
			if err != nil {
				t.Fatal(err)
			}
			b := new(uproar.Batch)
			for i := range 5000 {
				record := fmt.Sprintf("record%05d", i*7919%5000)
				b.Set("tags", record, fmt.Sprintf("tag%d", i%301))
				b.Set("city", record, fmt.Sprintf("city%d", i*i%97))
				if i%1000 == 999 {
					if _, err := ix.Write(ctx, b); err != nil {
						t.Fatal(err)
					}
					b = new(uproar.Batch)
				}
			}
			if err := errors.Join(ix.Flush(ctx), db.Compact(ctx, nil), db.Close()); err != nil {
				t.Fatal(err)
			}
			file := largestFile(t, dir)
			rng := rand.New(rand.NewPCG(1, 21))
			read, verified := 0, 0
			for try := 0; try < 400 && (read < 5 || verified < 5); try++ {
				damaged := filepath.Join(t.TempDir(), "db")
				content, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				content[rng.IntN(len(content))] ^= 1 << rng.IntN(8)
				if err := errors.Join(os.CopyFS(damaged, os.DirFS(dir)),
					os.WriteFile(filepath.Join(damaged, file), content, 0o600)); err != nil {
					t.Fatal(err)
				}
				db, err := openDB(damaged)
				if err != nil {
					continue // what is needed to open it
				}
				if err := readAll(t, db); err != nil {
					if read++; !errors.Is(err, uproar.ErrCorrupt) || !pageNamed.MatchString(err.Error()) {
						t.Errorf("read: got %v, want %v with the field and the rows", err, uproar.ErrCorrupt)
					}
				}
				if err := db.Verify(ctx, nil); err != nil && pageNamed.MatchString(err.Error()) {
					verified++
				} else if err != nil && !errors.Is(err, uproar.ErrCorrupt) {
					t.Errorf("Verify: got %v, want %v", err, uproar.ErrCorrupt)
				}
				_ = db.Close()
			}
			if read < 5 || verified < 5 {
				t.Errorf("%d reads and %d checks came by a damaged page, want 5 of each", read, verified)
			}
		})
	}
}

// largestFile returns the name of the largest file in a folder.
func largestFile(t *testing.T, dir string) (name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(-1)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Size() > size {
			name, size = e.Name(), info.Size()
		}
	}
	return name
}

// readAll reads the records of each row of each field, and their keys.
func readAll(t *testing.T, db *uproar.DB) error {
	t.Helper()
	ix, err := db.Index("things")
	if err != nil {
		return err
	}
	s := ix.Snapshot()
	defer s.Close()
	for _, field := range []string{"tags", "city"} {
		for row, err := range s.Rows(t.Context(), field) {
			if err != nil {
				return err
			}
			if _, err := s.Keys(t.Context(), query.Equal{Field: field, Value: row.Key}, uproar.Page{}); err != nil {
				return err
			}
		}
	}
	return nil
}
