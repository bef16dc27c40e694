// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// TestCharges: whatever answers grow to, what is taken stays within the bound and is given back,
// and nobody waits for ever.
func TestCharges(t *testing.T) {
	const all = 8 << 20
	var taken, most atomic.Int64
	m := newAnswerMemory(all, 20*time.Millisecond, func(n int64) {
		now := taken.Add(n)
		for old := most.Load(); now > old && !most.CompareAndSwap(old, now); old = most.Load() {
		}
	})
	var answered, refused atomic.Int64
	var calls sync.WaitGroup
	for w := range 32 {
		calls.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 4))
			for range 50 {
				c := charge{of: m, ctx: t.Context(), whole: w%8 == 0}
				size, last := 0, r.IntN(2<<20)
				var err error
				for size < last && err == nil {
					size += r.IntN(256 << 10)
					err = c.grow(size)
				}
				if err == nil {
					err = c.built(size * 5 / 4)
				}
				if err == nil {
					answered.Add(1)
					time.Sleep(time.Millisecond) // while it is sent
				} else {
					refused.Add(1)
				}
				c.sent()
				if c.held != 0 {
					t.Errorf("got %d bytes held after the end", c.held)
				}
			}
		})
	}
	calls.Wait()
	if taken.Load() != 0 || most.Load() > all || most.Load() < all/2 || answered.Load() == 0 || refused.Load() == 0 {
		t.Errorf("got %d bytes left, %d at most of %d, %d answered, %d refused", taken.Load(), most.Load(), all,
			answered.Load(), refused.Load())
	}
}

// TestChargeErrors: an answer that can never fit is refused at once, one that waits ends with its
// call, and a small one is not counted.
func TestChargeErrors(t *testing.T) {
	m := newAnswerMemory(8<<20, time.Minute, func(int64) {})
	c := charge{of: m, ctx: t.Context()}
	if err := c.grow(call.SmallAnswer); err != nil || c.held != 0 {
		t.Errorf("a small answer: got %v, %d bytes held", err, c.held)
	}
	if err := c.grow(m.most(false) + 1); !errors.Is(err, &api.Error{Code: api.CodeAnswerTooLarge}) || c.held != 0 {
		t.Errorf("one that is too large: got %v, %d bytes held", err, c.held)
	}
	if err := c.grow(m.most(false)); err != nil || c.held != m.share(false) {
		t.Errorf("the largest: got %v, %d bytes held", err, c.held)
	}
	other := charge{of: m, ctx: t.Context()}
	if err := other.grow(1 << 20); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	late := charge{of: m, ctx: ctx}
	if err := late.grow(1 << 20); err != context.DeadlineExceeded {
		t.Errorf("one that waits: got %v, want the error of its context", err)
	}
	if err := late.grow(1); err != context.DeadlineExceeded {
		t.Errorf("after it has waited in vain: got %v, want the same", err)
	}
	c.sent()
	other.sent()
	if !m.free.TryAcquire(m.all) {
		t.Error("not all was given back")
	}
}
