// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"github.com/uproar-db/uproar/posting"
)

// Batch gathers writes that are committed as one by [Index.Write]. The zero value is empty and ready for use; it may be written more than once. Of
// several writes to the same value of the same record the last one counts. Not safe for concurrent use.
type Batch struct {
	writes []write
}

// write is one write of a batch.
type write struct {
	kind                 writeKind
	field, record, value string
}

type writeKind uint8

const (
	writeSet writeKind = iota
	writeClear
	writeRecord // the record exists
)

// Set gives the record the value in the field. The record, and in a relation the value, which is a record too, exist from then on.
func (b *Batch) Set(field, record, value string) {
	b.writes = append(b.writes, write{writeSet, field, record, value})
}

// Clear takes the value in the field from the record. It makes nothing exist: clearing what is not there, or is not known, changes nothing.
func (b *Batch) Clear(field, record, value string) {
	b.writes = append(b.writes, write{writeClear, field, record, value})
}

// AddRecord makes the record exist, with or without values.
func (b *Batch) AddRecord(record string) {
	b.writes = append(b.writes, write{kind: writeRecord, record: record})
}

// Len returns the number of writes.
func (b *Batch) Len() int { return len(b.writes) }

// Reset empties the batch and keeps its room.
func (b *Batch) Reset() {
	clear(b.writes)
	b.writes = b.writes[:0]
}

// checkKey fails for what cannot be the key of a record or the value of a field.
func checkKey(what, key string) error {
	if len(key) == 0 || len(key) > posting.MaxKey {
		return invalid("%s: got %d bytes, want 1 to %d", what, len(key), posting.MaxKey)
	}
	return nil
}

// binder turns the strings of a batch into the references of package posting.
type binder struct {
	snap Snapshot
	out  posting.Batch
	refs map[boundKey]posting.Ref
}

type boundKey struct {
	space uint32
	key   string
}

// bind returns the batch for package posting.
func (b *Batch) bind(snap Snapshot) (*posting.Batch, error) {
	n := binder{snap: snap, refs: make(map[boundKey]posting.Ref)}
	for _, w := range b.writes {
		if err := n.write(w); err != nil {
			return nil, err
		}
	}
	return &n.out, nil
}

func (n *binder) write(w write) error {
	if err := checkKey("record", w.record); err != nil {
		return err
	}
	if w.kind == writeRecord {
		_, err := n.record(w.record)
		return err
	}
	f, err := n.snap.ix.field(w.field)
	if err != nil {
		return err
	}
	if err := checkKey("value of "+w.field, w.value); err != nil {
		return err
	}
	if w.kind == writeClear {
		return n.clear(f, w)
	}
	record, err := n.record(w.record)
	if err != nil {
		return err
	}
	if f.Type == Set {
		row, _, err := n.key(posting.KeySpace(f.id), w.value)
		if err == nil {
			n.out.Set(f.id, row, record)
		}
		return err
	}
	value, err := n.record(w.value)
	if err != nil {
		return err
	}
	if f.derived {
		n.out.Set(f.inverse, value, record)
	} else {
		n.out.Set(f.id, record, value)
	}
	return nil
}

// clear binds a Clear: keys that are not known, nor named by an earlier write of the batch, have nothing to be cleared.
func (n *binder) clear(f *boundField, w write) error {
	space := posting.RecordSpace
	if f.Type == Set {
		space = posting.KeySpace(f.id)
	}
	record, known, err := n.known(posting.RecordSpace, w.record)
	if err != nil || !known {
		return err
	}
	value, known, err := n.known(space, w.value)
	if err != nil || !known {
		return err
	}
	switch {
	case f.Type == Set:
		n.out.Clear(f.id, value, record)
	case f.derived:
		n.out.Clear(f.inverse, value, record)
	default:
		n.out.Clear(f.id, record, value)
	}
	return nil
}

// record returns the reference of a record, which exists from this batch on.
func (n *binder) record(key string) (posting.Ref, error) {
	if r, ok := n.refs[boundKey{posting.RecordSpace, key}]; ok {
		return r, nil
	}
	if err := checkKey("record", key); err != nil {
		return 0, err
	}
	r, known, err := n.key(posting.RecordSpace, key)
	if err != nil {
		return 0, err
	}
	exists := false
	if known {
		if exists, err = n.snap.lists.Contains(posting.Exists, 0, uint64(r)); err != nil {
			return 0, err
		}
	}
	if !exists {
		n.out.Set(posting.Exists, posting.ID(0), r)
	}
	n.refs[boundKey{posting.RecordSpace, key}] = r
	return r, nil
}

// key returns the reference of a key, and whether it is an ID that the index knows, or one to be given.
func (n *binder) key(space uint32, key string) (r posting.Ref, known bool, err error) {
	if r, ok := n.refs[boundKey{space, key}]; ok {
		return r, false, nil
	}
	if r, known, err = n.known(space, key); err != nil || known {
		return r, known, err
	}
	r = n.out.Key(space, key)
	n.refs[boundKey{space, key}] = r
	return r, false, nil
}

// known returns the reference of a key that the index or an earlier write of the batch knows.
func (n *binder) known(space uint32, key string) (posting.Ref, bool, error) {
	if r, ok := n.refs[boundKey{space, key}]; ok {
		return r, true, nil
	}
	id, ok, err := n.snap.lists.Lookup(space, key)
	if err != nil || !ok {
		return 0, false, err
	}
	return posting.ID(id), true, nil
}
