// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "sync"

// notifier wakes everybody who waits for a commit. The zero value is ready for use; ringing it
// while nobody waits costs a lock.
type notifier struct {
	mu   sync.Mutex
	rung chan struct{} // nil: nobody waits
}

// wait returns a channel that is closed at the next ring.
func (b *notifier) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

// notify wakes everyone who waits.
func (b *notifier) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}
