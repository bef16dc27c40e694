// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/badgerstore"
)

// fill writes n entries, half of them large, and returns the function that checks that they are all
// there.
func fill(t *testing.T, s store.Store, n int) (check func(t *testing.T, s store.Store)) {
	t.Helper()
	value := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, i%2*5000+i) }
	b := new(store.Batch)
	for i := range n {
		b.Put(fmt.Appendf(nil, "%04d", i), value(i))
	}
	if err := s.Apply(b, true); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, s store.Store) {
		t.Helper()
		i := 0
		err := s.Scan(nil, nil, func(k, v []byte) error {
			if string(k) != fmt.Sprintf("%04d", i) || !bytes.Equal(v, value(i)) {
				return fmt.Errorf("entry %d: got key %q and %d bytes", i, k, len(v))
			}
			i++
			return nil
		})
		if err != nil || i != n {
			t.Fatalf("%d entries, want %d: %v", i, n, err)
		}
	}
}

// snapshot copies the files of a store in use: what a power cut or a killed process would leave.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(filepath.Join(to, "db"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(to, "db")
}

// TestProbeLeftBehind opens a folder in which a process was killed as it looked whether it may make
// files there.
func TestProbeLeftBehind(t *testing.T) {
	dir := t.TempDir()
	probe := filepath.Join(dir, badgerstore.ProbeName)
	if err := os.WriteFile(probe, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := badgerstore.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	if _, err := os.Stat(probe); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file that was left behind: got %v, want %v", err, fs.ErrNotExist)
	}
}

func closeStore(t *testing.T, s store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	defer closeStore(t, s)
	for _, opts := range []*badgerstore.Options{nil, {ReadOnly: true}} {
		_, err := badgerstore.Open(dir, opts)
		if !errors.Is(err, store.ErrLocked) {
			t.Fatalf("got %v, want %v", err, store.ErrLocked)
		}
		for _, want := range []string{dir, "Try:"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not say %q", err, want)
			}
		}
	}
}

func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	readOnly := &badgerstore.Options{ReadOnly: true}
	if _, err := badgerstore.Open(dir, readOnly); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got %v, want %v", err, fs.ErrNotExist)
	}
	s := open(t, dir)
	check := fill(t, s, 100)
	unclosed := snapshot(t, dir)
	closeStore(t, s)

	first, err := badgerstore.Open(dir, readOnly)
	if err != nil {
		t.Fatal(err)
	}
	second, err := badgerstore.Open(dir, readOnly) // any number may read
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*badgerstore.Store{first, second} {
		check(t, s)
		b := new(store.Batch)
		b.Put([]byte("x"), nil)
		if err := s.Apply(b, true); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("Apply: got %v, want %v", err, store.ErrReadOnly)
		}
		if err := s.Compact(t.Context()); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("Compact: got %v, want %v", err, store.ErrReadOnly)
		}
		if err := s.Sync(); err != nil {
			t.Errorf("Sync: %v", err)
		}
		s.Undisturbed(func() { check(t, s) })
		closeStore(t, s)
	}

	if _, err := badgerstore.Open(unclosed, readOnly); err == nil || !strings.Contains(err.Error(),
		"Try: open it for writing once") {
		t.Errorf("a store that was not closed: got %v, want advice", err)
	}
	closeStore(t, open(t, unclosed))
	s2, err := badgerstore.Open(unclosed, readOnly)
	if err != nil {
		t.Fatalf("having followed the advice: %v", err)
	}
	check(t, s2)
	closeStore(t, s2)
}

func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, opts := range []*badgerstore.Options{nil, {ReadOnly: true}} {
		if s, err := badgerstore.Open(file, opts); err == nil {
			closeStore(t, s)
			t.Error("opened a file as if it were a folder")
		} else if !strings.Contains(err.Error(), file) {
			t.Errorf("%q does not name %s", err, file)
		}
	}
}

