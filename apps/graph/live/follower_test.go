// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// endless is a source that has events as fast as they are taken, or some and then no more.
type endless struct {
	events int64 // 0: no end
	taken  atomic.Int64
	every  time.Duration
}

func (*endless) Name() string { return "endless" }

func (s *endless) Connect(context.Context, int64, bool) (Stream, error) { return s, nil }

func (s *endless) Next(ctx context.Context) (Event, error) {
	n := s.taken.Load() + 1
	if s.events > 0 && n > s.events {
		<-ctx.Done()
	}
	time.Sleep(s.every)
	if ctx.Err() != nil {
		return Event{}, ctx.Err()
	}
	s.taken.Store(n)
	e := follows(fmt.Sprint("k", n), bob)
	e.Position = n
	return e, nil
}

func (*endless) Ack(context.Context, []int64) error { return nil }

func (*endless) Close() {}

// TestBackPressure: while a commit does not end, the source waits after a bounded number of events.
func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &endless{}
		g := livetest.NewGraph()
		block := make(chan struct{})
		most := 0
		g.Committed = func(c graph.Changes, _ map[string]string) {
			<-block
			most = max(most, len(c.List))
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- New(g, source, Options{Queue: 100, Group: 30}).Run(ctx) }()
		synctest.Wait()
		if taken := source.taken.Load(); taken < 100 || taken > 140 {
			t.Errorf("got %d events taken while a commit waits, want those of the queue and of one commit", taken)
		}
		go func() {
			for range 5 {
				block <- struct{}{}
			}
			cancel()
			close(block)
		}()
		if err := <-done; !errors.Is(err, context.Canceled) || most > 30 {
			t.Errorf("got %v, and as many as %d changes in a commit, want 30 at most", err, most)
		}
	})
}

// TestWindowOfCommit: events that come within the window of one another are one commit, and none
// waits longer.
func TestWindowOfCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const every, window = 3 * time.Millisecond, 10 * time.Millisecond
		source := &endless{events: 50, every: every}
		g := livetest.NewGraph()
		start := time.Now()
		commits := 0
		g.Committed = func(c graph.Changes, _ map[string]string) {
			commits++
			first := c.Position - int64(len(c.List)) + 1
			if waited := time.Since(start) - time.Duration(first)*every; waited > window {
				t.Errorf("event %d waited %v for its commit, want at most %v", first, waited, window)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		f := New(g, source, Options{Window: window})
		_ = f.Run(ctx)
		if all := f.Figures(); all.Events != 50 || all.Position != 50 || commits > 17 {
			t.Errorf("got %+v in %d commits, want all 50 in 17 at most", all, commits)
		}
	})
}

// TestQuietClock: an account is not taken to be complete because this process was slow.
func TestQuietClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &endless{}
		n := newReceiver(source, 3)
		ctx, cancel := context.WithCancel(t.Context())
		go n.read(ctx)
		synctest.Wait()
		time.Sleep(time.Hour)
		if at := n.clock(); at != 0 {
			t.Errorf("with a full queue: got %v after an hour, want 0", at)
		}
		cancel()
		for range n.queue {
		}

		silent := &endless{events: 1}
		n = newReceiver(silent, 3)
		ctx, cancel = context.WithCancel(t.Context())
		go n.read(ctx)
		<-n.queue
		time.Sleep(time.Hour)
		if at := n.clock(); at != time.Hour {
			t.Errorf("with a silent source: got %v after an hour, want that", at)
		}
		cancel()
		synctest.Wait()
	})
}
