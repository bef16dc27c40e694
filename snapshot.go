// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/query"
)

// Snapshot is one state of an index: every question to it sees the same writes. Close lets go of
// it, once; space that only it holds is reclaimed after that. It is a small value, safe for
// concurrent use.
type Snapshot struct {
	ix     *Index
	lists  reader.Snapshot
	schema *schema // when it was taken
}

// field finds a field by name: one that was there when the snapshot was taken, though it may have
// been dropped since, or one that was added.
func (s Snapshot) field(name string) (*boundField, error) {
	if s.lists.Closed() {
		return nil, ErrClosed
	}
	if f, ok := s.schema.byName[name]; ok {
		return f, nil
	}
	return s.ix.field(name)
}

// Page says which part of an answer is wanted: at most Limit records (0: all) with record IDs of
// From or more. Because IDs never change and are never used twice, the Next of a page is a stable
// place to go on from, whatever is written meanwhile.
type Page struct {
	From  uint64
	Limit int
}

// IDs is a page of record IDs, ascending. When there are More, the next page is From Next.
type IDs struct {
	IDs  []uint64
	Next uint64
	More bool
}

// Close lets go of the snapshot, and of all copies of it: what is read through them later is
// ErrClosed. What was read before stays valid. Closing it twice is a mistake of the program, and
// panics.
func (s Snapshot) Close() { s.lists.Close() }

// Under returns the snapshot for questions that take no context, and end with this one; those that
// take one end with theirs. After each page of a list or of keys that must be read from the store,
// and after a single key or value for which some must be, ctx is looked at, and its error returned
// if it is done. So a question that finds nothing in the cache takes little longer than it may,
// also on a slow disk. Closing one of the two closes both.
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
func (s Snapshot) SchemaVersion() uint64 { return s.schema.version }

// LimitQueries returns a context in which each query may keep so many bytes of pages, sets and
// scratch memory alive at a time, at least 1 MiB: one that needs more is ErrLimit. For servers,
// whose clients must not be able to ask for everything at once. The number of lists that a query
// reads has no limit. What Top and Groups read beside the query is bounded by Options.MemoryBytes
// and the context's deadline only.
func LimitQueries(ctx context.Context, bytes int64) context.Context {
	return eval.WithLimit(ctx, bytes)
}

// Count returns the number of records that a query fits, without listing them. The records that a
// conjunction of some relations names are looked up together, as in CountAnd.
//
// A record that a query names and that does not exist has no row, and a value that no record ever
// had has no records: such a leaf is empty. See Unknown. Errors of Count, IDs, Keys and Contains:
// ErrUnknownField, ErrUnknownSet, ErrInvalid, ErrLimit, query.ErrInvalid, ErrCorrupt, ctx's, or the
// store's; of Contains also ErrUnknownRecord for the record that it is given.
func (s Snapshot) Count(ctx context.Context, q query.Expr) (uint64, error) {
	s = s.Under(ctx)
	var room [relatedMost]query.Related
	if of := allRelated(&room, q); len(of) > 0 {
		n, err := s.CountAnd(ctx, of...)
		if errors.Is(err, ErrUnknownRecord) {
			return 0, nil
		}
		return n, err
	}
	return eval.Count(ctx, s.lists, q, s.bindQuery)
}

// CountAnd returns the number of records that fit every one of some relations: Count of their
// conjunction, without a query. It allocates nothing when all pages are in the cache. Of no
// relations it is 0. Errors as of Count, and ErrUnknownRecord for a record that does not exist.
func (s Snapshot) CountAnd(ctx context.Context, of ...query.Related) (uint64, error) {
	s = s.Under(ctx)
	var room relatedRoom
	rows, err := s.bindRelated(&room, of)
	if err != nil {
		return 0, err
	}
	return eval.CountAnd(ctx, s.lists, rows...)
}

