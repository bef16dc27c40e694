// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// Batch gathers writes that are committed as one by [Index.Write]. The zero value is empty and
// ready for use; it may be written more than once. Of several writes to the same value of the same
// record the last one counts. Set, SetInt and AddRecord make the record exist. Not safe for
// concurrent use.
type Batch struct {
	writes []binding.Write
	reads  *model.Reads
}

// Set gives the record the value in the field: one more in a Set field or relation, in the place of
// the one before in a Single or Integer field, where value is what [Field.Parse] reads. The record,
// and in a relation the value, which is a record too, exist from then on.
func (b *Batch) Set(field, record, value string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.Set, Field: field, Record: record, Value: value})
}

// SetIDs is Set of a value for records by their IDs, which must not change until the batch is
// committed. It looks up no key, and leaves out what does not exist.
func (b *Batch) SetIDs(field, value string, ids []uint64) {
	b.writes = append(b.writes, binding.Write{Kind: binding.IDs, Field: field, Value: value, IDs: ids})
}

// SetInt gives the record the integer in an Integer field, in the place of the one before.
func (b *Batch) SetInt(field, record string, x int64) {
	b.writes = append(b.writes, binding.Write{Kind: binding.Int, Field: field, Record: record, Integer: x})
}

// Clear takes the value in the field from the record. It makes nothing exist: clearing what is not
// there, or is not known, changes nothing.
func (b *Batch) Clear(field, record, value string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.Clear, Field: field, Record: record, Value: value})
}

// SetEdge is Set in a Relation with KeyColumn, and gives the edge a record with a key besides.
func (b *Batch) SetEdge(field, record, value, key string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.SetEdge, Field: field, Record: record, Value: value,
		Key: key})
}

// ClearEdgeKey takes a record of an edge away, as SetEdge has made it. The edge stays.
func (b *Batch) ClearEdgeKey(field, record, value, key string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.ClearKey, Field: field, Record: record, Value: value,
		Key: key})
}

// ClearEdge is Clear in a Relation with KeyColumn. [Index.Update] clears all keys of the edge, too.
func (b *Batch) ClearEdge(field, record, value string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.ClearEdge, Field: field, Record: record, Value: value})
}

// Unset takes its value from the record in a Single or Integer field, whatever it is.
func (b *Batch) Unset(field, record string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.Unset, Field: field, Record: record})
}

// AddRecord makes the record exist, with or without values.
func (b *Batch) AddRecord(record string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.Record, Record: record})
}

// DeleteRecord deletes the record: it leaves every answer at once, and its key is free. A record
// that gets the key later, also by a later write of the batch, is a new one. The pages lose the
// record at the next flush, which for that walks once over the lists of every Set field.
func (b *Batch) DeleteRecord(record string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.Delete, Record: record})
}

// DeleteRow empties a posting list: in a Set or Single field it takes the value from every record;
// in a relation it takes all values from the record of that key. What is not known has nothing to
// lose.
func (b *Batch) DeleteRow(field, row string) {
	b.writes = append(b.writes, binding.Write{Kind: binding.Empty, Field: field, Value: row})
}

// Append appends the writes of another batch.
func (b *Batch) Append(other *Batch) { b.writes = append(b.writes, other.writes...) }

// Reads says all that fn of [Index.Update] has read: records by their IDs, ascending, and keys
// without a record. Then fn is not called again for writes to others.
func (b *Batch) Reads(ids []uint64, unknown []string) {
	b.reads = &model.Reads{Records: ids, Unknown: unknown}
}

// Len returns the number of writes.
func (b *Batch) Len() int { return len(b.writes) }

// Reset empties the batch and keeps its room.
func (b *Batch) Reset() {
	clear(b.writes)
	*b = Batch{writes: b.writes[:0]}
}

// Write commits a batch, all of it or nothing, and returns its sequence number. When it returns
// nil, the batch is on the disk (see Options.NoSync) and every snapshot taken afterwards sees it.
// Records and values that are new get IDs. Writes that come together share a sync; when they outrun
// the disk, Write waits. An empty batch is no commit, nor one that assigns what is there.
//
// ctx ends the waiting before the commit has begun, without effect; a commit that has begun is
// carried through.
//
// Errors: ErrUnknownField, ErrInvalid, ErrReadOnly, ErrTooLarge, ErrClosed, ErrFailed, ErrCorrupt,
// ctx's, or the store's.
func (ix *Index) Write(ctx context.Context, b *Batch) (sequence uint64, err error) {
	for {
		sequence, err = ix.write(ctx, b)
		if !errors.Is(err, model.ErrDeleted) {
			return sequence, err
		}
		// A record of the batch was deleted after it was looked up: the write makes it anew.
	}
}

func (ix *Index) write(ctx context.Context, b *Batch) (sequence uint64, err error) {
	snap := ix.Snapshot()
	defer snap.Close()
	if b.Len() == 0 {
		return snap.Sequence(), nil
	}
	n := binding.New()
	defer n.Done()
	bound, err := n.Bind(ctx, b.writes, snap.lists, snap.schema, unknownField)
	if err != nil {
		return 0, err
	}
	if bound.Len() == 0 {
		return snap.Sequence(), nil
	}
	return ix.lists.CommitFrom(ctx, snap.lists, bound)
}

// Update commits what fn writes into the batch, as of the very state that the commit applies to: no
// other write comes between what fn reads in the snapshot and what it writes. So a record is
// changed on a condition, counted up, or replaced. Without writes nothing is committed; an error of
// fn is returned, and nothing is written. Updates share syncs like other writes.
//
// fn is called at once, and again if there were writes before the turn of the commit that may
// matter (Batch.Reads): then other writers wait for it, with most of what it reads in the cache. It
// may run in another goroutine than the caller's, and must not close the snapshot. Errors: fn's, or
// as of Write.
func (ix *Index) Update(ctx context.Context, fn func(s Snapshot, b *Batch) error) (sequence uint64, err error) {
	var binders []*binding.Binder
	defer func() {
		for _, n := range binders {
			n.Done()
		}
	}()
	return ix.lists.Update(ctx, func(now reader.Snapshot) (*posting.Batch, error) {
		var b Batch
		s := Snapshot{ix: ix, lists: now, schema: ix.schema.Load()}.Under(ctx)
		if err := fn(s, &b); err != nil {
			return nil, err
		}
		n := binding.New()
		binders = append(binders, n)
		n.Reads = b.reads
		return n.Bind(ctx, b.writes, s.lists, s.schema, unknownField)
	})
}

// Flush merges all that was written before the call into pages. It happens by itself; a caller
// needs it only to leave nothing to be replayed, or before measuring. Errors: ctx's, ErrFailed,
// ErrCorrupt, or the store's.
func (ix *Index) Flush(ctx context.Context) error { return ix.lists.Flush(ctx) }
