// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"errors"
	"fmt"
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

// TestDamagedPageNamed flips a bit of a page at a time, in the files of each engine: the database
// opens, and whoever comes by the page is told the field and the rows.
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
			for i := range 15_000 {
				record := fmt.Sprintf("record%05d", i*7919%15_000)
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
			pages := bytesOfPages(t, func() (store.Store, error) { return open(dir) })
			read, opened := 0, 0
			for i := 0; i < len(pages); i += max(1, len(pages)/9) {
				damaged := filepath.Join(t.TempDir(), "db")
				if err := os.CopyFS(damaged, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				flipEverywhere(t, damaged, pages[i])
				db, err := openDB(damaged)
				if errors.Is(err, uproar.ErrCorrupt) {
					continue // the engine's block has part of the log as well
				}
				if err != nil {
					t.Fatal(err)
				}
				opened++
				if err := readAll(t, db); err != nil {
					if read++; !errors.Is(err, uproar.ErrCorrupt) || !pageNamed.MatchString(err.Error()) {
						t.Errorf("read: got %v, want %v with the field and the rows", err, uproar.ErrCorrupt)
					}
				}
				if engine == "pebble" { // which looks for the flipped bit, for a second each time it is read
					_ = db.Close()
					continue
				}
				err = db.Verify(ctx, nil)
				if !errors.Is(err, uproar.ErrCorrupt) || !pageNamed.MatchString(err.Error()) {
					t.Errorf("Verify: got %v, want %v with the field and the rows", err, uproar.ErrCorrupt)
				}
				_ = db.Close()
			}
			if read < 2 || opened < 5 {
				t.Errorf("%d reads came by one of %d damaged pages, and %d opened, want 2 and 5", read, len(pages),
					opened)
			}
		})
	}
}

// bytesOfPages returns the bytes of the pages of a database (docs/format/keys.md), but for
// small ones.
func bytesOfPages(t *testing.T, open func() (store.Store, error)) (pages [][]byte) {
	t.Helper()
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	err = s.Scan([]byte{4}, nil, func(_, value []byte) error {
		if len(value) > 200 {
			pages = append(pages, bytes.Clone(value))
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return pages
}

// flipEverywhere flips a bit of a page, wherever it stands in the files of a folder.
func flipEverywhere(t *testing.T, dir string, page []byte) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for at, next := 0, 0; next >= 0; at += next + 1 {
			if next = bytes.Index(content[at:], page[8:72]); next >= 0 {
				content[at+next+40] ^= 2
				found = true
			}
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !found {
		t.Fatal("the page is in no file")
	}
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
