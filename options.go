// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"log/slog"
	"time"
)

// Options sets up a database. nil and the zero value mean the defaults.
type Options struct {
	// MemoryBytes bounds what the database holds in memory: the cache of pages, writes that are not
	// in pages yet, flushes, loads, and queries with their answers until they are returned. The
	// cache has what the others leave. Near the bound writers wait for a flush, and loads and
	// queries that need more fail with ErrMemory. Not counted are what the store holds (Pebble:
	// a quarter of its own Options.Memory), and what Go's garbage collector has still to free:
	// debug.SetMemoryLimit bounds that. At least 16 MiB; default 256 MiB.
	MemoryBytes int64

	// DeltaBytes is how much memory the writes of an index may take before they are flushed to
	// pages. Writers wait when twice as much has gathered, and when those of all indexes together
	// take five sixteenths of MemoryBytes; one batch may go beyond. Default: an eighth of
	// MemoryBytes.
	DeltaBytes int64

	// ReadOnly opens the database for reading only: nothing is written to the store, which may be
	// one that was opened so too; every write returns ErrReadOnly.
	ReadOnly bool

	// NoSync leaves it to the operating system when a write reaches the disk: faster, and a power
	// failure may lose the latest writes (never some in the middle: what is lost is a tail). A
	// killed process loses nothing either way. A store may sync all the same; pebblestore and
	// bboltstore do. Default: each commit is synced.
	NoSync bool

	// SyncEvery acknowledges commits once they are visible and syncs them together later. They are
	// written within SyncEvery, or sooner when some thousand or 8 MiB wait. This is faster. But a
	// power failure or a killed process loses the commits of up to that time, always a tail of
	// whole commits. Close, a flush and a reader of Changes write what waits. Default 0: each
	// commit is synced before it is acknowledged.
	SyncEvery time.Duration

	// CommitDelay is how long a commit waits for others to share its sync, if at least
	// CommitSiblings came together last time or are there now. Fewer bytes are written and fewer
	// syncs made. The acknowledgement comes later by that time, and still only after the sync.
	//
	// Waiting pays when commits arrive independently (clients of a server). It hurts writers that
	// each wait for their commit before they make the next. Default 0: none waits.
	CommitDelay time.Duration

	// CommitSiblings is the least number of concurrent commits with which a commit waits for
	// CommitDelay. With 1, every commit waits. Default 5.
	CommitSiblings int

	// LogEntries, LogBytes and LogAge bound the flushed part of an index's log, which Index.Changes
	// reads. A commit goes once any bound is passed for all commits that were written together with
	// it. It goes at a flush, so an index without writes keeps what it has. Defaults: 1 048 576
	// commits, 64 MiB, no bound of age.
	LogEntries uint64
	LogBytes   int64
	LogAge     time.Duration

	// Logger is told about flushes, loads and repairs. Default: nobody is.
	Logger *slog.Logger
}

// minMemory is the least MemoryBytes: below it, batches of ordinary size would be refused.
const minMemory = 16 << 20

// check fails for options that cannot be.
func (o *Options) check() error {
	if o != nil && o.MemoryBytes != 0 && o.MemoryBytes < minMemory {
		return invalid("options: got MemoryBytes %d, want 0 or at least %d", o.MemoryBytes, minMemory)
	}
	if o != nil && (o.DeltaBytes < 0 || o.LogBytes < 0 || o.LogAge < 0 || o.SyncEvery < 0) {
		return invalid("options: got DeltaBytes %d, LogBytes %d, LogAge %v and SyncEvery %v, want 0 or more",
			o.DeltaBytes, o.LogBytes, o.LogAge, o.SyncEvery)
	}
	return nil
}

// withDefaults returns the options with defaults in the place of zeros.
func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	if d.MemoryBytes == 0 {
		d.MemoryBytes = 256 << 20
	}
	if d.DeltaBytes == 0 {
		d.DeltaBytes = d.MemoryBytes / 8
	}
	if d.LogEntries == 0 {
		d.LogEntries = 1 << 20
	}
	if d.LogBytes == 0 {
		d.LogBytes = 64 << 20
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	return d
}
