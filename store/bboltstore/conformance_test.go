// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/storetest"
)

func open(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := bboltstore.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, open)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	storetest.RunFiles(t, func(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) })
}

func TestVerify(t *testing.T) {
	t.Parallel()
	storetest.RunVerify(t, func(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) })
}

func TestDurable(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, open)
}

// fill makes a store of some hundred entries and returns the bytes of its file.
func fill(t *testing.T, dir string) []byte {
	t.Helper()
	s := open(t, dir)
	b := new(store.Batch)
	for i := range 1000 {
		b.Put([]byte{'k', byte(i >> 8), byte(i)}, make([]byte, 300))
	}
	err := s.Apply(b, true)
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, bboltstore.FileName))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	defer s.Close()
	for _, opts := range []*bboltstore.Options{nil, {ReadOnly: true}} {
		_, err := bboltstore.Open(dir, opts)
		if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), dir) ||
			!strings.Contains(err.Error(), "Try:") {
			t.Errorf("got %v, want %v, the folder and advice", err, store.ErrLocked)
		}
	}
}

func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	readOnly := &bboltstore.Options{ReadOnly: true}
	if _, err := bboltstore.Open(dir, readOnly); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got %v, want %v", err, fs.ErrNotExist)
	}
	fill(t, dir)
	first, err := bboltstore.Open(dir, readOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := bboltstore.Open(dir, readOnly) // any number may read
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if _, err := bboltstore.Open(dir, nil); !errors.Is(err, store.ErrLocked) {
		t.Errorf("writing beside readers: got %v, want %v", err, store.ErrLocked)
	}
	for _, s := range []store.Store{first, second} {
		n := 0
		err := s.Keys([]byte("k"), nil, func([]byte) error { n++; return nil })
		if err != nil || n != 1000 {
			t.Errorf("%d keys, want 1000: %v", n, err)
		}
		if err := s.Apply(new(store.Batch), true); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("Apply: got %v, want %v", err, store.ErrReadOnly)
		}
		if err := s.Sync(); err != nil {
			t.Errorf("Sync: %v", err)
		}
	}
}

// TestDamaged damages a file in each of its places, and cuts it: opening and reading return an
// error or entries, and never end the process.
func TestDamaged(t *testing.T) {
	content := fill(t, t.TempDir())
	dir := t.TempDir()
	ones := 0 // counted so that every byte is read
	try := func(content []byte) error {
		if err := os.WriteFile(filepath.Join(dir, bboltstore.FileName), content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := bboltstore.Open(dir, nil)
		if err != nil {
			return err
		}
		err = s.Scan(nil, nil, func(k, v []byte) error {
			ones += bytes.Count(v, []byte{1})
			return nil
		})
		return errors.Join(err, s.Close())
	}
	for name, damaged := range map[string][]byte{
		"another program's": []byte(strings.Repeat("text", 10_000)),
		"a short text":      []byte("mine"),
		"cut to two pages":  content[:2<<12],
		"cut to half":       content[:len(content[:400<<10])/2],
		"no roots":          append(make([]byte, 2<<16), content[2<<16:]...),
	} {
		if err := try(damaged); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: got %v, want %v", name, err, store.ErrCorrupt)
		}
	}
	if err := try(make([]byte, 4<<12)); err != nil {
		t.Errorf("a file whose making was cut off: %v", err)
	}
	corrupt, pages := 0, 120
	if testing.Short() {
		pages = 25
	}
	for page := range pages {
		for _, at := range []int{0, 8, 10, 12, 17, 21, 24, 29, 40} {
			damaged := append([]byte(nil), content[:1<<20]...)
			damaged = append(damaged, content[1<<20:min(len(content), 2<<20)]...)
			damaged[page<<12+at] ^= 0x41
			if page < 2 || page%7 == 0 || at == 8 {
				err := try(damaged)
				if errors.Is(err, store.ErrCorrupt) {
					corrupt++
				} else if err != nil {
					t.Errorf("page %d, byte %d: got %v, want %v or nothing", page, at, err, store.ErrCorrupt)
				}
			}
		}
	}
	if corrupt < pages/3 {
		t.Errorf("%d damaged files noticed, want at least %d", corrupt, pages/3)
	}
}
