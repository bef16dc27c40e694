// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
)

// mostChanged is how many names of changed keys are kept before all keys are read anew.
const mostChanged = 1 << 16

// keySet is which rows have members, once somebody wants to know how many there are: about a bit
// for each key. A walk finds them; after that only keys are looked at that were written to. Safe
// for concurrent use.
type keySet struct {
	reading sync.Mutex
	rows    *bitmap.Bitmap // by their numbers
	at      uint64         // the last commit of which nothing is in changed any more
	held    int64          // bytes of rows that are counted

	mu       sync.Mutex
	changed  map[string]bool // names of keys that were written to since rows was right; nil: it is not
	sequence uint64          // of the last commit that was noted
}

// noKeys is no keys at all.
var noKeys = map[string]bool{}

// note notes keys that were written to up to a commit; nil: it may be any.
func (k *keySet) note(names map[string]bool, sequence uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sequence = sequence
	if k.changed == nil {
		return
	}
	if names == nil || len(k.changed)+len(names) > mostChanged {
		k.changed = nil
		return
	}
	maps.Copy(k.changed, names)
}

// release gives back what the rows hold.
func (k *keySet) release(db *uproar.DB) {
	k.reading.Lock()
	defer k.reading.Unlock()
	db.Hold(-k.held)
	k.rows, k.held = nil, 0
}

// errUnknown says that the rows are not known for a snapshot.
var errUnknown = errors.New("keyspace: which keys there are is not known")

// in calls fn with the numbers of the rows that have members in a snapshot, which fn must not keep.
// Errors: errUnknown, if they would have to be walked over for this snapshot alone.
func (k *keySet) in(ctx context.Context, db *uproar.DB, ix *uproar.Index, snap uproar.Snapshot,
	fn func(rows *bitmap.Bitmap) error) error {
	sequence := snap.Sequence()
	k.reading.Lock()
	defer k.reading.Unlock()
	k.mu.Lock()
	noted, names := k.sequence, slices.Collect(maps.Keys(k.changed))
	known := k.changed != nil
	if !known && noted <= sequence {
		k.changed = make(map[string]bool) // from here on
	}
	k.mu.Unlock()
	switch {
	case !known && noted > sequence || known && k.at > sequence:
		return errUnknown
	case !known:
		rows, err := walkRows(ctx, snap)
		if err != nil {
			k.note(nil, noted)
			return err
		}
		k.rows, k.at = rows, sequence
	case noted < sequence: // others have written since
		c, err := changesOf(ctx, ix, noted, sequence, nil, 0)
		if err != nil || c.any {
			return errUnknown
		}
		names = slices.AppendSeq(names, maps.Keys(c.names))
	}
	for _, name := range names {
		if err := k.look(ctx, snap, name); err != nil {
			return err
		}
	}
	k.mu.Lock()
	if known && noted <= sequence && k.changed != nil && k.sequence == noted { // else some were noted meanwhile
		clear(k.changed)
		k.at = sequence
	}
	k.mu.Unlock()
	bytes := int64(len(k.rows.Bytes()))
	db.Hold(bytes - k.held)
	k.held = bytes
	return fn(k.rows)
}

// look finds out whether a row has members.
func (k *keySet) look(ctx context.Context, snap uproar.Snapshot, name string) error {
	id, ok, err := snap.RowID(memberField, name)
	if err != nil || !ok {
		return err
	}
	has, err := hasRecords(ctx, snap, id)
	switch {
	case err != nil:
	case has:
		k.rows.Add(id.Number())
	default:
		k.rows.Remove(id.Number())
	}
	return err
}

// hasRecords reports whether a row has a record in a snapshot.
func hasRecords(ctx context.Context, snap uproar.Snapshot, of uproar.RowID) (bool, error) {
	var first [1]uint64
	ids, _, err := snap.AppendAnd(ctx, first[:0], 1, of)
	return len(ids) > 0, err
}

// walkRows reads which rows have members.
func walkRows(ctx context.Context, snap uproar.Snapshot) (*bitmap.Bitmap, error) {
	rows := bitmap.Of()
	for row, err := range snap.Rows(ctx, memberField) {
		if err != nil {
			return nil, err
		}
		id, _, err := snap.RowID(memberField, row.Key)
		if err != nil {
			return nil, err
		}
		rows.Add(id.Number())
	}
	return rows, nil
}
