// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/tidwall/btree"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// named is a key that was given an ID since the last flush.
type named struct {
	hash uint64 // of the key, under hashSeed
	key  string
	id   uint64
}

// hashSeed is that of the hashes by which keys are found in a delta: comparing two of them needs no
// look at the keys, which lie far apart.
var hashSeed = maphash.MakeSeed()

// newKeys are the keys of one space that were given IDs since the last flush.
type newKeys struct {
	first  uint64   // the ID of keys[0]; the others follow
	keys   []string // appended to only; a published slice never changes below its length
	byHash *btree.BTreeG[named]
}

func emptyKeys(first uint64) *newKeys {
	return &newKeys{first: first, byHash: btree.NewBTreeGOptions(func(a, b named) bool {
		return a.hash < b.hash || a.hash == b.hash && a.key < b.key
	}, btree.Options{NoLocks: true})}
}

// next returns the first ID that is not given out.
func (k *newKeys) next() uint64 { return k.first + uint64(len(k.keys)) }

// delta holds the writes since the last flush. Its tiers never change, and its trees are
// copy-on-write (github.com/tidwall/btree): publish costs little, and what was published never
// changes again, so that readers need no lock.
type delta struct {
	edits    []levels   // ascending by field; replaced, never changed
	gathered []gathered // edits that are not in tiers yet; what is published has none
	spare    []entry    // room for sorting
	forward  *btree.BTreeG[model.ValueEdit]
	removals *tombstones         // nil: none
	shared   bool                // removals are published, and to be copied before they change
	spaces   map[uint32]*newKeys // replaced, never changed, when a space is added
	bytes    int64               // an estimate of the memory held
	logged   int64               // bytes of the log entries that it holds the outcome of
}

// gathered is edits of one field in the order in which they came.
type gathered struct {
	field uint32
	marks []entry
}

const (
	// gatherMost is how many edits of a field are gathered at most before they are sorted.
	gatherMost = 1 << 12
	// gatherFields is for how many fields the room for that is kept.
	gatherFields = 16
)

// What an entry takes in memory: its fields, and the half-empty nodes of the tree. An edit takes
// less once it is in a tier (markBytes, and a byte for the filter); editBytes is what it takes
// while it is sorted and merged, by which batches are bounded.
const (
	editBytes    = 48
	forwardBytes = 48
	namedBytes   = 96
)

// newDelta returns an empty delta; next says which IDs each key space gives out next.
func newDelta(next map[uint32]uint64) *delta {
	d := &delta{forward: btree.NewBTreeGOptions(model.ValueEdit.Less, btree.Options{NoLocks: true}),
		spaces: make(map[uint32]*newKeys, len(next))}
	for space, id := range next {
		d.spaces[space] = emptyKeys(id)
	}
	return d
}

// publish returns a copy that readers may have while d goes on changing. It may be called by d's
// owner only.
func (d *delta) publish() *delta {
	d.arrange()
	d.shared = true
	p := &delta{edits: d.edits, forward: d.forward.Copy(), removals: d.removals, shared: true,
		spaces: make(map[uint32]*newKeys, len(d.spaces)),
		bytes:  d.bytes, logged: d.logged}
	for space, k := range d.spaces {
		p.spaces[space] = &newKeys{first: k.first, keys: k.keys, byHash: k.byHash.Copy()}
	}
	return p
}

// size returns the memory that d takes; nil takes none.
func (d *delta) size() int64 {
	if d == nil {
		return 0
	}
	return d.bytes
}

// put records an edit in place of an earlier one on the same record. It is not seen before publish
// or arrange.
func (d *delta) put(e model.Edit) { d.gather(e.Field, entryOf(e)) }

// gather keeps a mark until there are more of them to be sorted.
func (d *delta) gather(field uint32, m entry) {
	at := 0
	for at < len(d.gathered) && d.gathered[at].field != field {
		at++
	}
	if at == len(d.gathered) {
		d.gathered = append(d.gathered, gathered{field: field})
	}
	g := &d.gathered[at]
	g.marks = append(g.marks, m)
	d.bytes += markBytes
	if len(g.marks) >= gatherMost {
		d.arrange()
	}
}

// arrange brings the edits that were gathered into tiers. It may be called by d's owner only.
func (d *delta) arrange() {
	begun := false
	for i := range d.gathered {
		g := &d.gathered[i]
		if len(g.marks) == 0 {
			continue
		}
		if !begun {
			d.edits, begun = slices.Clone(d.edits), true
		}
		d.bytes -= markBytes * int64(len(g.marks))
		marks, spare := sortEntries(g.marks, d.spare)
		at, found := d.find(g.field)
		if !found {
			d.edits = slices.Insert(d.edits, at, levels{field: g.field})
		}
		before := d.edits[at].bytes()
		d.edits[at] = d.edits[at].with(marks)
		d.bytes += d.edits[at].bytes() - before
		g.marks, d.spare = marks[:0], spare
	}
	if len(d.gathered) > gatherFields {
		d.gathered, d.spare = nil, nil
	}
}

