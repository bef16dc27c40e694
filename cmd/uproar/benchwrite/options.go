// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package benchwrite measures how a store on disk bears writing: how fast, how evenly, with how
// much memory and room, beside what the disk itself can do in the same run. It is the work of the
// command "uproar bench write".
package benchwrite

import (
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/store"
)

// Mode is what is written.
type Mode string

// The modes.
const (
	Entries Mode = "entries" // entries of the store, each under a key of its own
	Pages   Mode = "pages"   // entries of the store that are rewritten at random, as flushes rewrite pages
	Lists   Mode = "lists"   // posting lists of a graph of follows, through the database
)

// Options say what to measure.
type Options struct {
	Mode  Mode
	Dir   string // an empty or missing folder, or one that a run with the same seed and mode has left
	Store string // name of the engine, for the report
	Seed  uint64 // the same seed writes the same

	// Open opens the store in a folder, or makes it. It is called again after the store was closed.
	Open func(dir string) (store.Store, error)

	Count    int64         // entries, rewrites or events; 0: as many as fit Duration
	Duration time.Duration // the longest time to write; 0: until Count are written
	Rate     float64       // at most this many a second; 0: as fast as can be
	Batch    int           // of entries, rewrites or events, committed as one
	Writers  int           // goroutines that write
	Idle     time.Duration // how long to wait afterwards
	Compact  Compaction

	KeyBytes   int   // Entries
	ValueBytes int   // Entries and Pages
	Sorted     bool  // Entries: keys ascend, from one writer
	Keys       int64 // Entries: how many keys to draw from at random; 0: every entry has its own

	Pages int // Pages: how many there are

	Graph   GraphOptions
	Measure MeasureOptions

	// Phase, if set, is told what begins, and Progress how far that is. They are called by one
	// goroutine at a time.
	Phase    func(what string)
	Progress func(Progress)
}

// GraphOptions are about Lists.
type GraphOptions struct {
	Accounts int // of the graph
	Follows  int
	Readers  int           // goroutines that ask while others write
	Memory   int64         // of the database, in bytes; 0: its default
	Delta    int64         // of it for writes that are not in pages yet; 0: its default
	Late     time.Duration // uproar.Options.SyncEvery
	Delay    time.Duration // uproar.Options.CommitDelay
	Siblings int           // uproar.Options.CommitSiblings
}

// Compaction says how often the store is told to compact itself while it is written.
type Compaction struct {
	Batches int64         // after so many batches; 0: not by their number
	Every   time.Duration // so long after the last time; 0: not by time
}

// MeasureOptions say what is measured beside writing.
type MeasureOptions struct {
	Interval time.Duration // of the table
	Ceiling  time.Duration // how long the disk alone is measured, before and afterwards; 0: not at all
	Turn     time.Duration // Pages: how long is written between two measurements of the disk; 0: all the time
	Profile  string        // file for a heap profile, made when writing has ended; "": none
	CPU      string        // file for a processor profile of the time of writing; "": none
}

// Progress says how far something is.
type Progress struct {
	Done, Total int64
	PerSecond   float64 // while writing
	Disk        int64   // bytes; 0: not looked at
}

// Check fails for options that cannot be.
func (o *Options) Check() error {
	switch {
	case o.Open == nil:
		return errors.New("got no function that opens a store")
	case o.Mode != Entries && o.Mode != Pages && o.Mode != Lists:
		return fmt.Errorf("got mode %q, want %s, %s or %s", o.Mode, Entries, Pages, Lists)
	case o.Count < 0 || o.Duration < 0 || o.Rate < 0 || o.Idle < 0 || o.Keys < 0 ||
		o.Measure.Interval <= 0 || o.Measure.Ceiling < 0 || o.Measure.Turn < 0 ||
		o.Compact.Batches < 0 || o.Compact.Every < 0:
		return errors.New("got a number below 0, or an interval of nothing")
	case o.Count == 0 && o.Duration == 0:
		return errors.New("got neither a number of entries nor a duration")
	case o.Batch < 1 || o.Writers < 1:
		return fmt.Errorf("got batches of %d from %d writers, want at least 1 from 1", o.Batch, o.Writers)
	}
	if o.Mode == Lists {
		if o.Graph.Accounts < 2 || o.Graph.Follows < 0 || o.Graph.Readers < 0 {
			return fmt.Errorf("got a graph of %d accounts and %d follows with %d readers, want at least 2 accounts",
				o.Graph.Accounts, o.Graph.Follows, o.Graph.Readers)
		}
		return nil
	}
	size := o.Batch * (o.KeyBytes + o.ValueBytes)
	switch {
	case o.KeyBytes < minKey || o.KeyBytes > store.MaxKey:
		return fmt.Errorf("got keys of %d bytes, want %d to %d", o.KeyBytes, minKey, store.MaxKey)
	case o.ValueBytes < 0 || o.ValueBytes > store.MaxValue:
		return fmt.Errorf("got values of %d bytes, want at most %d", o.ValueBytes, store.MaxValue)
	case o.Batch > store.MaxOps || size > store.MaxBatch:
		return fmt.Errorf("got batches of %d entries and %d bytes, want at most %d and %d", o.Batch, size, store.MaxOps,
			store.MaxBatch)
	case o.Mode == Pages && (o.Pages < 1 || o.ValueBytes < 1):
		return fmt.Errorf("got %d pages of %d bytes, want at least 1 each", o.Pages, o.ValueBytes)
	case o.Keys > 0 && (o.Mode != Entries || o.Sorted):
		return fmt.Errorf("got %d keys to draw from, want them for random entries", o.Keys)
	case o.Sorted && o.Writers > 1:
		return fmt.Errorf("got %d writers of sorted entries, want 1", o.Writers)
	}
	return nil
}

// minKey is the least length of a key: a number that tells it from the others.
const minKey = 8
