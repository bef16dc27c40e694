// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"sync/atomic"
	"time"
)

// receiver reads a connection into a queue. When the queue is full it waits, and so does the
// source.
//
// Its clock tells how long it waited for the network. It stands still while the queue is full: what
// the source has sent meanwhile has not failed to come.
type receiver struct {
	stream  Stream
	queue   chan received // closed after the last event
	err     error         // why it was the last, once the queue is closed
	waited  atomic.Int64  // nanoseconds
	waiting atomic.Int64  // since when, in nanoseconds since start; negative: it does not
	start   time.Time

	// Of the goroutine that takes from the queue.
	now    time.Duration // of the last event that was taken
	latest time.Time     // when the last event of the commit happened, if it has a time
}

func newReceiver(s Stream, size int) *receiver {
	n := &receiver{stream: s, queue: make(chan received, size), start: time.Now()}
	n.waiting.Store(-1)
	return n
}

// read reads until the connection ends.
func (n *receiver) read(ctx context.Context) {
	defer close(n.queue)
	for {
		since := time.Since(n.start)
		n.waiting.Store(int64(since))
		e, err := n.stream.Next(ctx)
		n.waiting.Store(-1)
		at := n.waited.Add(int64(time.Since(n.start) - since))
		if err != nil {
			n.err = err
			return
		}
		select {
		case n.queue <- received{e, time.Duration(at)}:
		case <-ctx.Done():
			n.err = ctx.Err()
			return
		}
	}
}

// clock returns the time at which the goroutine that takes from the queue is. While the queue is
// empty it goes on.
func (n *receiver) clock() time.Duration {
	waited, since := n.waited.Load(), n.waiting.Load()
	if since < 0 || len(n.queue) > 0 {
		return n.now
	}
	return max(n.now, time.Duration(waited)+time.Since(n.start)-time.Duration(since))
}
