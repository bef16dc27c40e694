// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// crammed is a store that has writers wait until there is room.
type crammed struct {
	store.Store
	waiting chan struct{} // receives one for each that waits
	room    chan struct{} // closed when there is room
}

func (c *crammed) Await(ctx context.Context) error {
	select {
	case <-c.room:
		return nil
	case c.waiting <- struct{}{}:
	}
	select {
	case <-c.room:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestRoomGivenUp has writers wait for a store without room: one gives up, with its context,
// another gets through when there is room, and what was given up is not written.
func TestRoomGivenUp(t *testing.T) {
	s := &crammed{Store: memstore.New(), waiting: make(chan struct{}), room: make(chan struct{})}
	ix := open(t, s, testConfig(t, 1<<20))
	defer ix.Close()
	ctx, cancel := context.WithCancel(t.Context())
	first, second := make(chan error), make(chan error)
	go func() { _, err := ix.Commit(ctx, numbered(0)); first <- err }()
	<-s.waiting
	go func() { _, err := ix.Commit(t.Context(), numbered(1)); second <- err }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("a writer whose context ended: got %v, want %v", err, context.Canceled)
	}
	close(s.room)
	if err := <-second; err != nil {
		t.Errorf("a writer that waited: %v", err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if got := snap.Sequence(); got != 1 {
		t.Errorf("got sequence number %d, want 1: one of two commits was given up", got)
	}
}

// TestRoomAtClose closes an index whose writer waits for room in the store.
func TestRoomAtClose(t *testing.T) {
	s := &crammed{Store: memstore.New(), waiting: make(chan struct{}), room: make(chan struct{})}
	ix := open(t, s, testConfig(t, 1<<20))
	committed := make(chan error)
	go func() { _, err := ix.Commit(t.Context(), numbered(0)); committed <- err }()
	<-s.waiting
	ix.Close()
	if err := <-committed; !errors.Is(err, model.ErrClosed) {
		t.Errorf("got %v, want %v", err, model.ErrClosed)
	}
}
