// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

func commitNumbered(t *testing.T, ix *Index, from, to int) map[int]bool {
	t.Helper()
	acknowledged := map[int]bool{}
	for n := range to {
		if n >= from {
			if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
				t.Fatal(err)
			}
		}
		acknowledged[n] = true
	}
	return acknowledged
}

// TestSyncEvery shows when commits that were acknowledged early reach the store: in time, by Close,
// by a flush, by a follower, and when many wait.
func TestSyncEvery(t *testing.T) {
	slow := func() Config {
		config := testConfig(t, 16<<20) // nothing is flushed by itself
		config.SyncEvery, config.Retention = time.Hour, Retention{}
		return config
	}
	t.Run("Close", func(t *testing.T) {
		s := memstore.New()
		ix := open(t, s, slow())
		acknowledged := commitNumbered(t, ix, 0, 20)
		checkNumbered(t, ix, acknowledged, nil, 20)
		if n, _ := logged(t, s); n != 0 {
			t.Errorf("got %d commits in the log, want none yet", n)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix = open(t, s, slow())
		defer ix.Close()
		checkNumbered(t, ix, acknowledged, nil, 20)
	})
	t.Run("flush", func(t *testing.T) {
		s := memstore.New()
		ix := open(t, s, slow())
		defer ix.Close()
		acknowledged := commitNumbered(t, ix, 0, 20)
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, frames := logged(t, s); n != 20 || frames > 4 {
			t.Errorf("got %d commits in %d entries of the log, want 20 in few", n, frames)
		}
		commitNumbered(t, ix, 20, 30)
		// What a killed process leaves: the ten last are lost, as is documented, and nothing else.
		left := open(t, s, slow())
		defer left.Close()
		checkNumbered(t, left, acknowledged, nil, 20)
		if n := left.Snapshot().Sequence(); n != 20 {
			t.Errorf("got sequence %d, want 20", n)
		}
	})
	t.Run("follower", func(t *testing.T) {
		ix := open(t, memstore.New(), slow())
		defer ix.Close()
		commitNumbered(t, ix, 0, 20)
		n := 0
		if err := ix.Log(t.Context(), 0, func(Entry) error { n++; return nil }); err != nil || n != 20 {
			t.Errorf("got %d entries, %v, want 20", n, err)
		}
	})
	t.Run("many", func(t *testing.T) {
		s := memstore.New()
		ix := open(t, s, slow())
		defer ix.Close()
		commitNumbered(t, ix, 0, groupEntries+10)
		if n, _ := logged(t, s); n < groupEntries/2 || n > groupEntries {
			t.Errorf("got %d commits in the log, want the first of %d: as many as may wait", n, groupEntries+10)
		}
	})
	t.Run("time", func(t *testing.T) {
		s := storetest.NewForgetful(memstore.New())
		config := slow()
		config.SyncEvery = time.Millisecond
		ix := open(t, s, config)
		defer ix.Close()
		commitNumbered(t, ix, 0, 3)
		within(t, "writing what waits", func() {
			for n := 0; n < 3; n, _ = logged(t, s) {
				time.Sleep(time.Millisecond)
			}
		})
		if n := s.Unsynced(); n != 0 {
			t.Errorf("when its time had come, a power cut could take back %d batches, want none", n)
		}
	})
}

// TestSyncEveryOnFullDisk shows that acknowledged commits wait for room on the disk. New commits
// are refused meanwhile, and nothing is lost.
func TestSyncEveryOnFullDisk(t *testing.T) {
	s := storetest.NewFaulty(memstore.New())
	config := testConfig(t, 1<<20)
	config.SyncEvery, config.pause = time.Millisecond, time.Millisecond
	ix := open(t, s, config)
	defer ix.Close()
	s.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1, Err: store.ErrFull})
	acknowledged := map[int]bool{}
	n := 0
	within(t, "the first refusal", func() {
		for ; ; n++ {
			if _, err := ix.Commit(t.Context(), numbered(n)); err == nil {
				acknowledged[n] = true
				time.Sleep(time.Millisecond)
			} else if errors.Is(err, store.ErrFull) {
				return
			} else {
				t.Error(err)
				return
			}
		}
	})
	if n == 0 {
		t.Error("got a refusal of the first commit, want it acknowledged before the disk is asked")
	}
	checkNumbered(t, ix, acknowledged, nil, n)
	s.Heal()
	within(t, "room", func() {
		for {
			if _, err := ix.Commit(t.Context(), numbered(n)); err == nil {
				acknowledged[n] = true
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = open(t, s, config)
	checkNumbered(t, ix, acknowledged, nil, n+1)
}

// TestSyncEveryWhileWaiting shows that acknowledged commits are written in time. This holds also
// while writers wait for a flush that takes longer.
func TestSyncEveryWhileWaiting(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 2000)
	config.SyncEvery, config.Retention = 20*time.Millisecond, Retention{}
	ix := open(t, s, config)
	defer ix.Close()
	release, err := ix.manifests.lockMerges(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release() // no flush comes to its end before
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var acknowledged atomic.Int64
	ended := make(chan error)
	go func() {
		for n := 0; ; n++ {
			if _, err := ix.Commit(ctx, numbered(n)); err != nil {
				ended <- err
				return
			}
			acknowledged.Add(1)
		}
	}()
	within(t, "writing what was acknowledged", func() {
		for {
			ix.writer.mu.Lock()
			full, waiting := ix.committer.crowded(), ix.writer.unsynced.Count()
			ix.writer.mu.Unlock()
			if full && waiting == 0 {
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v from a writer that waits, want its context's error", err)
	}
	if n, _ := logged(t, s); int64(n) != acknowledged.Load() {
		t.Errorf("got %d commits in the log, want the %d that were acknowledged", n, acknowledged.Load())
	}
}
