// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
)

// Commit is one write of an index, as a follower of its changes sees it.
type Commit struct {
	Sequence uint64
	Time     time.Time // of the write; information, never an order
	Changes  []Change  // in the order in which they apply, without those of fields that were dropped since
	Loaded   bool      // a bulk load became visible: what it brought is in snapshots from here on, not in Changes
}

// ChangeKind says what a Change does.
type ChangeKind string

const (
	ChangeSet          ChangeKind = "set"          // the record has the value
	ChangeClear        ChangeKind = "clear"        // it has not
	ChangeUnset        ChangeKind = "unset"        // it has no value in a Single or Integer field
	ChangeAddRecord    ChangeKind = "addRecord"    // the record exists
	ChangeDeleteRecord ChangeKind = "deleteRecord" // the record exists no more
	ChangeDeleteRow    ChangeKind = "deleteRow"    // Value is a row that was emptied, as by Batch.DeleteRow
)

// Change is one absolute statement: applying it twice is applying it once. Record, or in a relation
// Value, is empty when that record was deleted since and the deletion flushed: a follower may pass
// over the change, because a later ChangeDeleteRecord takes all of the record away, with its key.
type Change struct {
	Kind     ChangeKind
	Field    string // empty for records
	Record   string
	RecordID uint64
	Value    string // of an Integer field: the number, as the field declares it
	ValueID  uint64 // of a relation: the ID of the record Value
}

// TrimmedError says that commits which a follower asked for are no longer kept. It matches
// ErrSequenceTrimmed.
type TrimmedError struct {
	Want   uint64 // the first that was asked for
	Oldest uint64 // the first that is kept
}

// Error names both numbers.
func (e *TrimmedError) Error() string {
	return fmt.Sprintf("uproar: commits are no longer kept: got %d to begin with, want %d or later", e.Want, e.Oldest)
}

// Is reports whether target is ErrSequenceTrimmed.
func (e *TrimmedError) Is(target error) bool { return target == ErrSequenceTrimmed }

// ErrSequenceTrimmed is matched when a follower asks for changes that are no longer kept. The error
// is a *TrimmedError, which names the oldest kept.
var ErrSequenceTrimmed = model.ErrSequenceTrimmed

// Changes returns the commits after number after, in order. It ends with the last commit at the
// time of the call; 0 begins with the first. It misses no commit and repeats none. A follower keeps
// the Sequence of the last commit it has applied and continues from there, even after a restart.
// [Index.Wait] tells when there is more.
//
// An index that is made after one was dropped, or beside one with an alias, begins with a higher
// number: who followed the other one, under the same name, gets ErrSequenceTrimmed.
//
// The sequence ends with the first error: ErrSequenceTrimmed (see Options.LogEntries), ErrCorrupt,
// ErrClosed, ErrInvalid, ctx's, or the store's.
func (ix *Index) Changes(ctx context.Context, after uint64) iter.Seq2[Commit, error] {
	return func(yield func(Commit, error) bool) {
		if last := ix.lists.Sequence(); after > last {
			yield(Commit{}, invalid("changes: got commit %d to go on behind, want at most %d, the last one", after, last))
			return
		}
		stop := errors.New("stop")
		err := ix.lists.Log(ctx, ix.start(after), func(e posting.Entry) error {
			c, err := ix.commit(e)
			if err != nil {
				return err
			}
			if !yield(c, nil) {
				return stop
			}
			return nil
		})
		if e, ok := errors.AsType[*posting.TrimmedError](err); ok {
			err = &TrimmedError{Want: e.Want, Oldest: e.Oldest}
		}
		if err != nil && err != stop {
			yield(Commit{}, err)
		}
	}
}

// Wait returns when there is a commit after the one numbered after. Errors: ctx's, or ErrClosed.
func (ix *Index) Wait(ctx context.Context, after uint64) error {
	return ix.lists.Wait(ctx, ix.start(after))
}

// start returns the number after which a follower goes on; 0 is before the first commit.
func (ix *Index) start(after uint64) uint64 { return cmp.Or(after, ix.above) }

// commit gives the changes of a log entry their names.
func (ix *Index) commit(e posting.Entry) (Commit, error) {
	snap := ix.lists.Snapshot()
	defer snap.Close()
	c := Commit{Sequence: e.Sequence, Time: e.Time, Loaded: e.Loaded}
	for _, x := range e.Changes {
		if ix.schema.Load().Dropped(x.Field) != nil {
			continue // its values may have no names any more, and its own may be that of another field
		}
		change, err := ix.change(snap, x)
		if err != nil {
			return c, err
		}
		c.Changes = append(c.Changes, change)
	}
	return c, nil
}

func (ix *Index) change(snap reader.Snapshot, x posting.Change) (c Change, err error) {
	c.RecordID = x.Record
	key := func(space uint32, id uint64) string {
		var text []byte
		if err == nil {
			text, _, err = snap.AppendKey(nil, space, id)
		}
		return string(text)
	}
	if x.Kind == posting.Delete {
		c.Kind, c.Record = ChangeDeleteRecord, x.Key
		return c, nil
	}
	if x.Field == model.Exists {
		c.Kind, c.Record = ChangeAddRecord, key(model.RecordSpace, x.Record)
		return c, err
	}
	f := ix.schema.Load().Numbered(x.Field)
	if f == nil {
		return c, invalid("log: got field %d, want a declared one", x.Field)
	}
	c.Field = f.Name
	switch x.Kind {
	case posting.Empty:
		c.Kind, c.RecordID, c.Value = ChangeDeleteRow, 0, key(f.Space(), x.Row)
		if f.Type == schema.Relation {
			c.ValueID = x.Row
		}
		return c, err
	case posting.Put, posting.Assign:
		c.Kind = ChangeSet
	case posting.Cut:
		c.Kind = ChangeClear
	case posting.Remove:
		c.Kind = ChangeUnset
	}
	switch {
	case f.Type == schema.Relation: // the row is the record that has the relation
		c.RecordID, c.Record, c.Value = x.Row, key(model.RecordSpace, x.Row), key(model.RecordSpace, x.Record)
		c.ValueID = x.Record
		return c, err
	case x.Kind == posting.Remove:
	case f.Type == schema.Integer:
		c.Value = f.Text(x.Integer)
	default:
		c.Value = key(f.Space(), x.Row)
	}
	c.Record = key(model.RecordSpace, x.Record)
	return c, err
}
