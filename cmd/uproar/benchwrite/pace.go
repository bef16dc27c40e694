// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"sync"
	"time"
)

// pace holds writers to a rate. It is safe for concurrent use.
type pace struct {
	mu    sync.Mutex
	each  time.Duration // 0: as fast as can be
	start time.Time     // when the next one is due
}

func newPace(rate float64) *pace {
	if rate <= 0 {
		return &pace{}
	}
	return &pace{each: time.Duration(float64(time.Second) / rate), start: time.Now()}
}

// take waits until n more are due. It reports false when ctx ended first.
func (p *pace) take(ctx context.Context, n int) bool {
	if p.each == 0 {
		return ctx.Err() == nil
	}
	p.mu.Lock()
	due := p.start
	// Missed time is made up for at once, but at most a second of it.
	if now := time.Now(); due.Before(now.Add(-time.Second)) {
		due = now.Add(-time.Second)
	}
	p.start = due.Add(time.Duration(n) * p.each)
	p.mu.Unlock()
	if wait := time.Until(due); wait > 0 {
		sleep(ctx, wait)
	}
	return ctx.Err() == nil
}
