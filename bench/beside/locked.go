// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package beside

import (
	"runtime"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// locked is both directions of the graph in roaring bitmaps, behind one lock: what programs do that
// keep sets in a map.
type locked struct {
	mu        sync.RWMutex
	follows   []*roaring.Bitmap
	followers []*roaring.Bitmap
}

func newLocked(accounts int) *locked {
	l := &locked{follows: make([]*roaring.Bitmap, accounts), followers: make([]*roaring.Bitmap, accounts)}
	for i := range accounts {
		l.follows[i], l.followers[i] = roaring.New(), roaring.New()
	}
	return l
}

func (l *locked) load(follows []follow) error { return l.write(follows) }

func (l *locked) write(events []follow) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range events {
		l.follows[e.account].Add(uint32(e.target))
		l.followers[e.target].Add(uint32(e.account))
	}
	return nil
}

func (l *locked) common(account, target int) (uint64, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.follows[account].AndCardinality(l.followers[target]), nil
}

func (l *locked) finish() error {
	runtime.GC()
	return nil
}

func (l *locked) close() error { return nil }
