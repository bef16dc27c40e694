// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestPowerCut has writers and merges on a disk that at a power cut forgets what was not synced:
// each 4 KB of a file and each name in the folder by itself. Every acknowledged batch is found
// again, none is torn, and no power cut is taken for damage. UPROAR_POWERCUTS says how many.
func TestPowerCut(t *testing.T) {
	rounds := storetest.Times(t, "UPROAR_POWERCUTS", 6, 15, 300)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	total := 0
	for round := range rounds {
		dir := filepath.Join(t.TempDir(), "db")
		acked := runUntilPowerCut(t, dir, rng)
		s, err := Open(dir, nil)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for w := range crashWriters {
			last, err := crashState(s, w)
			if err != nil || last < acked[w] {
				t.Fatalf("round %d, writer %d: the store ends at batch %d, %d was acknowledged: %v", round, w, last, acked[w],
					err)
			}
			total += acked[w]
		}
		if err := s.Close(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
	t.Logf("%d batches in %d rounds", total, rounds)
}

// runUntilPowerCut writes on a disk in memory, and leaves in dir what a power cut leaves of it. It
// returns the last batch of each writer that was acknowledged before.
func runUntilPowerCut(t *testing.T, dir string, rng *rand.Rand) (acked [crashWriters]int) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	living := filepath.Join(t.TempDir(), "db")
	s := newStore(living, &Options{Memory: 16 << 20})
	s.disk.FS = mem
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	var counts [crashWriters]atomic.Int64
	var cut atomic.Bool
	var writers sync.WaitGroup
	for w := range crashWriters {
		writers.Go(func() {
			for n := 1; !cut.Load(); n++ {
				b := new(store.Batch)
				for i := range crashGroup {
					b.Put(crashKey(w, i), crashValue(n, i))
				}
				b.Put(crashLog(w, n), nil)
				b.Delete(crashLog(w, n-20))
				if err := s.Apply(b, w > 0); err != nil {
					t.Error(err)
					return
				}
				counts[w].Store(int64(n))
			}
		})
	}
	writers.Go(func() {
		for !cut.Load() {
			if err := s.Compact(t.Context()); err != nil {
				t.Error(err)
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	})
	// The power is cut after so many batches, not after a time: machines write at any speed.
	written := func() (n int64) {
		for w := range counts {
			n += counts[w].Load()
		}
		return n
	}
	var marks [][]byte // any of them may be on the disk
	for goal := 4 + rng.Int64N(400); len(marks) == 0 || written() < goal && !t.Failed(); {
		mark, err := os.ReadFile(filepath.Join(living, FileName))
		if err != nil {
			t.Error(err)
		}
		marks = append(marks, mark)
		time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
	}
	for w := range acked {
		acked[w] = int(counts[w].Load())
	}
	after := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{0, 20, 50, 80, 100}[rng.IntN(5)], RNG: rng})
	cut.Store(true)
	writers.Wait()
	_, err := vfs.Clone(after, vfs.Default, living, dir)
	mark := marks[len(marks)-1]
	if rng.IntN(2) == 0 {
		mark = marks[rng.IntN(len(marks))]
	}
	err = errors.Join(err, os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, FileName), mark, 0o600), s.Close())
	if err != nil {
		t.Fatal(err)
	}
	return acked
}
