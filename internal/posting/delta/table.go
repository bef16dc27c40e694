// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"cmp"
	"slices"

	"github.com/tidwall/btree"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// Table holds the writes since the last flush. Its levels never change, and its trees are
// copy-on-write (github.com/tidwall/btree): publish costs little, and what was published never
// changes again, so that readers need no lock.
type Table struct {
	Edits      []Levels   // ascending by field; replaced, never changed
	gathered   []gathered // edits that are not in levels yet; what is published has none
	spare      []Entry    // room for sorting
	Values     *btree.BTreeG[model.ValueEdit]
	Tombstones *Tombstones         // nil: none
	shared     bool                // deletions are published, and to be copied before they change
	Spaces     map[uint32]*NewKeys // replaced, never changed, when a space is added
	Bytes      int64               // an estimate of the memory held
	Logged     int64               // bytes of the log entries that it holds the outcome of
}

// gathered is edits of one field in the order in which they came.
type gathered struct {
	field   uint32
	entries []Entry
}

const (
	// gatherMost is how many edits of a field are gathered at most before they are sorted: a batch
	// of a thousand records is sorted once, while the log is synced.
	gatherMost = 1 << 16
	// gatherFields is for how many fields the room for that is kept, gatherKept for how many edits.
	gatherFields = 16
	gatherKept   = 1 << 12
)

// What an entry takes in memory: its fields, and what is half empty of trees, slots and slices. An
// edit takes less once it is in a level (EntryBytes, and a byte for the filter); EditBytes is what
// it takes while it is sorted and merged, by which batches are bounded.
const (
	EditBytes  = 48
	ValueBytes = 48
	NamedBytes = 64
)

// New returns an empty delta; next says which IDs each key space gives out next.
func New(next map[uint32]uint64) *Table {
	d := &Table{Values: btree.NewBTreeGOptions(model.ValueEdit.Less, btree.Options{NoLocks: true}),
		Spaces: make(map[uint32]*NewKeys, len(next))}
	for space, id := range next {
		d.Spaces[space] = EmptyKeys(id)
	}
	return d
}

// Publish returns a copy that readers may have while d goes on changing. It may be called by d's
// owner only.
func (d *Table) Publish() *Table {
	d.Arrange()
	d.shared = true
	p := &Table{Edits: d.Edits, Values: d.Values.Copy(), Tombstones: d.Tombstones, shared: true,
		Spaces: make(map[uint32]*NewKeys, len(d.Spaces)),
		Bytes:  d.Bytes, Logged: d.Logged}
	for space, k := range d.Spaces {
		copied := *k
		p.Spaces[space] = &copied
	}
	return p
}

// Size returns the memory that d takes; nil takes none.
func (d *Table) Size() int64 {
	if d == nil {
		return 0
	}
	return d.Bytes
}

// Put records an edit in place of an earlier one on the same record. It is not seen before publish
// or arrange.
func (d *Table) Put(e model.Edit) { d.gather(e.Field, EntryOf(e)) }

// gather keeps an entry until there are more of them to be sorted.
func (d *Table) gather(field uint32, m Entry) {
	at := 0
	for at < len(d.gathered) && d.gathered[at].field != field {
		at++
	}
	if at == len(d.gathered) {
		d.gathered = append(d.gathered, gathered{field: field})
	}
	g := &d.gathered[at]
	g.entries = append(g.entries, m)
	d.Bytes += EntryBytes
	if len(g.entries) >= gatherMost {
		d.Arrange()
	}
}

// Arrange brings the edits that were gathered into levels. It may be called by d's owner only.
func (d *Table) Arrange() {
	begun := false
	for i := range d.gathered {
		g := &d.gathered[i]
		if len(g.entries) == 0 {
			continue
		}
		if !begun {
			d.Edits, begun = slices.Clone(d.Edits), true
		}
		d.Bytes -= EntryBytes * int64(len(g.entries))
		entries, spare := SortEntries(g.entries, d.spare)
		at, found := d.find(g.field)
		if !found {
			d.Edits = slices.Insert(d.Edits, at, Levels{Field: g.field})
		}
		before := d.Edits[at].Bytes()
		d.Edits[at] = d.Edits[at].with(entries)
		d.Bytes += d.Edits[at].Bytes() - before
		if g.entries, d.spare = entries[:0], spare; cap(entries) > gatherKept {
			g.entries = nil
		}
	}
	if cap(d.spare) > gatherKept {
		d.spare = nil
	}
	if len(d.gathered) > gatherFields {
		d.gathered, d.spare = nil, nil
	}
}

// find returns where the levels of a field are.
func (d *Table) find(field uint32) (at int, found bool) {
	return slices.BinarySearchFunc(d.Edits, field, func(ts Levels, field uint32) int {
		return cmp.Compare(ts.Field, field)
	})
}

