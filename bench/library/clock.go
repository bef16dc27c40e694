// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"runtime"
	"time"
)

// clock returns a function that returns the nanoseconds since some start.
//
// By the wall, it is what a user waits for. By the thread's processor time it leaves out what other
// programs took of a busy machine; as it sees one thread only, it leaves out background garbage
// collection too, which the wall does not show either while another core is free.
func clock(thread bool) (now func() int64) {
	if thread {
		return threadTime
	}
	start := time.Now()
	return func() int64 { return time.Since(start).Nanoseconds() }
}

// ThreadClock returns a clock of the calling thread's processor time, in nanoseconds. The goroutine
// must be locked to the thread. Where there is no such clock, it goes by the wall.
func ThreadClock() (now func() int64) { return clock(hasThreadTime) }

// WallClock returns a function that returns nanoseconds by the wall.
func WallClock() (now func() int64) { return clock(false) }

// lasts returns the nanoseconds that n passes of the task take.
func (p *plan) lasts(t *task, n int) float64 {
	thread := p.cpu && !t.parallel
	if thread {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	now := clock(thread)
	start := now()
	for range n {
		t.pass()
	}
	return float64(now() - start)
}
