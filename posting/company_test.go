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

// TestCommitDelay: commits that come one by one wait for each other and share a sync, without which none is acknowledged.
func TestCommitDelay(t *testing.T) {
	s := &countedStore{Store: memstore.New()}
	config := testConfig(t, 16<<20)
	config.CommitDelay = time.Hour
	ix := open(t, s, config)
	defer ix.Close()
	begun := s.synced.Load()
	commits := func() int64 { return s.synced.Load() - begun }
	if _, err := ix.Commit(t.Context(), numbered(0)); err != nil || commits() != 1 {
		t.Fatalf("the first: got %v, %d syncs, want one at once: nobody was before it", err, commits())
	}
	done := make(chan error, company)
	commit := func(ctx context.Context, n int) {
		_, err := ix.Commit(ctx, numbered(n))
		done <- err
	}
	for n := range company - 1 {
		go commit(t.Context(), 1+n)
	}
	select {
	case err := <-done:
		t.Fatalf("got %v for one of %d commits, want them to wait for company", err, company-1)
	case <-time.After(50 * time.Millisecond):
	}
	snap := ix.Snapshot()
	if commits() != 1 || snap.Sequence() != 1 {
		t.Errorf("got %d syncs while they wait, want no more than the first", commits())
	}
	snap.Close()
	go commit(t.Context(), company)
	for range company {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if commits() != 2 {
		t.Errorf("got %d syncs for %d commits, want one, after that of the first", commits(), company)
	}
	// After a group as large as that, nobody waits; then again.
	if _, err := ix.Commit(t.Context(), numbered(company+1)); err != nil || commits() != 3 {
		t.Errorf("after company: got %v, %d syncs, want one at once", err, commits())
	}
	ctx, cancel := context.WithCancel(t.Context())
	go commit(ctx, company+2)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("one that was given up while it waited: got error %v, want context.Canceled", err)
	}
	go commit(t.Context(), company+3)
	time.Sleep(10 * time.Millisecond)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("one that waits at Close: got error %v, want ErrClosed", err)
	}
	if commits() != 3 {
		t.Errorf("got %d syncs, want those of the commits that were acknowledged", commits())
	}
}

// TestCommitDelayEnds: a commit without company is done when the delay is over.
func TestCommitDelayEnds(t *testing.T) {
	config := testConfig(t, 16<<20)
	config.CommitDelay = 20 * time.Millisecond
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	start := time.Now()
	for n := range 4 {
		if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(start); took < 3*config.CommitDelay {
		t.Errorf("four commits one after the other took %v, want at least %v: three of them wait", took, 3*config.CommitDelay)
	}
}

// TestCommitDelayOfNobody: a commit that was given up while it waited is no sync, after which the next one would wait as long again.
func TestCommitDelayOfNobody(t *testing.T) {
	config := testConfig(t, 16<<20)
	config.CommitDelay = 100 * time.Millisecond
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	if _, err := ix.Commit(t.Context(), numbered(0)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), config.CommitDelay/5)
	defer cancel()
	_, err := ix.Commit(ctx, numbered(1))
	if now := time.Now(); errors.Is(err, context.DeadlineExceeded) {
		time.Sleep(2 * config.CommitDelay) // until the committer has seen it
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		if ix.synced.After(now) {
			t.Errorf("got a last sync %v after the last commit was given up", ix.synced.Sub(now))
		}
	} else if err != nil {
		t.Fatal(err)
	}
}
