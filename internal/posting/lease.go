// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"sync"
	"sync/atomic"
)

// lease tells a snapshot that is open from one that was closed. All copies of a snapshot share it.
// Leases are used again: each snapshot has the lease at another turn, so that one that was closed
// long ago is still known.
type lease struct{ turn atomic.Uint64 }

var leases = sync.Pool{New: func() any { return new(lease) }}

// newLease returns a lease for one snapshot, and its turn.
func newLease() (*lease, uint64) {
	l := leases.Get().(*lease)
	return l, l.turn.Load()
}

// ended reports whether the snapshot with this turn was closed. A nil lease never ends.
func (l *lease) ended(turn uint64) bool { return l != nil && l.turn.Load() != turn }

// end closes the snapshot with this turn, and reports whether it was open.
func (l *lease) end(turn uint64) bool {
	if !l.turn.CompareAndSwap(turn, turn+1) {
		return false
	}
	leases.Put(l)
	return true
}