// IDs returns a page of the record IDs that a query fits. It allocates the page only.
func (s Snapshot) IDs(ctx context.Context, q query.Expr, p Page) (IDs, error) {
	s = s.Under(ctx)
	if p.Limit < 0 {
		return IDs{}, invalid("limit: got %d, want 0 or more", p.Limit)
	}
	ids, more, err := eval.AppendIDs(ctx, nil, s.lists, q, s.bindQuery, p.From, p.Limit)
	if err != nil {
		return IDs{}, err
	}
	out := IDs{IDs: ids, More: more}
	if more {
		out.Next = ids[len(ids)-1] + 1
	}
	return out, nil
}

// Step is one operation of the plan of a query, with those below it. Its String is the plan as
// text.
type Step = eval.Step

// Explain plans a query, counts its records and those of each step by itself, and says how long
// that took. Errors as of Count.
func (s Snapshot) Explain(ctx context.Context, q query.Expr) (Step, error) {
	s = s.Under(ctx)
	return eval.Explain(ctx, s.lists, q, s.bindQuery)
}

// Bitmap returns the IDs of the records that a query fits as a serialized bitmap, which belongs to
// the caller. Its bytes may stand in a query.Bitmap.
func (s Snapshot) Bitmap(ctx context.Context, q query.Expr) (*bitmap.Bitmap, error) {
	set, err := recordsOf(ctx, s, q)
	return (*bitmap.Bitmap)(set), err
}

// recordsOf finds the records that a query fits.
func recordsOf(ctx context.Context, s Snapshot, q query.Expr) (*mutable.Bitmap, error) {
	s = s.Under(ctx)
	return eval.Bitmap(ctx, s.lists, q, s.bindQuery, pack.Fastest)
}

// Contains reports whether a query fits one record. It probes each posting list of the query once;
// a query.Any costs as much as in a count.
func (s Snapshot) Contains(ctx context.Context, q query.Expr, record string) (bool, error) {
	s = s.Under(ctx)
	id, err := s.ID(record)
	if err != nil {
		return false, err
	}
	return eval.Contains(ctx, s.lists, q, s.bindQuery, id)
}

// Has reports whether the record has the value in the field: one probe of one posting list. Errors:
// ErrUnknownField, ErrUnknownRecord (the record, or in a relation the value), ErrCorrupt, or the
// store's.
func (s Snapshot) Has(field, record, value string) (bool, error) {
	f, err := s.field(field)
	if err != nil {
		return false, err
	}
	if f.Type == Relation {
		keys := [...]reader.Lookup{{Key: record, Near: f.id}, {Key: value}}
		if err := s.lookUp(keys[:]); err != nil {
			return false, err
		}
		return s.lists.Contains(f.id, keys[0].ID, keys[1].ID)
	}
	id, err := s.ID(record)
	if err != nil {
		return false, err
	}
	if f.Type == Integer {
		want, err := f.parseNumber(value)
		if err != nil {
			return false, err
		}
		x, ok, err := s.lists.Int(f.id, id)
		return ok && x == want, err
	}
	row, ok, err := s.lists.Lookup(model.KeySpace(f.id), value)
	if err != nil || !ok {
		return false, err
	}
	return s.lists.Contains(f.id, row, id)
}

// Value returns the value of the record in a Single field; ok is false when it has none. Cost: one
// probe of the forward column. Errors: ErrUnknownField, ErrUnknownRecord, ErrInvalid (a field of
// another type), ErrCorrupt, or the store's.
func (s Snapshot) Value(field, record string) (value string, ok bool, err error) {
	f, id, err := s.forward(field, record, Single)
	if err != nil {
		return "", false, err
	}
	row, ok, err := s.lists.Value(f.id, id)
	if err != nil || !ok {
		return "", false, err
	}
	key, ok, err := s.lists.AppendKey(nil, model.KeySpace(f.id), row)
	if err == nil && !ok {
		err = fmt.Errorf("%w: %s: row %d has no key", ErrCorrupt, field, row)
	}
	return string(key), ok, err
}

