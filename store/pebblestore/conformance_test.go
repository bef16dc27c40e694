// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/storetest"
)

var _ interface {
	store.Store
	store.Sizer
	store.Compacter
	store.Pacer
} = (*pebblestore.Store)(nil)

func open(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := pebblestore.Open(dir, nil)
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
	storetest.RunFiles(t, func(dir string) (store.Store, error) { return pebblestore.Open(dir, nil) })
}

func TestVerify(t *testing.T) {
	t.Parallel()
	storetest.RunVerify(t, func(dir string) (store.Store, error) { return pebblestore.Open(dir, nil) })
}

func TestDurable(t *testing.T) {
	t.Parallel()
	storetest.RunDurable(t, open)
}

// fill makes a store of some hundred entries.
func fill(t *testing.T, dir string) {
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
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	defer s.Close()
	for _, opts := range []*pebblestore.Options{nil, {ReadOnly: true}} {
		_, err := pebblestore.Open(dir, opts)
		if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), dir) ||
			!strings.Contains(err.Error(), "Try:") {
			t.Errorf("got %v, want %v, the folder and advice", err, store.ErrLocked)
		}
	}
}

func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	readOnly := &pebblestore.Options{ReadOnly: true}
	if _, err := pebblestore.Open(dir, readOnly); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: got %v, want %v", err, fs.ErrNotExist)
	}
	fill(t, dir)
	first, err := pebblestore.Open(dir, readOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := pebblestore.Open(dir, readOnly) // any number may read
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if _, err := pebblestore.Open(dir, nil); !errors.Is(err, store.ErrLocked) {
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
