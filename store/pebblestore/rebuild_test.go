// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// TestRebuild damages the manifest of stores that were written over and over, merged and ingested
// into: a salvage of one that was closed finds everything, in its latest state. One that was killed
// is refused.
func TestRebuild(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		kill := round%2 == 1
		dir := filepath.Join(t.TempDir(), "db")
		want := fillOften(t, dir, rand.New(rand.NewPCG(uint64(round), 31)), kill)
		for _, name := range filesOf(t, dir, "MANIFEST-*") {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			content[20] ^= 1
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(dir, nil); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("killed %v: Open: got %v, want %v", kill, err, store.ErrCorrupt)
		}
		s, err := Open(dir, &Options{Salvage: true})
		if kill {
			if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "Try:") {
				t.Errorf("killed: got %v, want %v and advice", err, store.ErrCorrupt)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !errors.Is(s.Lost(), store.ErrCorrupt) {
			t.Errorf("lost: got %v, want %v", s.Lost(), store.ErrCorrupt)
		}
		got := map[string]string{}
		err = s.Scan(nil, nil, func(key, value []byte) error {
			got[string(key)] = string(value)
			return nil
		})
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("got %d entries, %v, want %d; they differ", len(got), err, len(want))
		}
		for i := range 400 {
			key := fmt.Sprintf("key%03d", i)
			err := s.Get([]byte(key), func(value []byte) error {
				if string(value) != want[key] {
					return fmt.Errorf("another value of %d bytes", len(value))
				}
				return nil
			})
			if _, there := want[key]; errors.Is(err, store.ErrNotFound) == there || there && err != nil {
				t.Errorf("Get of %s: got %v, want it: %v", key, err, there)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// fillOften makes a store with small memtables in several turns, and returns what it has.
func fillOften(t *testing.T, dir string, rng *rand.Rand, kill bool) map[string]string {
	t.Helper()
	want := map[string]string{}
	for turn := range 3 {
		s, err := Open(dir, &Options{Memory: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 60 {
			b := new(store.Batch)
			for range 20 {
				key := fmt.Sprintf("key%03d", rng.IntN(400))
				value := bytes.Repeat([]byte{byte(rng.Uint32())}, rng.IntN(8000))
				if b.Put([]byte(key), value); rng.IntN(3) == 0 {
					b.Delete([]byte(key))
					delete(want, key)
				} else {
					want[key] = string(value)
				}
			}
			if err := s.Apply(b, true); err != nil {
				t.Fatal(err)
			}
			if n == 30+turn {
				if err := s.Compact(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		g, err := s.Ingest()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 50 {
			key := fmt.Sprintf("load%d-%02d", turn, i)
			want[key] = "ingested"
			if err := g.Put([]byte(key), []byte("ingested")); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(one("last", turn), true); err != nil {
			t.Fatal(err)
		}
		want["last"] = string(make([]byte, turn))
		if kill && turn == 2 {
			s.disk.GiveUp() // no file changes any more
			_ = s.locked.Close()
		} else if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return want
}
