// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
)

// Snapshot is one state of an index: every question to it sees the same writes. Close lets go of
// it, once; space that only it holds is reclaimed after that. It is a small value, safe for
// concurrent use.
type Snapshot struct {
	ix     *Index
	lists  reader.Snapshot
	schema *schema.Schema // when it was taken
}

// field finds a field by name: one that was there when the snapshot was taken, though it may have
// been dropped since, or one that was added.
func (s Snapshot) field(name string) (*schema.Bound, error) {
	if s.lists.Closed() {
		return nil, ErrClosed
	}
	if f := s.schema.Named(name); f != nil {
		return f, nil
	}
	return s.ix.field(name)
}

// Close lets go of the snapshot, and of all copies of it: what is read through them later is
// ErrClosed. What was read before stays valid. Closing it twice is a mistake of the program, and
// panics.
func (s Snapshot) Close() { s.lists.Close() }

// Under returns the snapshot with ctx for the questions that take no context. Questions that take
// one end with theirs. ctx is checked after each page of a list or of keys that must be read from
// the store. It is also checked after a single key or value that needs such a read. If ctx is done,
// its error is returned. So a question that finds nothing in the cache overruns little, even on a
// slow disk. Closing one of the two snapshots closes both.
func (s Snapshot) Under(ctx context.Context) Snapshot {
	s.lists = s.lists.Under(ctx)
	return s
}

// Sequence returns the number of the last write in the snapshot.
func (s Snapshot) Sequence() uint64 { return s.lists.Sequence() }

// SchemaVersion returns the number of the fields that the index had when the snapshot was taken:
// another one after each change of them, greater than those before, and of no other index in the
// process. What RowID found in one snapshot holds in those with the same number; a field of the
// name may have taken the place of one that was dropped in others.
func (s Snapshot) SchemaVersion() uint64 { return s.schema.Version() }

// LimitQueries returns a context in which each query may hold the given bytes of memory. The least
// is 1 MiB. Pages, sets and scratch memory alive at a time count; a query that needs more fails
// with ErrLimit. Servers use it to keep a client from asking for everything at once. The number of
// lists that a query reads has no limit. What Top and Groups read beside the query is bounded only
// by Options.MemoryBytes and the context's deadline.
func LimitQueries(ctx context.Context, bytes int64) context.Context {
	return eval.WithLimit(ctx, bytes)
}

// Snapshot returns the current state: all writes are in it that had returned. It takes no lock. The
// caller closes it.
func (ix *Index) Snapshot() Snapshot {
	lists := ix.lists.Snapshot()
	return Snapshot{ix: ix, lists: lists, schema: ix.schema.Load()} // which knows no field whose pages are gone
}
