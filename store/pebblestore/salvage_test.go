// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
	"github.com/uproar-db/uproar/store/storetest"
)

// countDamaged reads what a store of fill has, and fails for a wrong entry.
func countDamaged(t *testing.T, what string, s *Store) (right int) {
	t.Helper()
	for i := range damagedKeys {
		key, want := damagedEntry(i)
		err := s.Get(key, func(got []byte) error {
			if !bytes.Equal(got, want) {
				t.Errorf("%s: entry %d: a wrong answer", what, i)
			}
			right++
			return nil
		})
		if err != nil && !errors.Is(err, store.ErrCorrupt) && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: entry %d: got %v", what, i, err)
		}
	}
	return right
}

// TestSalvageFlips flips a bit anywhere in the tables, the manifest and the logs of stores that
// were closed or killed: a salvage puts it right, and changes no file.
func TestSalvageFlips(t *testing.T) {
	stores := []string{filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "db")}
	fill(t, stores[0], false)
	fill(t, stores[1], true)
	flips := storetest.Times(t, "UPROAR_FLIPS", 16, 100, 1000)
	for i := range flips {
		what, whole := "", stores[i/4%2]
		var flipped store.Bit
		pattern := []string{"*.sst", "MANIFEST-*", "*.log", "*.sst"}[i%4]
		if whole == stores[1] {
			pattern = strings.ReplaceAll(pattern, "*.sst", "*.log")
		}
		dir, name := damage(t, whole, pattern, func(name string, content []byte) error {
			at, bit := rand.IntN(len(content)), rand.IntN(8)
			if i%4 == 3 { // where index, properties and footer of a table lie
				at = max(0, len(content)-1-rand.IntN(1+rand.IntN(3000)))
			}
			what = fmt.Sprintf("%s, bit %d of byte %d of %d", filepath.Base(name), bit, at, len(content))
			flipped = store.Bit{File: filepath.Base(name), Offset: int64(at), Bit: bit}
			content[at] ^= 1 << bit
			return os.WriteFile(name, content, 0o600)
		})
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir, &Options{Salvage: true})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if n := countDamaged(t, what, s); n != damagedKeys || s.Lost() != nil {
			t.Errorf("%s: got %d entries, want %d; lost: %v", what, n, damagedKeys, s.Lost())
		}
		if bits, more := s.Mended(); len(bits) != 1 || bits[0] != flipped || more {
			// Nobody reads the logs of a store that was closed.
			if len(bits) > 0 || more || whole == stores[1] || pattern != "*.log" {
				t.Errorf("%s: got mended %v, %v, want that bit", what, bits, more)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if after, err := os.ReadFile(name); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the file has changed: %v", what, err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFooterFlips flips bits of the footer of a table, which has no checksum: nothing is wrong
// without an error, and a salvage finds all.
func TestFooterFlips(t *testing.T) {
	whole := t.TempDir()
	fill(t, whole, false)
	const all = 8 * disk.FooterBytes
	each := all / storetest.Times(t, "UPROAR_FLIPS", 12, 24, all) // the default: one of so many
	for i := range all {
		if i%max(each, 1) > 0 && i/8 != 11 { // which is of the version
			continue
		}
		var flipped store.Bit
		dir, _ := damage(t, whole, "*.sst", func(name string, content []byte) error {
			at := len(content) - 1 - i/8
			flipped = store.Bit{File: filepath.Base(name), Offset: int64(at), Bit: i % 8}
			content[at] ^= 1 << (i % 8)
			return os.WriteFile(name, content, 0o600)
		})
		what := fmt.Sprintf("bit %d of byte %d before the end", i%8, i/8)
		s, err := Open(dir, &Options{Salvage: true})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if n := countDamaged(t, what, s); n != damagedKeys {
			t.Errorf("%s: got %d entries, want %d", what, n, damagedKeys)
		}
		if bits, more := s.Mended(); len(bits) != 1 || bits[0] != flipped || more {
			t.Errorf("%s: got mended %v, %v, want that bit", what, bits, more)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if right, err := check(t, dir, what); err == nil && right != damagedKeys ||
			err != nil && !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: got %d entries, %v", what, right, err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTableShort cuts a byte off a table: a salvage tells it as damage, puts nothing right, and
// does not search what the table has for the bit that has flipped.
func TestTableShort(t *testing.T) {
	whole := t.TempDir()
	fill(t, whole, false)
	dir, _ := damage(t, whole, "*.sst", func(name string, content []byte) error {
		return os.WriteFile(name, content[:len(content)-1], 0o600)
	})
	s, err := Open(dir, &Options{Salvage: true})
	if err != nil {
		t.Fatal(err)
	}
	if n := countDamaged(t, "a byte short", s); n == damagedKeys {
		t.Error("all entries are there, want those of the table lost")
	}
	if bits, _ := s.Mended(); len(bits) > 0 {
		t.Errorf("got mended %v, want nothing", bits)
	}
	first, _ := damagedEntry(0)
	if err := s.Get(first, func([]byte) error { return nil }); !errors.Is(err, store.ErrCorrupt) ||
		!strings.Contains(err.Error(), "does not end") {
		t.Errorf("got %v, want %v and that the table does not end", err, store.ErrCorrupt)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestFilesMissing removes each file of stores that were closed or killed, and several together:
// the store opens with all that it had, or is refused with a way out, before a file changes. A
// salvage then finds all but what the file had, and tells.
func TestFilesMissing(t *testing.T) {
	for _, kill := range []bool{false, true} {
		whole := filepath.Join(t.TempDir(), "db")
		fill(t, whole, kill)
		names := []string{FileName, "marker.*", "marker.manifest.*", "marker.format-version.*", "MANIFEST-*",
			"OPTIONS-*", FileName + " marker.*", "MANIFEST-* marker.*", FileName + " MANIFEST-*",
			FileName + " MANIFEST-* marker.*", "*.log"}
		if !kill {
			names = append(names, "*.sst")
		}
		for _, patterns := range names {
			what := fmt.Sprintf("killed %v, without %s", kill, patterns)
			dir := filepath.Join(t.TempDir(), "db")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			for _, pattern := range strings.Fields(patterns) {
				for _, name := range filesOf(t, dir, pattern) {
					if err := os.Remove(name); err != nil {
						t.Fatal(err)
					}
				}
			}
			list := func() []string {
				return slices.DeleteFunc(listOf(t, dir), func(name string) bool {
					return strings.HasPrefix(name, "OPTIONS-")
				})
			}
			before := list()
			var refused error
			for _, readOnly := range []bool{true, false} {
				s, err := Open(dir, &Options{ReadOnly: readOnly})
				if err != nil {
					refused = err
					if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "Try:") {
						t.Errorf("%s: got %v, want %v and a way out", what, err, store.ErrCorrupt)
					}
					continue
				}
				n := countDamaged(t, what, s)
				verified := s.Verify(t.Context())
				if n != damagedKeys && !errors.Is(verified, store.ErrCorrupt) {
					t.Errorf("%s: opens with %d entries, and nothing is found: %v", what, n, verified)
				}
				_ = s.Close()
				refused = errors.Join(refused, verified)
			}
			if refused == nil {
				continue
			}
			if after := list(); !slices.Equal(before, after) {
				t.Errorf("%s: got files %q, want %q", what, after, before)
			}
			s, err := Open(dir, &Options{Salvage: true})
			if err != nil {
				t.Errorf("%s: salvage: %v", what, err)
				continue
			}
			want := damagedKeys
			if kill && patterns == "*.log" || patterns == "*.sst" {
				want = 0
			}
			if n := countDamaged(t, what, s); n != want {
				t.Errorf("%s: salvage: got %d entries, want %d", what, n, want)
			}
			if s.Lost() == nil && patterns != "*.sst" && !strings.HasPrefix(patterns, "marker") {
				t.Errorf("%s: nothing is told as lost", what)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
