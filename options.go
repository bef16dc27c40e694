// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import "log/slog"

// Options sets up a database. nil and the zero value mean the defaults.
type Options struct {
	// CacheBytes bounds the memory for pages of all indexes together. Default 64 MiB.
	CacheBytes int64

	// DeltaBytes is how much memory the writes of an index may take before they are flushed to pages. Writers wait when twice as much has
	// gathered; one group of commits may go beyond. Default 32 MiB.
	DeltaBytes int64

	// NoSync leaves it to the operating system when a write reaches the disk: faster, and a power failure may lose the latest writes (never
	// some in the middle: what is lost is a tail). A killed process loses nothing either way. A store may sync all the same; badgerstore does.
	// Default: each commit is synced.
	NoSync bool

	// LogEntries is how many flushed entries of an index's log are kept. Default 65 536.
	LogEntries uint64

	// Logger is told about flushes, loads and repairs. Default: nobody is.
	Logger *slog.Logger
}

// check fails for options that cannot be.
func (o *Options) check() error {
	if o != nil && (o.CacheBytes < 0 || o.DeltaBytes < 0) {
		return invalid("options: got CacheBytes %d and DeltaBytes %d, want 0 or more", o.CacheBytes, o.DeltaBytes)
	}
	return nil
}

// withDefaults returns the options with defaults in the place of zeros.
func (o *Options) withDefaults() Options {
	var d Options
	if o != nil {
		d = *o
	}
	if d.CacheBytes == 0 {
		d.CacheBytes = 64 << 20
	}
	if d.DeltaBytes == 0 {
		d.DeltaBytes = 32 << 20
	}
	if d.LogEntries == 0 {
		d.LogEntries = 1 << 16
	}
	if d.Logger == nil {
		d.Logger = slog.New(slog.DiscardHandler)
	}
	return d
}