// find returns where the tiers of a field are.
func (d *delta) find(field uint32) (at int, found bool) {
	return slices.BinarySearchFunc(d.edits, field, func(ts levels, field uint32) int {
		return cmp.Compare(ts.field, field)
	})
}

// of returns the tiers of a field.
func (d *delta) of(field uint32) levels {
	at, found := d.find(field)
	if !found {
		return levels{field: field}
	}
	return d.edits[at]
}

// count returns the number of edits; one that was made twice may count twice.
func (d *delta) count() (n int) {
	for _, ts := range d.edits {
		n += ts.len()
	}
	return n
}

// assign records the value of a record in a single-valued or integer field.
func (d *delta) assign(f model.ValueEdit) {
	if _, replaced := d.forward.Set(f); !replaced {
		d.bytes += forwardBytes
	}
}

// own makes the removals those of d alone, to be changed.
func (d *delta) own() *tombstones {
	if d.shared || d.removals == nil {
		d.removals, d.shared = d.removals.clone(), false
	}
	return d.removals
}

// bury records that a record was deleted.
func (d *delta) bury(record uint64) {
	if d.own().dead.Add(record) {
		d.bytes += tombstoneBytes
	}
}

// empty records that the list of a row was emptied, and forgets the edits that it had. inverse is
// the field of the other direction, 0 for none.
func (d *delta) empty(field uint32, row uint64, inverse uint32) {
	r := d.own()
	if r.emptied[field] == nil {
		r.emptied[field] = new(bitmap.Bitmap)
	}
	if r.emptied[field].Add(row) {
		d.bytes += tombstoneBytes
	}
	d.arrange()
	for _, e := range d.appendEdits(nil, field, row) {
		d.forget(e)
		if inverse != 0 {
			d.forget(model.Edit{Field: inverse, Row: e.Record, Record: row})
		}
	}
}

// forget records that the delta says nothing of a record of a list any more.
func (d *delta) forget(e model.Edit) {
	e.Set = false
	m := entryOf(e)
	m.row |= 1
	d.gather(e.Field, m)
}

// addKey gives the next ID of a space to a key.
func (d *delta) addKey(space uint32, key string) uint64 {
	k := d.spaces[space]
	if k == nil {
		k = emptyKeys(0)
		d.spaces[space] = k
	}
	id := k.next()
	k.keys = append(k.keys, key)
	k.byHash.Set(named{maphash.String(hashSeed, key), key, id})
	d.bytes += namedBytes + int64(len(key))
	return id
}

// next returns the first ID of each space that is not given out.
func (d *delta) next() map[uint32]uint64 {
	next := make(map[uint32]uint64, len(d.spaces))
	for space, k := range d.spaces {
		next[space] = k.next()
	}
	return next
}

// lookup returns the ID of a key, if this delta gave it one.
func (d *delta) lookup(space uint32, key string) (uint64, bool) {
	k := d.spaces[space]
	if k == nil || len(k.keys) == 0 {
		return 0, false
	}
	n, ok := k.byHash.Get(named{hash: maphash.String(hashSeed, key), key: key})
	return n.id, ok
}

// outgrows reports whether the delta, or the log that opening would have to replay, is larger than
// so many bytes. Writes in the place of earlier ones make the log grow, and not the delta.
func (d *delta) outgrows(bytes int64) bool { return d.bytes > bytes || d.logged > bytes }

// isEmpty reports whether nothing has been written.
func (d *delta) isEmpty() bool {
	if d.logged > 0 || d.count() > 0 || d.forward.Len() > 0 || d.removals != nil {
		return false
	}
	for _, k := range d.spaces {
		if len(k.keys) > 0 {
			return false
		}
	}
	return true
}

// appendEdits appends the edits of one list, ascending by record.
func (d *delta) appendEdits(dst []model.Edit, field uint32, row uint64) []model.Edit {
	if len(d.edits) == 0 {
		return dst
	}
	return d.of(field).appendRow(dst, row)
}

// edited returns what the delta says of one record of a list.
func (d *delta) edited(field uint32, row, record uint64) (set, ok bool) {
	if len(d.edits) == 0 {
		return false, false
	}
	return d.of(field).find(row, record)
}
