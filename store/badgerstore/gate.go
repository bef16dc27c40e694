// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"sync/atomic"
	"time"
)

// gate counts the calls in progress without a lock. Close waits for them, and housekeeping waits
// for calls that may still read an old state. The calls of even and of odd epochs are counted
// apart: whoever waits for the old calls begins a new epoch and waits until the count of the old
// one is zero, while new calls pass.
type gate struct {
	epoch  atomic.Uint64
	closed atomic.Bool
	active [2]struct {
		n atomic.Int64
		_ [56]byte // a cache line each
	}
}

// pass is what enter gives and leave takes.
type pass uint64

// enter lets a call in, unless the gate is shut.
func (g *gate) enter() (pass, bool) {
	for !g.closed.Load() {
		p := pass(g.epoch.Load() & 1)
		g.active[p].n.Add(1)
		// Whoever shuts the gate, or ends the epoch, before this look does not know of this call;
		// whoever does so after it does.
		if !g.closed.Load() && pass(g.epoch.Load()&1) == p {
			return p, true
		}
		g.leave(p)
	}
	return 0, false
}

func (g *gate) leave(p pass) { g.active[p].n.Add(-1) }

// flip waits until all calls that had entered before have left. It must not be called twice at a
// time.
func (g *gate) flip() {
	old := pass(g.epoch.Add(1)-1) & 1
	g.drain(old)
}

// shut turns new calls away and waits until all have left. It reports whether this call was the one
// that shut it.
func (g *gate) shut() bool {
	if g.closed.Swap(true) {
		return false
	}
	g.drain(0)
	g.drain(1)
	return true
}

// drain polls: calls are short, and its callers are closing or keeping house.
func (g *gate) drain(p pass) {
	for wait := 10 * time.Microsecond; g.active[p].n.Load() != 0; wait = min(2*wait, 2*time.Millisecond) {
		time.Sleep(wait)
	}
}
