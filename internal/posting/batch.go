// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
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

// Batch gathers writes to be committed as one. The zero value is empty and ready for use. Of
// several writes to the same record of the same list the last counts. Not for concurrent use.
type Batch struct {
	keys     []spaceKey
	refs     map[spaceKey]Ref
	edits    []edit // row and record are Refs
	forward  []assignment
	deleted  []Ref
	emptied  []emptying
	replaced map[Ref]bool // keys that stand for new records, whatever records had them before
}

// deltaBytes returns about how much of a delta the batch will take.
func (b *Batch) deltaBytes() int64 {
	n := 2*editBytes*int64(len(b.edits)) + (2*editBytes+forwardBytes)*int64(len(b.forward)) +
		tombstoneBytes*int64(len(b.deleted)+len(b.emptied))
	for _, k := range b.keys {
		n += namedBytes + int64(len(k.key))
	}
	return n
}

// assignment gives a record a value in a single-valued or integer field.
type assignment struct {
	valueEdit      // record is a Ref, word one too unless the field holds integers
	kind      word // how word is to be read
	only      Ref  // if kind is wordDrop: the row that the record must have
}

// word says what the word of an assignment is.
type word uint8

const (
	wordRow     word = iota // the Ref of a row
	wordInt                 // the word of an integer
	wordNone                // no value
	wordDrop                // no value, if the record has the row that only names
	wordDropInt             // no value, if the record has the integer of word
)

// emptying empties the list of a row.
type emptying struct {
	field          uint32
	row            Ref
	edits, forward int // how many of each came before: they are void
}

// Key returns the Ref of a key in a key space. A key that has no ID is given one when the batch is
// committed.
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

// Set puts a record into the list of a row. Of a relation only the declared direction is named; its
// inverse follows.
func (b *Batch) Set(field uint32, row, record Ref) {
	b.edits = append(b.edits, edit{field: field, set: true, row: uint64(row), record: uint64(record)})
}

// Clear takes a record out of the list of a row.
func (b *Batch) Clear(field uint32, row, record Ref) {
	b.edits = append(b.edits, edit{field: field, row: uint64(row), record: uint64(record)})
}

// Assign gives a record a row in a single-valued field, in the place of the one it had.
func (b *Batch) Assign(field uint32, record, row Ref) {
	b.forward = append(b.forward, assignment{valueEdit: valueEdit{field: field, record: uint64(record), word: uint64(row)}})
}

// AssignInt gives a record an integer in an integer field, in the place of the one it had.
func (b *Batch) AssignInt(field uint32, record Ref, x int64) {
	b.forward = append(b.forward, assignment{valueEdit: assignInt(field, uint64(record), x), kind: wordInt})
}

// Unassign takes its value from a record in a single-valued or integer field.
func (b *Batch) Unassign(field uint32, record Ref) {
	b.forward = append(b.forward, assignment{valueEdit: valueEdit{field: field, record: uint64(record)}, kind: wordNone})
}

// Drop takes a row from a record in a single-valued field, if that is the one it has.
func (b *Batch) Drop(field uint32, record, row Ref) {
	b.forward = append(b.forward, assignment{valueEdit: valueEdit{field: field, record: uint64(record)}, kind: wordDrop,
		only: row})
}

// DropInt takes an integer from a record in an integer field, if that is the one it has.
func (b *Batch) DropInt(field uint32, record Ref, x int64) {
	b.forward = append(b.forward, assignment{valueEdit: assignInt(field, uint64(record), x), kind: wordDropInt})
}

// Delete deletes a record: it leaves every list at once, its ID is never used again, and its key is
// free for a new record. Writes of the batch that name the record are void.
func (b *Batch) Delete(record Ref) { b.deleted = append(b.deleted, record) }

// Replace returns the Ref of a key for a new record, whatever record has the key now: for the
// writes that come after the Delete of that one.
func (b *Batch) Replace(space uint32, key string) Ref {
	delete(b.refs, spaceKey{space, key})
	r := b.Key(space, key)
	if b.replaced == nil {
		b.replaced = make(map[Ref]bool)
	}
	b.replaced[r] = true
	return r
}

// Empty empties the list of a row: what was set before goes, what the batch sets afterwards stays.
// Of a relation either direction may be named.
func (b *Batch) Empty(field uint32, row Ref) {
	b.emptied = append(b.emptied, emptying{field, row, len(b.edits), len(b.forward)})
}

// Reset empties the batch and keeps its room.
func (b *Batch) Reset() {
	clear(b.keys)
	clear(b.refs)
	*b = Batch{keys: b.keys[:0], refs: b.refs, edits: b.edits[:0], forward: b.forward[:0], deleted: b.deleted[:0],
		emptied: b.emptied[:0]}
}

// Len returns the number of writes.
func (b *Batch) Len() int { return len(b.edits) + len(b.forward) + len(b.deleted) + len(b.emptied) }

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

// compareEdits compares by field, row and record. Sorting calls it often: it ends at the first that
// differ.
func compareEdits(a, b edit) int {
	switch {
	case a.field != b.field:
		return cmp.Compare(a.field, b.field)
	case a.row != b.row:
		return cmp.Compare(a.row, b.row)
	}
	return cmp.Compare(a.record, b.record)
}
