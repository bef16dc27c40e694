// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package store

// Replica is the power of a store to be one of several copies, of which one leads: it takes
// batches, and the others get them. Apply returns ErrFenced on all others.
type Replica interface {
	// Watch has w told of what happens from now on: before it, nothing changes. It returns whether
	// this copy leads, and since which epoch. Epochs grow with each change of the copy that leads.
	// Call it once.
	Watch(w Watcher) (epoch uint64, leads bool)

	// Leads reports whether this copy leads.
	Leads() bool

	// Abandon has the calls end that wait for other machines, now and later, with ErrClosed: for
	// who cannot wait for them. Close is still to be called.
	Abandon()
}

// CopyKey is the key under which a local store says that it is a part of a Replica, which alone may
// write to it. A Replica hides it.
func CopyKey() []byte { return []byte("\xff\xff\xff\xffship/position") }

// Watcher is told what happens to a Replica, one call at a time.
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
