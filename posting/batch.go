// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"fmt"
	"slices"
)

// Ref names a record or a row in a Batch: by its ID, or as a key that may have none yet.
type Ref uint64

// keyRef is the bit of a Ref that counts the keys of its batch; the others are IDs.
const keyRef Ref = 1 << 63

// maxEdits is how many writes a batch may have, so that one alone cannot fill the memory.
const maxEdits = 1 << 20

// MaxID is the greatest ID.
const MaxID = 1<<63 - 1

// ID returns the Ref of an ID of at most MaxID. A batch with the Ref of a greater one is refused.
func ID(id uint64) Ref {
	if id > MaxID {
		return noRef
	}
	return Ref(id)
}

// noRef is a Ref of no batch.
const noRef Ref = 1<<64 - 1

// spaceKey is a key and the space that gives it an ID.
type spaceKey struct {
	space uint32
	key   string
}

// Batch gathers writes to be committed as one. The zero value is empty and ready for use. Of several writes to the same record of the same list the
// last counts. Not for concurrent use.
type Batch struct {
	keys  []spaceKey
	refs  map[spaceKey]Ref
	edits []edit // row and record are Refs
}

// Key returns the Ref of a key in a key space. A key that has no ID is given one when the batch is committed.
func (b *Batch) Key(space uint32, key string) Ref {
	k := spaceKey{space, key}
	if r, ok := b.refs[k]; ok {
		return r
	}
	if b.refs == nil {
		b.refs = make(map[spaceKey]Ref)
	}
	r := keyRef | Ref(len(b.keys))
	b.refs[k] = r
	b.keys = append(b.keys, k)
	return r
}

// Set puts a record into the list of a row. Of a relation only the declared direction is named; its inverse follows.
func (b *Batch) Set(field uint32, row, record Ref) {
	b.edits = append(b.edits, edit{field: field, set: true, row: uint64(row), record: uint64(record)})
}

// Clear takes a record out of the list of a row.
func (b *Batch) Clear(field uint32, row, record Ref) {
	b.edits = append(b.edits, edit{field: field, row: uint64(row), record: uint64(record)})
}

// Len returns the number of writes.
func (b *Batch) Len() int { return len(b.edits) }

// resolve returns the edits with IDs in the place of Refs, ascending, each record of a list once.
func (b *Batch) resolve(ids []uint64) []edit {
	edits := make([]edit, len(b.edits))
	for i, e := range b.edits {
		e.row, e.record = resolve(e.row, ids), resolve(e.record, ids)
		edits[i] = e
	}
	return normalize(edits)
}

// resolve returns the ID that a Ref stands for.
func resolve(x uint64, ids []uint64) uint64 {
	if Ref(x)&keyRef != 0 {
		return ids[Ref(x)&^keyRef]
	}
	return x
}

// normalize sorts edits and keeps the last of each record of a list.
func normalize(edits []edit) []edit {
	slices.SortStableFunc(edits, compareEdits)
	n := 0
	for i, e := range edits {
		if i+1 < len(edits) && compareEdits(e, edits[i+1]) == 0 {
			continue
		}
		edits[n] = e
		n++
	}
	return edits[:n]
}

func compareEdits(a, b edit) int {
	return cmp.Or(cmp.Compare(a.field, b.field), cmp.Compare(a.row, b.row), cmp.Compare(a.record, b.record))
}

// check fails when the batch names a field that is not declared, or a key that is too long.
func (ix *Index) check(b *Batch) error {
	for _, k := range b.keys {
		if len(k.key) > MaxKey {
			return fmt.Errorf("%w: got a key of %d bytes, want at most %d", ErrInvalid, len(k.key), MaxKey)
		}
		if k.space != RecordSpace && (k.space%4 != RecordSpace || !ix.declared(k.space-1)) {
			return fmt.Errorf("%w: got key space %d, which no field has", ErrInvalid, k.space)
		}
	}
	if len(b.edits) > maxEdits {
		return fmt.Errorf("%w: got a batch of %d writes, want at most %d", ErrTooLarge, len(b.edits), maxEdits)
	}
	for _, e := range b.edits {
		if !ix.declared(e.field) {
			return fmt.Errorf("%w: got field %d, which is not declared, or the inverse of one", ErrInvalid, e.field)
		}
		for _, x := range [...]uint64{e.row, e.record} {
			if r := Ref(x); r&keyRef != 0 && int(r&^keyRef) >= len(b.keys) {
				return fmt.Errorf("%w: got an ID above %d, or the Ref of another batch", ErrInvalid, uint64(MaxID))
			}
		}
	}
	return nil
}

// declared reports whether writes may name the field.
func (ix *Index) declared(field uint32) bool {
	f, ok := ix.fields[field]
	return field == Exists || ok && !f.Derived
}
