// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Batch gathers writes to be committed as one. The zero value is empty and ready for use. Of
// several writes to the same record of the same list the last counts. Not for concurrent use.
type Batch struct {
	keys     []model.SpaceKey
	refs     map[model.SpaceKey]model.Ref
	edits    []model.Edit // row and record are Refs
	values   []model.Assignment
	deleted  []model.Ref
	emptied  []model.Emptying
	absent   []bool             // of keys: the snapshot of CommitFrom has it not
	replaced map[model.Ref]bool // keys that stand for new records, whatever records had them before
	edgeKeys []model.EdgeKeyEdit
	Reads    *model.Reads // by the plan that made the batch; nil: it may be anything
}

// deltaBytes returns about how much of a delta the batch will take.
func (b *Batch) deltaBytes() int64 {
	n := 2*delta.EditBytes*int64(len(b.edits)+len(b.edgeKeys)) +
		(2*delta.EditBytes+delta.ValueBytes)*int64(len(b.values)) +
		delta.TombstoneBytes*int64(len(b.deleted)+len(b.emptied))
	for _, k := range b.keys {
		n += delta.NamedBytes + int64(len(k.Key))
	}
	return n
}

// Key returns the Ref of a key in a key space. A key that has no ID is given one when the batch is
// committed.
func (b *Batch) Key(space uint32, key string) model.Ref {
	k := model.SpaceKey{Space: space, Key: key}
	if r, ok := b.refs[k]; ok {
		return r
	}
	if b.refs == nil {
		b.refs = make(map[model.SpaceKey]model.Ref)
	}
	r := model.KeyRef | model.Ref(len(b.keys))
	b.refs[k] = r
	b.keys, b.absent = append(b.keys, k), append(b.absent, false)
	return r
}

// NewKey is Key for a key that the snapshot of CommitFrom does not have. CommitFrom does not look
// it up there again.
func (b *Batch) NewKey(space uint32, key string) model.Ref {
	n := len(b.keys)
	r := b.Key(space, key)
	if len(b.keys) > n {
		b.absent[n] = true
	}
	return r
}

// Set puts a record into the list of a row. Of a relation only the declared direction is named; its
// inverse follows.
func (b *Batch) Set(field uint32, row, record model.Ref) {
	b.edits = append(b.edits, model.Edit{Field: field, Set: true, Row: uint64(row), Record: uint64(record)})
}

// Clear takes a record out of the list of a row.
func (b *Batch) Clear(field uint32, row, record model.Ref) {
	b.edits = append(b.edits, model.Edit{Field: field, Row: uint64(row), Record: uint64(record)})
}

// EdgeKey has a relation with a KeyColumn keep a record of an edge, or keep it no longer. It leaves
// the edge itself as it is.
func (b *Batch) EdgeKey(e model.EdgeKeyEdit) { b.edgeKeys = append(b.edgeKeys, e) }

// Assign gives a record a row in a single-valued field, in the place of the one it had.
func (b *Batch) Assign(field uint32, record, row model.Ref) {
	b.values = append(b.values, model.Assignment{ValueEdit: model.ValueEdit{Field: field, Record: uint64(record),
		Word: uint64(row)}})
}

// AssignInt gives a record an integer in an integer field, in the place of the one it had.
func (b *Batch) AssignInt(field uint32, record model.Ref, x int64) {
	b.values = append(b.values, model.Assignment{ValueEdit: model.AssignInt(field, uint64(record), x),
		Kind: model.WordInt})
}

// Unassign takes its value from a record in a single-valued or integer field.
func (b *Batch) Unassign(field uint32, record model.Ref) {
	b.values = append(b.values, model.Assignment{ValueEdit: model.ValueEdit{Field: field, Record: uint64(record)},
		Kind: model.WordNone})
}

// Drop takes a row from a record in a single-valued field, if that is the one it has.
func (b *Batch) Drop(field uint32, record, row model.Ref) {
	b.values = append(b.values, model.Assignment{ValueEdit: model.ValueEdit{Field: field, Record: uint64(record)},
		Kind: model.WordDrop,
		Only: row})
}

// DropInt takes an integer from a record in an integer field, if that is the one it has.
func (b *Batch) DropInt(field uint32, record model.Ref, x int64) {
	b.values = append(b.values, model.Assignment{ValueEdit: model.AssignInt(field, uint64(record), x),
		Kind: model.WordDropInt})
}

// Delete deletes a record: it leaves every list at once, its ID is never used again, and its key is
// free for a new record. Writes of the batch that name the record are void.
func (b *Batch) Delete(record model.Ref) { b.deleted = append(b.deleted, record) }

// Replace returns the Ref of a key for a new record, whatever record has the key now: for the
// writes that come after the Delete of that one.
func (b *Batch) Replace(space uint32, key string) model.Ref {
	delete(b.refs, model.SpaceKey{Space: space, Key: key})
	r := b.Key(space, key)
	if b.replaced == nil {
		b.replaced = make(map[model.Ref]bool)
	}
	b.replaced[r] = true
	return r
}

// Empty empties the list of a row: what was set before goes, what the batch sets afterwards stays.
// Of a relation either direction may be named.
func (b *Batch) Empty(field uint32, row model.Ref) {
	b.emptied = append(b.emptied, model.Emptying{Field: field, Row: row, Edits: len(b.edits), Values: len(b.values)})
}

// Reset empties the batch and keeps its room.
func (b *Batch) Reset() {
	clear(b.keys)
	clear(b.refs)
	*b = Batch{absent: b.absent[:0], keys: b.keys[:0], refs: b.refs, edits: b.edits[:0], values: b.values[:0],
		deleted: b.deleted[:0], emptied: b.emptied[:0], edgeKeys: b.edgeKeys[:0]}
}

// Len returns the number of writes.
func (b *Batch) Len() int {
	return len(b.edits) + len(b.edgeKeys) + len(b.values) + len(b.deleted) + len(b.emptied)
}
