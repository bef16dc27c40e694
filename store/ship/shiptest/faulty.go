// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shiptest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// Faults is what goes wrong at random between a node and its engine. Shares are of 1. All lost
// calls fail with store.ErrUnavailable.
type Faults struct {
	Latency      time.Duration // of a call, on average: it takes from 0 to twice that
	LostRequests float64       // the share of calls that do nothing
	LostReplies  float64       // the share of calls that do their work
	Delayed      float64       // the share of Creates and Deletes that do their work after they failed

	// ListLag is how long after this engine first came across a name List misses it. No engine
	// with a check of its storage does so; what lists must not rely on the newest names.
	ListLag time.Duration
}

// maxDelay is how long after its failure a delayed call does its work, at most.
const maxDelay = 100 * time.Millisecond

// Faulty is an engine whose calls fail at random, wait and fail together. It stands for the network
// between one node and an engine: nodes with an engine in common have a Faulty each. Safe for
// concurrent use.
type Faulty struct {
	inner   ship.Engine
	delayed sync.WaitGroup

	mu     sync.Mutex // held for bookkeeping only, never during a call
	rng    *rand.Rand
	faults Faults
	open   chan struct{}        // closed while no call has to wait
	cut    chan struct{}        // closed while all calls fail
	seen   map[string]time.Time // when a name was first come across
}

// NewFaulty returns an engine over inner. The seed draws the faults: of calls one after the other
// the same ones fail each time.
func NewFaulty(inner ship.Engine, seed uint64, faults Faults) *Faulty {
	f := &Faulty{inner: inner, rng: rand.New(rand.NewPCG(seed, 34)), faults: faults,
		open: make(chan struct{}), cut: make(chan struct{}), seen: make(map[string]time.Time)}
	close(f.open)
	return f
}

// Set changes the faults of later calls.
func (f *Faulty) Set(faults Faults) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = faults
}

// Stall makes calls wait for Resume or the end of their context. A call that waits may or may not
// have done its work.
func (f *Faulty) Stall() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if isClosed(f.open) {
		f.open = make(chan struct{})
	}
}

// Resume ends a stall.
func (f *Faulty) Resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !isClosed(f.open) {
		close(f.open)
	}
}

// Cut makes all calls fail with store.ErrUnavailable, those under way too, until Heal.
func (f *Faulty) Cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !isClosed(f.cut) {
		close(f.cut)
	}
}

// Heal ends a cut.
func (f *Faulty) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if isClosed(f.cut) {
		f.cut = make(chan struct{})
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// A fate is what a call will meet.
type fate struct {
	before, after time.Duration // it waits
	lostRequest   bool
	lostReply     bool
	delay         time.Duration // if not 0, it fails and does its work that much later
	stallsAfter   bool          // a stall finds it after its work
}

// draw returns the fate of a call.
func (f *Faulty) draw(writes bool) fate {
	f.mu.Lock()
	defer f.mu.Unlock()
	var ft fate
	whole := time.Duration(f.rng.Float64() * 2 * float64(f.faults.Latency))
	ft.before = time.Duration(f.rng.Float64() * float64(whole))
	ft.after = whole - ft.before
	ft.stallsAfter = f.rng.IntN(2) == 0
	draw, delay := f.rng.Float64(), 1+time.Duration(f.rng.Int64N(int64(maxDelay)))
	switch lost := f.faults.LostRequests + f.faults.LostReplies; {
	case draw < f.faults.LostRequests:
		ft.lostRequest = true
	case draw < lost:
		ft.lostReply = true
	case writes && draw < lost+f.faults.Delayed:
		ft.delay = delay
	}
	return ft
}

// wait waits for a part of a call's latency, and for the end of a stall that finds it there.
func (f *Faulty) wait(ctx context.Context, d time.Duration, stall bool) error {
	f.mu.Lock()
	open, cut := f.open, f.cut
	f.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	if !stall {
		open = nil
	}
	for past := timer.C; past != nil || open != nil; {
		select {
		case <-past:
			past = nil
		case <-open:
			open = nil
		case <-cut:
			return lost("is cut off")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if isClosed(cut) {
		return lost("is cut off")
	}
	return ctx.Err()
}

func lost(why string) error {
	return fmt.Errorf("%w: the engine of the test %s", store.ErrUnavailable, why)
}

// call does one call of the engine as its fate has it.
func (f *Faulty) call(ctx context.Context, writes bool, work func(context.Context) error) error {
	ft := f.draw(writes)
	if err := f.wait(ctx, ft.before, !ft.stallsAfter); err != nil {
		return err
	}
	if ft.lostRequest {
		return lost("lost the request")
	}
	if ft.delay > 0 {
		f.delayed.Go(func() {
			time.Sleep(ft.delay)
			_ = work(context.WithoutCancel(ctx)) // nobody hears of it
		})
		return lost("delays the request")
	}
	err := work(ctx)
	if wait := f.wait(ctx, ft.after, ft.stallsAfter); wait != nil {
		return wait
	}
	if ft.lostReply {
		return lost("lost the reply")
	}
	return err
}

// Create implements ship.Engine.
func (f *Faulty) Create(ctx context.Context, name string, data []byte) error {
	data = bytes.Clone(data) // a delayed call needs it after the caller has it again
	return f.call(ctx, true, func(ctx context.Context) error {
		err := f.inner.Create(ctx, name, data)
		if err == nil {
			f.meet(name, true)
		}
		return err
	})
}

// Get implements ship.Engine.
func (f *Faulty) Get(ctx context.Context, name string) (data []byte, err error) {
	err = f.call(ctx, false, func(ctx context.Context) error {
		data, err = f.inner.Get(ctx, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Delete implements ship.Engine.
func (f *Faulty) Delete(ctx context.Context, name string) error {
	return f.call(ctx, true, func(ctx context.Context) error { return f.inner.Delete(ctx, name) })
}

// pageNames is how many names List fetches with one call, as engines do.
const pageNames = 1000

// List implements ship.Engine. Each page of names is a call that may fail.
func (f *Faulty) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for at := after; ; {
			var page []string
			err := f.call(ctx, false, func(ctx context.Context) error {
				for name, err := range f.inner.List(ctx, prefix, at) {
					if err != nil {
						return err
					}
					page = append(page, name)
					if len(page) == pageNames {
						break
					}
				}
				return nil
			})
			if err != nil {
				yield("", err)
				return
			}
			for _, name := range page {
				if f.meet(name, false) && !yield(name, nil) {
					return
				}
			}
			if len(page) < pageNames {
				return
			}
			at = page[len(page)-1]
		}
	}
}

// meet notes a name, anew if it was created just now, and reports whether List shows it.
func (f *Faulty) meet(name string, created bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.faults.ListLag == 0 {
		return true
	}
	first, ok := f.seen[name]
	if !ok || created {
		first = time.Now()
		f.seen[name] = first
	}
	return time.Since(first) >= f.faults.ListLag
}

// Close implements ship.Engine. It waits for delayed calls, and closes the engine wrapped.
func (f *Faulty) Close() error {
	f.delayed.Wait()
	return f.inner.Close()
}

var _ ship.Engine = (*Faulty)(nil)