// TestEmptyLogFiles opens stores with empty log files, as a killed process can leave them. Badger
// refuses them (its issue 2207).
func TestEmptyLogFiles(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	check := fill(t, s, 100)
	live := snapshot(t, dir)
	closeStore(t, s)
	logs, err := filepath.Glob(filepath.Join(live, "*.vlog"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("log files %v, %v, want one", logs, err)
	}
	for _, name := range []string{
		"000007.vlog", // being created
		"000000.vlog", // being deleted: files with greater numbers exist
		"00009.mem",
		"00000.mem",
	} {
		t.Run(name, func(t *testing.T) {
			for _, from := range []string{live, dir} {
				db := snapshot(t, from)
				path := filepath.Join(db, name)
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				s := open(t, db)
				check(t, s)
				closeStore(t, s)
				s = open(t, db)
				check(t, s)
				closeStore(t, s)
			}
		})
	}
	t.Run("other files stay", func(t *testing.T) {
		db := snapshot(t, live)
		for _, name := range []string{"notes.txt", "x.vlog.bak", "000007.vlog"} {
			if err := os.WriteFile(filepath.Join(db, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		closeStore(t, open(t, db))
		for _, name := range []string{"notes.txt", "x.vlog.bak"} {
			if _, err := os.Stat(filepath.Join(db, name)); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("not while in use", func(t *testing.T) {
		s := open(t, dir)
		defer closeStore(t, s)
		path := filepath.Join(dir, "000099.vlog") // the other process is creating it
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(path)
		if _, err := badgerstore.Open(dir, nil); !errors.Is(err, store.ErrLocked) {
			t.Errorf("got %v, want %v", err, store.ErrLocked)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the file of a store in use was removed: %v", err)
		}
	})
}

// TestDamaged opens stores with damaged files. The tree's files are noticed at opening, values when
// they are read.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	check := fill(t, s, 100)
	closeStore(t, s)
	change := func(t *testing.T, pattern string, f func(b []byte) []byte) string {
		t.Helper()
		db := snapshot(t, dir)
		files, err := filepath.Glob(filepath.Join(db, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		b, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], f(b), 0o600); err != nil {
			t.Fatal(err)
		}
		return db
	}
	for _, c := range []struct {
		name, pattern string
		change        func(b []byte) []byte
	}{
		{"table's index", "*.sst", func(b []byte) []byte { b[len(b)-60] ^= 0x40; return b }},
		{"table's checksum", "*.sst", func(b []byte) []byte { b[len(b)-6] ^= 0x40; return b }},
		{"manifest's magic", "MANIFEST", func(b []byte) []byte { b[0] ^= 0x40; return b }},
		{"manifest's version", "MANIFEST", func(b []byte) []byte { b[7]++; return b }},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := change(t, c.pattern, c.change)
			for range 2 { // opening must not make it worse
				s, err := badgerstore.Open(db, nil)
				if err == nil {
					closeStore(t, s)
					t.Fatal("opened")
				}
				if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), db) {
					t.Errorf("got %v, want %v and the folder", err, store.ErrCorrupt)
				}
			}
		})
	}
	t.Run("missing table", func(t *testing.T) {
		db := snapshot(t, dir)
		files, _ := filepath.Glob(filepath.Join(db, "*.sst"))
		if err := os.Remove(files[0]); err != nil {
			t.Fatal(err)
		}
		if _, err := badgerstore.Open(db, nil); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("got %v, want %v", err, store.ErrCorrupt)
		}
	})
	t.Run("missing values", func(t *testing.T) {
		db := snapshot(t, dir)
		files, _ := filepath.Glob(filepath.Join(db, "*.vlog"))
		for _, f := range files {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
		s := open(t, db)
		defer closeStore(t, s)
		none := func([]byte) error { return errors.New("fn was called") }
		if err := s.Get([]byte("0001"), none); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("Get: got %v, want %v", err, store.ErrCorrupt)
		}
		if err := s.Scan([]byte("0001"), nil, func(_, v []byte) error {
			return none(v)
		}); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("Scan: got %v, want %v", err, store.ErrCorrupt)
		}
		if err := s.Get([]byte("0002"), func([]byte) error { return nil }); err != nil {
			t.Errorf("a small value: %v", err)
		}
	})
	s = open(t, dir)
	check(t, s)
	closeStore(t, s)
}

// Compressed and not, the same store is read.
func TestCompression(t *testing.T) {
	dir := t.TempDir()
	check := func(*testing.T, store.Store) {}
	for i, o := range []badgerstore.Options{{Compression: badgerstore.Zstd, MemTable: 8 << 20},
		{Compression: badgerstore.Snappy, BlockCache: 1 << 20}, {QuietAfter: time.Second},
		{Compression: badgerstore.Zstd}} {
		s, err := badgerstore.Open(dir, &o)
		if err != nil {
			t.Fatal(err)
		}
		check(t, s)
		if check = fill(t, s, 100*(i+1)); i == 2 {
			err = s.Compact(t.Context())
		}
		check(t, s)
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []badgerstore.Options{{Compression: badgerstore.Zstd + 1}, {BlockCache: -1}, {QuietAfter: -1},
		{MemTable: 1}} {
		if s, err := badgerstore.Open(dir, &o); !errors.Is(err, fs.ErrInvalid) || s != nil {
			t.Errorf("%+v: got %v, want fs.ErrInvalid", o, err)
		}
	}
}
