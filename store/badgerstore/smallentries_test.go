// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/storetest"
)

// raceEnabled is set by a file with a build tag.
var raceEnabled = false

// sameGoroutines leaves a test out under the race detector. It would find nothing new: the tests of
// the standard settings run the same goroutines, over files of other sizes, and take far less time.
func sameGoroutines(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("the same goroutines as with the standard settings: left out under the race detector")
	}
}

func TestSmallEntriesConform(t *testing.T) {
	t.Parallel()
	sameGoroutines(t)
	storetest.Run(t, func(t *testing.T, dir string) store.Store {
		t.Helper()
		s, err := Open(dir, &Options{SmallEntries: true})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// smallValue is of every length about the two thresholds, by turns.
func smallValue(i, version int) []byte {
	lengths := [...]int{0, 1, padFrom - 1, padFrom, padFrom + 1, 100, valueThreshold - 1, valueThreshold,
		valueThreshold + 1, paddedSize, paddedSize + 1}
	return bytes.Repeat([]byte{byte(i), byte(version)}, lengths[i%len(lengths)])[:lengths[i%len(lengths)]]
}

// TestSmallEntriesByTurns opens one folder with and without the option: what was written in one way
// is read, replaced and collected in the other.
func TestSmallEntriesByTurns(t *testing.T) {
	t.Parallel()
	sameGoroutines(t)
	dir := t.TempDir()
	const n = 4000
	key := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15) }
	want := make([]int, n)
	for version := range 4 {
		s, err := openStore(dir, &Options{SmallEntries: version%2 == 1}, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		for first := version * 7; first < n; first += 1000 {
			b := new(store.Batch)
			for i := first; i < min(n, first+1000); i += 1 + version {
				b.Put(key(i), smallValue(i, version))
				want[i] = version
			}
			if err := s.Apply(b, true); err != nil {
				t.Fatal(err)
			}
		}
		for i := range n {
			err := s.Get(key(i), func(got []byte) error {
				if !bytes.Equal(got, smallValue(i, want[i])) {
					return fmt.Errorf("got %d bytes, want %d of version %d", len(got), len(smallValue(i, want[i])),
						want[i])
				}
				return nil
			})
			if err != nil {
				t.Fatalf("round %d, entry %d: %v", version, i, err)
			}
		}
		if err := s.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSmallEntriesCollected replaces small values again and again: they are in the value log, so
// their garbage is collected there.
func TestSmallEntriesCollected(t *testing.T) {
	t.Parallel()
	sameGoroutines(t)
	s := mustOpen(t, &Options{SmallEntries: true})
	const n, rounds = 20_000, 4
	value := bytes.Repeat([]byte("x"), 100)
	for range rounds {
		for first := 0; first < n; first += store.MaxOps {
			b := new(store.Batch)
			for i := first; i < min(n, first+store.MaxOps); i++ {
				b.Put(fmt.Appendf(nil, "%016x", uint64(i)*0x9e3779b97f4a7c15), value)
			}
			if err := s.Apply(b, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := values(t, s); got < n*100*rounds/2 {
		t.Fatalf("the value log has %d bytes, want the small values there", got)
	}
	if err := s.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	status, err := s.Status()
	if err != nil || status.Rewritten == 0 {
		t.Errorf("got %+v, %v, want value-log files rewritten", status, err)
	}
	count := 0
	err = s.Scan(nil, nil, func(_, v []byte) error {
		if !bytes.Equal(v, value) {
			return fmt.Errorf("got a value of %d bytes", len(v))
		}
		count++
		return nil
	})
	if err != nil || count != n {
		t.Errorf("got %d entries, %v, want %d", count, err, n)
	}
}

// TestSmallerMemTable opens what a killed process with large memtables has left, with memtables too
// small for it. Left to itself, Badger ends the process then.
func TestSmallerMemTable(t *testing.T) {
	t.Parallel()
	s := mustOpen(t, &Options{SmallEntries: true})
	const n = 100_000 // more than fits 4 MiB
	for first := 0; first < n; first += 1000 {
		b := new(store.Batch)
		for i := range 1000 {
			b.Put(fmt.Appendf(nil, "%08d", first+i), make([]byte, 40))
		}
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
	}
	killed := t.TempDir()
	for _, pattern := range []string{"MANIFEST", "KEYREGISTRY", "DISCARD", "*.mem", "*.sst", "*.vlog"} {
		files, err := filepath.Glob(filepath.Join(s.dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(filepath.Join(killed, filepath.Base(name)), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 {
		again, err := openStore(killed, nil, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		err = again.Keys(nil, nil, func([]byte) error { count++; return nil })
		if err != nil || count != n {
			t.Errorf("got %d entries, %v, want %d", count, err, n)
		}
		if got := again.db.Opts().MemTableSize; got != memTableSize {
			t.Errorf("got memtables of %d bytes, want %d as without the option", got, memTableSize)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCloseGivesUpFile closes the store while a file of small entries is rewritten, which takes
// longer than Close may: nothing is lost with it.
func TestCloseGivesUpFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const n = 20_000
	key := func(i int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(i)*0x9e3779b97f4a7c15) }
	value := func(i, version int) []byte { return fmt.Appendf(nil, "%090d,%d", i, version) }
	last := make([]int, n)
	for version := 1; version <= 3; version++ {
		s, err := openStore(dir, &Options{SmallEntries: true}, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			got := ""
			err := s.Get(key(i), func(v []byte) error { got = string(v); return nil })
			if last[i] == 0 && errors.Is(err, store.ErrNotFound) {
				continue
			}
			if want := string(value(i, last[i])); err != nil || got != want {
				t.Fatalf("opening %d: entry %d: got %q, %v; want %q", version, i, got, err, want)
			}
		}
		b := new(store.Batch)
		for i := range n {
			if i%4 == 0 && version > 1 {
				continue // something stays in every file
			}
			last[i] = version
			b.Put(key(i), value(i, version))
			if b.Len() == 1000 || i == n-1 {
				if err := s.Apply(b, true); err != nil {
					t.Fatal(err)
				}
				b.Reset()
			}
		}
		done := make(chan error, 1)
		go func() { done <- s.Compact(context.Background()) }()
		for !s.house.inFile.Load() && len(done) == 0 {
			time.Sleep(50 * time.Microsecond)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil && !errors.Is(err, store.ErrClosed) {
			t.Errorf("Compact: got %v, want %v", err, store.ErrClosed)
		}
	}
}