// Of returns the levels of a field.
func (d *Table) Of(field uint32) Levels {
	at, found := d.find(field)
	if !found {
		return Levels{Field: field}
	}
	return d.Edits[at]
}

// Count returns the number of edits; one that was made twice may count twice.
func (d *Table) Count() (n int) {
	for _, ts := range d.Edits {
		n += ts.len()
	}
	return n
}

// Assign records the value of a record in a single-valued or integer field.
func (d *Table) Assign(f model.ValueEdit) {
	if _, replaced := d.Values.Set(f); !replaced {
		d.Bytes += ValueBytes
	}
}

// own makes the deletions those of d alone, to be changed.
func (d *Table) own() *Tombstones {
	if d.shared || d.Tombstones == nil {
		d.Tombstones, d.shared = d.Tombstones.clone(), false
	}
	return d.Tombstones
}

// Bury records that a record was deleted.
func (d *Table) Bury(record uint64) {
	if d.own().Dead.Add(record) {
		d.Bytes += TombstoneBytes
	}
}

// Empty records that the list of a row was emptied, and forgets the edits that it had. inverse is
// the field of the other direction, 0 for none.
func (d *Table) Empty(field uint32, row uint64, inverse uint32) {
	r := d.own()
	if r.Emptied[field] == nil {
		r.Emptied[field] = new(mutable.Bitmap)
	}
	if r.Emptied[field].Add(row) {
		d.Bytes += TombstoneBytes
	}
	d.Arrange()
	for _, e := range d.AppendEdits(nil, field, row) {
		d.rollback(e)
		if inverse != 0 {
			d.rollback(model.Edit{Field: inverse, Row: e.Record, Record: row})
		}
	}
}

// rollback records that the delta no longer says anything of a record of a list.
func (d *Table) rollback(e model.Edit) {
	e.Set = false
	m := EntryOf(e)
	m.Row |= 1
	d.gather(e.Field, m)
}

// AddKey gives the next ID of a space to a key.
func (d *Table) AddKey(space uint32, key string) uint64 {
	k := d.Spaces[space]
	if k == nil {
		k = EmptyKeys(0)
		d.Spaces[space] = k
	}
	d.Bytes += NamedBytes + int64(len(key))
	return k.add(key)
}

// Next returns the first ID of each space that is not given out.
func (d *Table) Next() map[uint32]uint64 {
	next := make(map[uint32]uint64, len(d.Spaces))
	for space, k := range d.Spaces {
		next[space] = k.Next()
	}
	return next
}

// Lookup returns the ID of a key, if this delta gave it one.
func (d *Table) Lookup(space uint32, key string) (uint64, bool) {
	k := d.Spaces[space]
	if k == nil || len(k.Keys) == 0 {
		return 0, false
	}
	return k.find(key)
}

// Outgrows reports whether the delta or its log is larger than a number of bytes. Opening replays
// the log. Overwrites make the log grow, but not the delta.
func (d *Table) Outgrows(bytes int64) bool { return d.Bytes > bytes || d.Logged > bytes }

// IsEmpty reports whether nothing has been written.
func (d *Table) IsEmpty() bool {
	if d.Logged > 0 || d.Count() > 0 || d.Values.Len() > 0 || d.Tombstones != nil {
		return false
	}
	for _, k := range d.Spaces {
		if len(k.Keys) > 0 {
			return false
		}
	}
	return true
}

// AppendEdits appends the edits of one list, ascending by record.
func (d *Table) AppendEdits(dst []model.Edit, field uint32, row uint64) []model.Edit {
	if len(d.Edits) == 0 {
		return dst
	}
	return d.Of(field).appendRow(dst, row)
}

// Edited returns what the delta says of one record of a list.
func (d *Table) Edited(field uint32, row, record uint64) (set, ok bool) {
	if len(d.Edits) == 0 {
		return false, false
	}
	return d.Of(field).find(row, record)
}

// AppendEditedRecords appends the records that the delta edits in a field with a value column. They
// come in any order.
func (d *Table) AppendEditedRecords(dst []uint64, f model.Field) []uint64 {
	if f.Kind == model.Rows {
		d.Values.Ascend(model.ValueEdit{Field: f.ID}, func(a model.ValueEdit) bool {
			if a.Field == f.ID {
				dst = append(dst, a.Record)
			}
			return a.Field == f.ID
		})
		return dst
	}
	for _, t := range d.Of(model.ValueField(f.ID)).All {
		for i, m := range t.Entries {
			if record := m.Row >> 1; i == 0 || dst[len(dst)-1] != record {
				dst = append(dst, record)
			}
		}
	}
	return dst
}
