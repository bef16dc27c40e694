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
// into: a salvage of one that was closed finds everything, in its latest state. Of one that was
// killed it finds what was once written, and tells that some of it may be older.
func TestRebuild(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		kill := round%2 == 1
		dir := filepath.Join(t.TempDir(), "db")
		want, ever := fillOften(t, dir, rand.New(rand.NewPCG(uint64(round), 31)), kill)
		for _, name := range filesOf(t, dir, "MANIFEST-*") {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			copy(content[20:], "this is not what was written")
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(dir, nil); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("killed %v: Open: got %v, want %v", kill, err, store.ErrCorrupt)
		}
		s, err := Open(dir, &Options{Salvage: true})
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
		if err != nil || !kill && !maps.Equal(got, want) {
			t.Errorf("got %d entries, %v, want %d; they differ", len(got), err, len(want))
		}
		if kill {
			checkEver(t, s, got, want, ever)
		}
		for i := range 400 {
			if kill {
				break
			}
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

// checkEver compares what a salvage got with what a killed store had, and with all that was ever
// written.
func checkEver(t *testing.T, s *Store, got, want map[string]string, ever map[string]bool) {
	t.Helper()
	older := 0
	for key, value := range got {
		if !ever[key+value] {
			t.Errorf("%s: got a value that was never written", key)
		}
		if want[key] != value {
			older++
		}
	}
	for key := range want {
		if _, there := got[key]; !there {
			older++
		}
	}
	t.Logf("%d of %d entries are older, gone or have come back", older, len(got))
	if older > len(got)/4 || !strings.Contains(s.Lost().Error(), "may have come back") {
		t.Errorf("%d of %d entries are older or have come back; lost: %v", older, len(got), s.Lost())
	}
}

// fillOften makes a store with small memtables in several turns, and returns what it has, and all
// keys with the values that they ever had.
func fillOften(t *testing.T, dir string, rng *rand.Rand, kill bool) (want map[string]string, ever map[string]bool) {
	t.Helper()
	want, ever = map[string]string{}, map[string]bool{}
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
					ever[key+string(value)] = true
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
			ever[key+"ingested"] = true
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
		ever["last"+want["last"]] = true
		if kill && turn == 2 {
			s.disk.GiveUp() // no file changes any more
			_ = s.locked.Close()
		} else if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return want, ever
}
