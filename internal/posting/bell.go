// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "sync"

// bell wakes everybody who waits for a commit. The zero value is ready for use; ringing it while
// nobody waits costs a lock.
type bell struct {
	mu   sync.Mutex
	rung chan struct{} // nil: nobody waits
}

// wait returns a channel that is closed at the next ring.
func (b *bell) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

// ring wakes those who wait.
func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}
