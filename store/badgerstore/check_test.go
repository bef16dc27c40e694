// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"github.com/uproar-db/uproar/store"
)

// TestDamagedTables cuts and flips every table, and takes the manifest away: opening must give
// ErrCorrupt and the file's name, or every value.
func TestDamagedTables(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{}
	for i := range 200 {
		key, b := fmt.Sprintf("key%04d", i), new(store.Batch)
		want[key] = bytes.Repeat([]byte{byte(i)}, 100)
		b.Put([]byte(key), want[key])
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("got %d tables, %v, want one at least", len(tables), err)
	}
	for _, file := range tables {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := len(whole)
		damage := map[string][]byte{}
		for _, size := range []int{0, 1, 3, 4, 7, 8, n / 2, n - 9, n - 4, n - 1} {
			damage[fmt.Sprint("cut to ", size)] = whole[:size]
		}
		for _, at := range []int{0, 1, n / 4, n / 2, n - 40, n - 20, n - 12, n - 8, n - 7, n - 6, n - 5, n - 4, n - 3,
			n - 2, n - 1} {
			for _, bit := range []byte{0x01, 0x80} {
				b := bytes.Clone(whole)
				b[at] ^= bit
				damage[fmt.Sprintf("byte %d of %d by %#x", at, n, bit)] = b
			}
		}
		for what, data := range damage {
			copied := filepath.Join(t.TempDir(), "db")
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(copied, filepath.Base(file)), data, 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := Open(copied, nil)
			if err != nil {
				if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), filepath.Base(file)) {
					t.Errorf("%s: got %v, want %v naming the table", what, err, store.ErrCorrupt)
				}
				continue
			}
			for key, value := range want {
				if err := s.Get([]byte(key), func(got []byte) error {
					if !bytes.Equal(got, value) {
						t.Errorf("%s: %s has a wrong value", what, key)
					}
					return nil
				}); err != nil && !errors.Is(err, store.ErrCorrupt) {
					t.Errorf("%s: %s: %v", what, key, err)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := os.Remove(filepath.Join(dir, "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("tables without a manifest: got %v, want %v", err, store.ErrCorrupt)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.sst")); len(left) != len(tables) {
		t.Errorf("%d tables are left, want %d", len(left), len(tables))
	}
}

// TestDamagedManifest cuts the manifest of a store of several tables at every length, and flips its
// bytes: opening must give ErrCorrupt, or every value.
func TestDamagedManifest(t *testing.T) {
	for _, merged := range []bool{false, true} { // Badger may do so meanwhile, where a processor is slow
		t.Run(fmt.Sprintf("merged %v", merged), func(t *testing.T) { testDamagedManifest(t, merged) })
	}
}

func testDamagedManifest(t *testing.T, merged bool) {
	dir := t.TempDir()
	want := map[string]string{}
	for version := range 3 {
		s, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		key, b := fmt.Sprint("key", version), new(store.Batch)
		want[key] = strings.Repeat(key, 30)
		b.Put([]byte(key), []byte(want[key]))
		err = s.Apply(b, true)
		if merged && version == 2 {
			err = errors.Join(err, s.Compact(t.Context()))
		}
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(filepath.Join(dir, "MANIFEST"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "000001.sst")); merged && err == nil {
		t.Fatal("the first table is there, want one that the manifest names and that is gone")
	}
	damage := map[string][]byte{"nothing": whole}
	for at := range whole {
		damage[fmt.Sprint("cut to ", at)] = whole[:at]
		b := bytes.Clone(whole)
		b[at] ^= 1 << (at % 8)
		damage[fmt.Sprintf("byte %d of %d by %#x", at, len(whole), 1<<(at%8))] = b
		b = bytes.Clone(whole)
		clear(b[at:])
		damage[fmt.Sprint("zeros from ", at)] = b
	}
	refused := 0
	for what, data := range damage {
		copied := filepath.Join(t.TempDir(), "db")
		err := errors.Join(os.CopyFS(copied, os.DirFS(dir)), os.WriteFile(filepath.Join(copied, "MANIFEST"), data,
			0o600))
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(copied, nil)
		if errors.Is(err, store.ErrCorrupt) && strings.Contains(err.Error(), "MANIFEST") {
			refused++
			continue
		}
		if err != nil {
			t.Errorf("%s: got %v, want %v and the file's name", what, err, store.ErrCorrupt)
			continue
		}
		for key, value := range want {
			if err := s.Get([]byte(key), func(got []byte) error {
				if string(got) != value {
					t.Errorf("%s: %s has a wrong value", what, key)
				}
				return nil
			}); err != nil {
				t.Errorf("%s: opened, and %s: %v", what, key, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: close: %v", what, err)
		}
	}
	if refused == 0 {
		t.Error("no damage was found")
	}
}

// TestDamagedKeyRegistry flips and cuts a file that has nothing of ours: opening gives every value,
// or ErrCorrupt and the file's name.
func TestDamagedKeyRegistry(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "KEYREGISTRY")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := range whole {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 4
		for _, data := range [][]byte{flipped, whole[:at]} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(dir, nil)
			if err == nil {
				err = s.Close()
			} else if refused++; errors.Is(err, store.ErrCorrupt) && strings.Contains(err.Error(), "KEYREGISTRY") {
				continue
			}
			if err != nil {
				t.Errorf("byte %d of %d, %d left: got %v, want %v and the file's name", at, len(whole), len(data), err,
					store.ErrCorrupt)
			}
		}
	}
	if refused == 0 {
		t.Error("no damage was found")
	}
}

// TestFolderLikePattern opens stores in folders whose names would be patterns of file names: one
// that is none, and one that does not match itself. What a killed process has left there is found
// as elsewhere.
func TestFolderLikePattern(t *testing.T) {
	for _, name := range []string{"db[1", "db[1]", `a\`, "*?"} {
		dir := filepath.Join(t.TempDir(), name)
		s, err := Open(dir, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b := new(store.Batch)
		b.Put([]byte("key"), []byte("value"))
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
		logs, err := filesOf(dir, ".mem")
		if err != nil || len(logs) == 0 {
			t.Errorf("%s: got logs %q, %v, want one", name, logs, err)
		}
		if got := unlikely(dir, memTableSize/2); got == 0 {
			t.Errorf("%s: a log of another size was not found", name)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(dir, nil); err != nil {
			t.Errorf("%s, again: %v", name, err)
			continue
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, badger.ManifestFilename), 16); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, nil); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s, with half of a manifest: got %v, want %v", name, err, store.ErrCorrupt)
		}
	}
}

// TestForeignNames has files beside those of the value log that are called nearly as they are.
func TestForeignNames(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	putLarge(t, s, 0, 3)
	mustClose(t, s)
	data, err := os.ReadFile(valueLogPath(dir, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"abc.vlog", "2.vlog", "0000002.vlog", "000000.vlog", "+00002.vlog", "4294967294.vlog",
		"42949672960.vlog"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{false, true} {
			if _, err := Open(dir, &Options{ReadOnly: readOnly}); !errors.Is(err, store.ErrCorrupt) ||
				!strings.Contains(err.Error(), name) {
				t.Errorf("%s, read-only %v: got %v, want %v naming the file", name, readOnly, err, store.ErrCorrupt)
			}
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if s, err = Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	if lost := unreadable(t, s, 0, 3); lost != nil {
		t.Errorf("values %v cannot be read", lost)
	}
	mustClose(t, s)
}