// Int returns the integer of the record in an Integer field; ok is false when it has none. Cost and
// errors as of Value.
func (s Snapshot) Int(field, record string) (x int64, ok bool, err error) {
	f, id, err := s.forward(field, record, Integer)
	if err != nil {
		return 0, false, err
	}
	return s.lists.Int(f.id, id)
}

// forward finds a field of a type, and a record.
func (s Snapshot) forward(field, record string, want FieldType) (*boundField, uint64, error) {
	f, err := s.field(field)
	if err != nil {
		return nil, 0, err
	}
	if f.Type != want {
		return nil, 0, invalid("%s: got a field of type %q, want %q", field, f.Type, want)
	}
	id, err := s.ID(record)
	return f, id, err
}

// ID returns the ID of a record. Errors: ErrUnknownRecord, ErrCorrupt, or the store's.
func (s Snapshot) ID(record string) (uint64, error) {
	id, ok, err := s.lists.Lookup(model.RecordSpace, record)
	if ok && err == nil {
		ok, err = s.lists.Contains(model.Exists, 0, id)
	}
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, &UnknownError{What: "record", Name: record}
	}
	return id, nil
}

// Key returns the key of a record. Errors: ErrUnknownRecord, ErrCorrupt, or the store's.
func (s Snapshot) Key(id uint64) (string, error) {
	exists, err := s.lists.Contains(model.Exists, 0, id)
	if err != nil {
		return "", err
	}
	if !exists {
		return "", &UnknownError{What: "record", Name: "#" + formatID(id)}
	}
	keys, err := s.KeysOf([]uint64{id})
	if err != nil {
		return "", err
	}
	return keys[0], nil
}

// relatedMost is how many relations are a few.
const relatedMost = 4

// relatedRoom is the memory in which a few relations are bound.
type relatedRoom struct {
	keys [relatedMost]reader.Lookup
	rows [relatedMost]eval.Row
}

// allRelated returns the operands of a conjunction of two relations or a few more, and none of
// another query.
func allRelated(room *[relatedMost]query.Related, q query.Expr) []query.Related {
	and, ok := q.(query.And)
	if !ok || len(and.Of) < 2 || len(and.Of) > len(room) {
		return nil
	}
	for i, e := range and.Of {
		if room[i], ok = e.(query.Related); !ok {
			return nil
		}
	}
	return room[:len(and.Of)]
}

// bindRelated says which posting lists some relations are. Their keys are looked up together.
func (s Snapshot) bindRelated(room *relatedRoom, of []query.Related) ([]eval.Row, error) {
	keys, rows := room.keys[:0], room.rows[:0]
	for i := range of {
		f, err := s.field(of[i].Field)
		if err != nil {
			return nil, err
		}
		if f.Type != Relation {
			return nil, invalid("%s: got a field of type %q, want a relation; try %s", of[i], f.Type,
				query.Equal{Field: of[i].Field, Value: of[i].Key})
		}
		keys, rows = append(keys, reader.Lookup{Key: of[i].Key, Near: f.id}), append(rows, eval.Row{Field: f.id})
	}
	if err := s.lookUp(keys); err != nil {
		return nil, err
	}
	for i := range keys {
		rows[i].Row = keys[i].ID
	}
	return rows, nil
}

// lookUp finds the IDs of records by their keys, which are looked up together. Errors: ErrCorrupt
// or the store's of any, and otherwise ErrUnknownRecord of the first that there is not.
func (s Snapshot) lookUp(keys []reader.Lookup) error {
	for i := range keys {
		keys[i].Space, keys[i].Exists = model.RecordSpace, true
	}
	if err := s.lists.Lookups(keys); err != nil {
		return err
	}
	for i := range keys {
		if !keys[i].OK {
			return &UnknownError{What: "record", Name: keys[i].Key}
		}
	}
	return nil
}
