// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/inspect"
)

// verified opens a store and verifies it.
func verified(t *testing.T, dir string) error {
	t.Helper()
	s, err := Open(dir, nil)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Verify(t.Context())
}

// TestVerifyFlips flips a bit of a table, wherever it is: of values, keys, filters, indexes and
// footers.
func TestVerifyFlips(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, false)
	if err := verified(t, dir); err != nil {
		t.Fatalf("a whole store: %v", err)
	}
	tables, _ := filepath.Glob(filepath.Join(dir, "*.sst"))
	if len(tables) == 0 {
		t.Fatal("no table")
	}
	rng := rand.New(rand.NewPCG(1, 11))
	flips := 60
	if testing.Short() {
		flips = 10
	}
	for range flips {
		name := tables[rng.IntN(len(tables))]
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		damaged := append([]byte(nil), whole...)
		at := rng.IntN(len(damaged))
		if rng.IntN(2) == 0 { // what is no data lies near the end
			at = len(damaged) - 1 - rng.IntN(min(6000, len(damaged)))
		}
		damaged[at] ^= 1 << rng.IntN(8)
		copied := t.TempDir()
		if err := errors.Join(os.CopyFS(copied, os.DirFS(dir)),
			os.WriteFile(filepath.Join(copied, filepath.Base(name)), damaged, 0o600)); err != nil {
			t.Fatal(err)
		}
		err = verified(t, copied)
		if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), filepath.Base(name)) {
			t.Errorf("byte %d of %d of %s: got error %v, want %v with the name", at, len(whole), filepath.Base(name), err,
				store.ErrCorrupt)
		}
	}
}

// TestVerifyKilled verifies a store that was killed, once the log of the mark was deleted.
func TestVerifyKilled(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, true)
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mark := new(inspect.Marker).Begin(s.locked)
	log := mark.Log
	// The engine may do so by itself, sooner or later.
	if err := os.Remove(filepath.Join(dir, fmt.Sprintf("%06d.log", log))); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := s.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestVerifyBeside verifies a store that is written, flushed and compacted meanwhile.
func TestVerifyBeside(t *testing.T) {
	s, err := Open(t.TempDir(), &Options{Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	done := make(chan error)
	go func() {
		for i := range 300 {
			b := new(store.Batch)
			for j := range 20 {
				key, _ := damagedEntry((i*37 + j*101) % damagedKeys)
				b.Put(key, make([]byte, 8<<10))
			}
			if err := s.Apply(b, true); err != nil {
				done <- err
				return
			}
		}
		done <- s.Compact(t.Context())
	}()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
			if err := s.Verify(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
