// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"time"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/store"
)

// Stats says how a database is doing.
type Stats struct {
	Indexes     []IndexStats
	Memory      Memory
	CacheHits   uint64 // page reads that the cache served, since opening
	CacheMisses uint64
	Store       store.Size // room on disk; zero where the store cannot tell
}

// Memory says what the memory that Options.MemoryBytes bounds is taken for, in bytes.
type Memory struct {
	Limit   int64 // Options.MemoryBytes
	Cache   int64 // pages that were read
	Huge    int64 // memory of such pages that lies in huge pages of the system: where the cache is, not beside it
	Indexes int64 // which pages there are
	Deltas  int64 // writes that are not in pages yet
	Merges  int64 // flushes under way, and ends of loads
	Loads   int64 // values and keys that loads have gathered
	Backups int64 // backups under way
	Queries int64 // queries under way
	Answers int64 // what Hold counts
}

// Total returns all that is taken.
func (m Memory) Total() int64 {
	return m.Cache + m.Indexes + m.Deltas + m.Merges + m.Loads + m.Backups + m.Queries + m.Answers
}

// Hold counts memory that the caller holds against Options.MemoryBytes. Answers being sent are an
// example. The cache of pages gives way to it. A negative number gives memory back. Nothing is
// refused: the caller bounds what it holds. Safe for concurrent use.
func (db *DB) Hold(bytes int64) { db.memory.Hold(bytes) }

// IndexStats says how an index is doing.
type IndexStats struct {
	Name              string
	Records           uint64 // records that exist
	Sequence, Commits uint64 // number of the last commit; how many there were
	Flushed           uint64 // the writes up to this number are in pages
	OldestLogEntry    uint64
	LogBytes          uint64 // of the log that is kept, about
	// values written since the last flush; a relation counts in both directions. What was written
	// twice may count twice
	DeltaEdits uint64
	DeltaKeys  uint64 // keys that were new since
	DeltaWords uint64 // values of Single and Integer fields that were written since
	DeltaBytes uint64
	Flushes    uint64 // since opening
	Fields     []FieldStats
}

// FieldStats says what the pages of a field amount to, as of the last flush.
type FieldStats struct {
	// a field's name, or "_exists", "_keys", "_hashes"; of a set field's values: "country.keys",
	// "country.hashes"
	Name string
	// "set", "relation", "inverse", "single", "integer", "saved", "universe", "keys", "hashes", or
	// "forward": a value column
	Type   string
	Rows   uint64
	Values uint64 // of posting lists: the sum of their cardinalities
	Pages  uint64
	Pieces uint64 // pages that hold a piece of a list too large for one
	Bytes  uint64
}

// Stats returns figures of all indexes, sorted by name, with the cache and the store. Cost: a walk
// over the manifests. Errors: those of reading.
func (db *DB) Stats() (Stats, error) {
	s := Stats{Memory: Memory(db.memory.Usage())}
	for _, name := range db.Indexes() {
		ix, err := db.Index(name)
		if err != nil {
			return s, err
		}
		lists, err := ix.lists.Stats()
		if err != nil {
			return s, err
		}
		s.CacheHits, s.CacheMisses = s.CacheHits+lists.Hits, s.CacheMisses+lists.Misses
		s.Indexes = append(s.Indexes, ix.stats(&lists))
	}
	var err error
	if sizer, ok := db.store.(store.Sizer); ok {
		s.Store, err = sizer.Size()
	}
	return s, err
}

// Space returns what is left for the database on its disk, as store.Spacer does.
func (db *DB) Space() (store.Space, error) { return store.SpaceOf(db.store) }

// Stats returns figures of the index. Cost: a walk over the manifest. Errors: those of reading.
func (ix *Index) Stats() (IndexStats, error) {
	lists, err := ix.lists.Stats()
	return ix.stats(&lists), err
}

// LogTimes returns when the oldest and the newest commit in the log were made. The times are in
// milliseconds, by the clock of the machine: information, never an order. Both are zero when the
// log is empty. Cost: two reads of the store. Errors: ErrClosed, or those of reading.
func (ix *Index) LogTimes() (oldest, newest time.Time, err error) { return ix.lists.LogTimes() }

func (ix *Index) stats(s *posting.Stats) IndexStats {
	out := IndexStats{Name: ix.name, Records: s.Records, Sequence: s.Sequence, Flushed: s.Flushed,
		OldestLogEntry: s.OldestLog, LogBytes: s.LogBytes, DeltaEdits: s.DeltaEdits, DeltaKeys: s.DeltaKeys,
		DeltaWords: s.DeltaWords, DeltaBytes: s.DeltaBytes, Flushes: s.Flushes, Commits: s.Sequence - ix.above}
	for _, f := range s.Fields {
		name, kind := ix.schema.Load().Describe(f.Field)
		out.Fields = append(out.Fields, FieldStats{Name: name, Type: kind, Rows: f.Rows, Values: f.Values,
			Pages: f.Pages, Pieces: f.Pieces, Bytes: f.Bytes})
	}
	return out
}

// Kinds counts the containers in the posting lists of each field, as of the last flush. The names
// of the fields are those of Stats. progress, if not nil, receives how many pages are done, and of
// how many. Cost: a read of every page of lists, past the cache. Errors: ctx's, ErrCorrupt,
// ErrClosed, or the store's.
func (ix *Index) Kinds(ctx context.Context, progress func(done, total int)) (map[string]bitmap.Kinds, error) {
	of, err := ix.lists.Kinds(ctx, progress)
	if err != nil {
		return nil, err
	}
	kinds := make(map[string]bitmap.Kinds, len(of))
	for field, k := range of {
		name, _ := ix.schema.Load().Describe(field)
		kinds[name] = bitmap.Kinds(k)
	}
	return kinds, nil
}
