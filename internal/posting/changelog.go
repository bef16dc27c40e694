// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// Entry is one commit of the log, as a follower reads it.
type Entry struct {
	Sequence uint64
	Time     time.Time // of the commit; information, never an order
	Changes  []Change  // in the order in which they apply
	Loaded   bool      // a bulk load was installed: what it brought is in the snapshots from here on, not in Changes
}

// ChangeKind says what a Change does.
type ChangeKind uint8

const (
	Put    ChangeKind = iota // the record is in the list of the row
	Cut                      // it is not
	Assign                   // the record has the row, or the integer, alone
	Remove                   // the record has no row or integer
	Delete                   // the record exists no more
	Empty                    // the list of the row is empty
)

// Change is one absolute statement of an Entry: applying it twice is applying it once. A relation
// is named in its declared direction.
type Change struct {
	Kind    ChangeKind
	Field   uint32
	Row     uint64
	Record  uint64
	Integer int64  // Assign in an integer field
	Key     string // Delete: the key that the record had
}

// TrimmedError says that entries which a follower asked for are no longer kept. It matches
// ErrSequenceTrimmed.
type TrimmedError struct {
	Want   uint64 // the first that was asked for
	Oldest uint64 // the first that is kept
}

// Error names both numbers.
func (e *TrimmedError) Error() string {
	return fmt.Sprintf("posting: the log was trimmed: got entry %d to begin with, want %d or later", e.Want, e.Oldest)
}

// Is reports whether target is ErrSequenceTrimmed.
func (e *TrimmedError) Is(target error) bool { return target == model.ErrSequenceTrimmed }

// Log calls fn with each commit after number after, in order. It ends with the last commit at the
// time of the call, or with the first error of fn, which it returns. It misses no commit and
// repeats none: a follower keeps the number of the last entry it has applied and continues after
// it. fn owns the Entry.
//
// Errors: a *TrimmedError, ErrCorrupt, ErrClosed, ErrInvalid (a number that is yet to come), ctx's,
// fn's, or the store's.
func (ix *Index) Log(ctx context.Context, after uint64, fn func(Entry) error) error {
	last := ix.source.State.Load().Sequence
	if after > last {
		return fmt.Errorf("%w: got entry %d to go on after, want at most %d", model.ErrInvalid, after, last)
	}
	if ix.config.SyncEvery > 0 { // else who only reads would wait for who writes
		ix.writer.mu.Lock()
		err := ix.writer.writeUnsynced()
		ix.writer.mu.Unlock()
		if err != nil {
			return err
		}
	}
	for after < last {
		if ix.source.Closed.Load() {
			return model.ErrClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if oldest := ix.changes.oldest.Load(); after+1 < oldest {
			return ix.missing(after+1, oldest)
		}
		frames, err := ix.changes.read(after + 1)
		if err != nil {
			return err
		}
		if len(frames) == 0 || frames[0].First > after+1 {
			got := last + 1
			if len(frames) > 0 {
				got = frames[0].First
			}
			return ix.missing(after+1, got)
		}
		for _, f := range frames {
			if after, err = ix.tell(f, after, last, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell gives a follower the commits of a frame after number after, up to last. It returns the
// number of the last commit it gave.
func (ix *Index) tell(f *wal.Frame, after, last uint64, fn func(Entry) error) (uint64, error) {
	f.Skip(after + 1)
	for after < min(f.Last, last) {
		l, err := f.Decode()
		if err != nil {
			return after, err
		}
		if err := fn(ix.entry(after+1, l)); err != nil {
			return after, err
		}
		after++
	}
	return after, nil
}

// missing says why an entry is not there: it was trimmed, or lost.
func (ix *Index) missing(want, got uint64) error {
	if oldest := ix.changes.oldest.Load(); want < oldest {
		return &TrimmedError{Want: want, Oldest: oldest}
	}
	return model.Corrupt("log", "got entry %d, want %d", got, want)
}

// entry turns a log entry into what a follower reads.
func (ix *Index) entry(sequence uint64, l *wal.Entry) Entry {
	e := Entry{Sequence: sequence, Time: time.UnixMilli(int64(l.Time)), Loaded: l.Installed > 0}
	for _, row := range l.Emptied {
		e.Changes = append(e.Changes, Change{Kind: Empty, Field: row.Field, Row: row.Row})
	}
	for _, d := range l.Deleted {
		e.Changes = append(e.Changes, Change{Kind: Delete, Record: d.Record, Key: d.Key})
	}
	for _, x := range l.Edits {
		if reader.IsColumn(x.Field) {
			continue // keys of edges, which followers are not told
		}
		kind := Cut
		if x.Set {
			kind = Put
		}
		e.Changes = append(e.Changes, Change{Kind: kind, Field: x.Field, Row: x.Row, Record: x.Record})
	}
	for _, f := range l.Values {
		c := Change{Kind: Assign, Field: f.Field, Record: f.Record}
		switch {
		case f.Word == 0:
			c.Kind = Remove
		case ix.source.FieldOf(f.Field).Kind == model.Integers:
			c.Integer = f.Integer()
		default:
			c.Row = f.Word - 1
		}
		e.Changes = append(e.Changes, c)
	}
	return e
}

// Wait returns when there is a commit after the one numbered after. Errors: ctx's, or ErrClosed.
func (ix *Index) Wait(ctx context.Context, after uint64) error {
	for {
		changed := ix.writer.commits.wait()
		if ix.source.State.Load().Sequence > after {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-ix.stopping.Done():
			return model.ErrClosed
		}
	}
}
