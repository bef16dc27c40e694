// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/spelling"
)

// Index is one universe of records with its fields. Safe for concurrent use.
type Index struct {
	name   string
	lists  *posting.Index
	memory int64 // Options.MemoryBytes
	schema atomic.Pointer[schema]
	note   atomic.Pointer[[]byte]
}

// schema is the fields of an index. It never changes; another takes its place.
type schema struct {
	version uint64
	fields  []*boundField // in the order of their numbers
	byName  map[string]*boundField

	dropped map[uint32]*boundField // those that were dropped, by number: the log and pages may still have them
}

// boundField is a field as the index keeps it.
type boundField struct {
	Field
	id      uint32
	inverse uint32 // 0: not a relation
	derived bool
}

// space returns the key space of the field's rows.
func (f *boundField) space() uint32 {
	if f.Type == Relation {
		return model.RecordSpace
	}
	return model.KeySpace(f.id)
}

func newIndex(c *catalogIndex, lists *posting.Index, memory int64) *Index {
	ix := &Index{name: c.Name, lists: lists, memory: memory}
	ix.note.Store(&c.Note)
	ix.schema.Store(newSchema(c.Fields))
	return ix
}

// schemas counts the schemas of all indexes.
var schemas atomic.Uint64

func newSchema(fields []catalogField) *schema {
	s := &schema{version: schemas.Add(1), byName: make(map[string]*boundField), dropped: make(map[uint32]*boundField)}
	names := map[uint32]string{}
	for _, f := range fields {
		names[f.ID] = f.Name
	}
	for _, f := range fields {
		b := &boundField{Field: Field{Name: f.Name, Type: f.Type, Inverse: names[f.Inverse], Format: f.Format,
			Scale: f.Scale, Column: f.Column}, id: f.ID, inverse: f.Inverse, derived: f.Derived}
		if f.Dropped {
			s.dropped[f.ID] = b
			continue
		}
		s.fields = append(s.fields, b)
		s.byName[f.Name] = b
	}
	s.byName[SavedField] = &boundField{Field: Field{Name: SavedField, Type: Set}, id: savedField}
	return s
}

// Name returns the name of the index.
func (ix *Index) Name() string { return ix.name }

// Fields returns the fields in the order of their declaration, each relation followed by its
// inverse.
func (ix *Index) Fields() []Field {
	s := ix.schema.Load()
	fields := make([]Field, len(s.fields))
	for i, f := range s.fields {
		fields[i] = f.Field
	}
	return fields
}

// field finds a field by name.
func (ix *Index) field(name string) (*boundField, error) {
	s := ix.schema.Load()
	if f, ok := s.byName[name]; ok {
		return f, nil
	}
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.Name
	}
	return nil, &UnknownError{What: "field", Name: name, Suggestion: spelling.Suggest(name, names)}
}

// Write commits a batch, all of it or nothing, and returns its sequence number. When it returns
// nil, the batch is on the disk (see Options.NoSync) and every snapshot taken afterwards sees it.
// Records and values that are new get IDs. Writes that come together share a sync; when they outrun
// the disk, Write waits. An empty batch is no commit.
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
	n := binders.Get().(*binder)
	defer n.done()
	bound, err := n.bind(ctx, b, snap)
	if err != nil {
		return 0, err
	}
	if bound.Len() == 0 {
		return snap.Sequence(), nil
	}
	return ix.lists.CommitFrom(ctx, snap.lists, bound)
}

// Flush merges all that was written before the call into pages. It happens by itself; a caller
// needs it only to leave nothing to be replayed, or before measuring. Errors: ctx's, ErrFailed,
// ErrCorrupt, or the store's.
func (ix *Index) Flush(ctx context.Context) error { return ix.lists.Flush(ctx) }

// Snapshot returns the current state: all writes are in it that had returned. It takes no lock. The
// caller closes it.
func (ix *Index) Snapshot() Snapshot {
	lists := ix.lists.Snapshot()
	return Snapshot{ix: ix, lists: lists, schema: ix.schema.Load()} // which knows no field whose pages are gone
}
