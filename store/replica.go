// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"context"
	"time"
)

// Replica is the power of a store to be one of several copies, of which one leads: it takes
// batches, and the others get them. Apply returns ErrFenced on all others.
type Replica interface {
	// Watch has w told of what happens from now on: before it, nothing changes. It returns whether
	// this copy leads, and since which epoch. Epochs grow with each change of the copy that leads.
	// Call it once.
	Watch(w Watcher) (epoch uint64, leads bool)

	// Leads reports whether this copy leads, and since which epoch.
	Leads() (epoch uint64, leads bool)

	// Confirm returns nil if no other copy has begun to lead before the call: the state of this one
	// is not outdated. Errors: ErrFenced, ctx's, or as of Apply.
	Confirm(ctx context.Context) error

	// Stop ends leading and following after a time: every Apply fails from then on, those under way
	// too, whose batches may or may not be there. Close is still to be called.
	Stop(after time.Duration)
}

// PositionKey is the key under which a copy notes in its own store how far it has come. A database
// does not write to a store that has it, except through the Replica.
const PositionKey = "\xff\xff\xff\xffship/position"

// Watcher is told what happens to a Replica, one call at a time. One that is being closed returns
// ErrClosed.
type Watcher interface {
	// Keeps reports whether entries under the key may be in use when another copy deletes them.
	// They stay, and Applied is given their keys. Apply then deletes them from this copy only. Safe
	// for concurrent use.
	Keeps(key []byte) bool

	// Applied says that batches of another copy are there, and which deletions were kept. The keys
	// belong to the watcher. After an error the copy changes no more.
	Applied(kept [][]byte) error

	// Lead says that Apply takes batches from now on. After an error another copy is to lead.
	Lead(epoch uint64) error

	// Follow says that Apply takes no more batches, and that batches of other copies come.
	Follow() error
}
