// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// countedStore counts the batches that are synced.
type countedStore struct {
	store.Store
	synced atomic.Int64
}

func (s *countedStore) Apply(b *store.Batch, sync bool) error {
	err := s.Store.Apply(b, sync)
	if sync {
		s.synced.Add(1)
	}
	return err
}

// TestCommitDelay: many commits that come in a short time share syncs, and each is in a later
// snapshot.
func TestCommitDelay(t *testing.T) {
	const writers, each = 32, 20
	s := &countedStore{Store: memstore.New()}
	config := testConfig(t, 16<<20)
	config.CommitDelay, config.CommitSiblings = 20*time.Millisecond, 1
	ix := open(t, s, config)
	defer ix.Close()
	begun := s.synced.Load()
	var busy sync.WaitGroup
	for w := range writers {
		busy.Go(func() {
			for n := range each {
				if _, err := ix.Commit(t.Context(), numbered(w*each+n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	busy.Wait()
	if syncs := s.synced.Load() - begun; syncs > writers*each/4 {
		t.Errorf("got %d syncs of %d commits, want a quarter at most", syncs, writers*each)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if n := snap.Sequence(); n != writers*each {
		t.Errorf("got %d commits, want %d", n, writers*each)
	}
}

// TestCommitDelayEnds: commits that wait are done when the index is closed, and no later.
func TestCommitDelayEnds(t *testing.T) {
	config := testConfig(t, 16<<20)
	config.CommitDelay = time.Hour
	ix := open(t, memstore.New(), config)
	ix.committer.grouped = defaultCommitSiblings // as if that many had come together
	done := make(chan error, 1)
	go func() {
		_, err := ix.Commit(t.Context(), numbered(0))
		done <- err
	}()
	select {
	case err := <-done:
		t.Errorf("got %v at once, want a commit that waits", err)
	case <-time.After(20 * time.Millisecond):
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	<-done // acknowledged, or ErrClosed
}

// TestCommitDelayAlone: a program that makes one commit after the other never waits, and neither
// does one whose commits are not synced.
func TestCommitDelayAlone(t *testing.T) {
	for name, change := range map[string]func(*Config){"one writer": func(*Config) {}, "SyncEvery": func(c *Config) {
		c.SyncEvery = time.Minute
	}, "NoSync": func(c *Config) { c.NoSync = true }} {
		t.Run(name, func(t *testing.T) {
			config := testConfig(t, 16<<20)
			config.CommitDelay = time.Hour
			change(&config)
			ix := open(t, memstore.New(), config)
			defer ix.Close()
			for n := range 100 {
				if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
