// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// TestManifestDamaged flips bits of the manifest of a store with many tables, whose logs are gone,
// and cuts it everywhere: the store is refused before a file changes, for reading too. A salvage
// finds all.
func TestManifestDamaged(t *testing.T) {
	killed, closed := t.TempDir(), t.TempDir()
	s, err := Open(closed, &Options{Memory: 16 << 20}) // memtables of 1 MiB
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.NewChaCha8([32]byte{1})
	const entries, size = 800, 10_000
	for i := range entries {
		value := make([]byte, size)
		_, _ = rng.Read(value)
		b := new(store.Batch)
		b.Put(fmt.Appendf(nil, "key%05d", i), value)
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
	}
	err = os.CopyFS(killed, os.DirFS(closed))
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if tables := filesOf(t, killed, "*.sst"); len(tables) < 4 {
		t.Fatalf("got tables %q, want more", tables)
	}
	count := func(s *Store) (n int, err error) {
		err = s.Keys(nil, nil, func([]byte) error { n++; return nil })
		return n, err
	}
	changes := map[string]func(content []byte, at int) []byte{
		"cut": func(content []byte, at int) []byte { return content[:at] },
		"bit": func(content []byte, at int) []byte {
			content = slices.Clone(content)
			content[at] ^= 1 << (at % 8)
			return content
		},
	}
	stride := 97
	if testing.Short() {
		stride = 400
	}
	for name, whole := range map[string]string{"killed": killed, "closed": closed} {
		for change, damaged := range changes {
			for at := 3; ; at += stride {
				dir, length := "", 0
				dir, _ = damage(t, whole, "MANIFEST-*", func(name string, content []byte) error {
					if length = len(content); at >= length {
						return nil
					}
					return os.WriteFile(name, damaged(content, at), 0o600)
				})
				if at >= length {
					break
				}
				what := fmt.Sprintf("%s, %s at byte %d of %d", name, change, at, length)
				before := listOf(t, dir)
				for _, readOnly := range []bool{true, false} {
					if s, err := Open(dir, &Options{ReadOnly: readOnly}); err == nil {
						_ = s.Close()
						t.Fatalf("%s: opens", what)
					} else if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "Try:") {
						t.Errorf("%s: got %v, want %v and advice", what, err, store.ErrCorrupt)
					}
				}
				if after := listOf(t, dir); !slices.Equal(before, after) {
					t.Fatalf("%s: got files %q, want %q", what, after, before)
				}
				s, err := Open(dir, &Options{Salvage: true})
				if err != nil {
					t.Fatalf("%s: salvage: %v", what, err)
				}
				if n, err := count(s); n != entries || err != nil {
					t.Errorf("%s: salvage: got %d entries, %v, want %d", what, n, err, entries)
				}
				if change == "bit" { // which a salvage puts right
					if s.Lost() != nil {
						t.Errorf("%s: got %v, want nothing lost", what, s.Lost())
					}
				} else if s.Lost() == nil || !strings.Contains(s.Lost().Error(), "MANIFEST") {
					t.Errorf("%s: got %v, want the manifest told as lost", what, s.Lost())
				}
				_ = s.Close()
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// listOf returns the names of all files of a folder, and their sizes.
func listOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	for _, path := range filesOf(t, dir, "*") {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprint(filepath.Base(path), info.Size()))
	}
	return list
}
