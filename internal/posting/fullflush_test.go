// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// noPages is a store that has no room for pages while it is full, and room for log entries.
type noPages struct {
	store.Store
	full atomic.Bool
}

func (s *noPages) Apply(b *store.Batch, sync bool) error {
	if s.full.Load() {
		for op := range b.Ops() {
			if op.Key[0] == format.KindPage {
				return store.ErrFull
			}
		}
	}
	return s.Store.Apply(b, sync)
}

// TestNoRoomToFlush: a commit that waits for a flush which has no room says so when its time is
// over, and commits go on when there is room.
func TestNoRoomToFlush(t *testing.T) {
	disk := &noPages{Store: memstore.New()}
	config := testConfig(t, 3000)
	config.pause = time.Millisecond
	ix := open(t, disk, config)
	defer func() { ix.Close() }()
	disk.full.Store(true)
	commit := func(n int) error {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := ix.Commit(ctx, numbered(n))
		return err
	}
	acknowledged := map[int]bool{}
	n, err := 0, error(nil)
	for ; err == nil && n < 1000; n++ {
		if err = commit(n); err == nil {
			acknowledged[n] = true
		}
	}
	if !errors.Is(err, store.ErrFull) || !errors.Is(err, context.DeadlineExceeded) || len(acknowledged) == 0 {
		t.Fatalf("after %d commits: got %v, want ErrFull and that time is over", len(acknowledged), err)
	}
	if err := ix.Failure(); !errors.Is(err, store.ErrFull) {
		t.Errorf("Failure: got %v, want ErrFull", err)
	}
	disk.full.Store(false)
	if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
		t.Fatal(err)
	}
	acknowledged[n] = true
	if err := ix.Flush(t.Context()); err != nil || ix.Failure() != nil {
		t.Errorf("with room: got %v, and failure %v", err, ix.Failure())
	}
	checkNumbered(t, ix, acknowledged, nil, n+1)
}
