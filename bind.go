// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"sync"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// checkKey fails for what cannot be a key: that of a record, or, where a field is named, a value or
// row of that.
func checkKey(what, field, key string) error {
	if len(key) > 0 && len(key) <= format.MaxKey {
		return nil
	}
	if field != "" {
		what += " of " + field
	}
	return invalid("%s: got %d bytes, want 1 to %d", what, len(key), format.MaxKey)
}

// binder turns the strings of a batch into the references of package posting.
type binder struct {
	snap   Snapshot
	out    posting.Batch
	refs   map[boundKey]model.Ref
	looked []reader.Lookup // keys of some writes, looked up together
	ahead  []reader.Lookup // of these, those of the writes that come next
	dead   map[string]bool // records that the batch has deleted, and not named again
}

// binders holds memory for binding batches.
var binders = sync.Pool{New: func() any { return &binder{refs: make(map[boundKey]model.Ref)} }}

// keptWrites is up to how many writes of a batch the memory for binding it is kept.
const keptWrites = 1 << 12

// done gives the memory back, and with it the bound batch.
func (n *binder) done() {
	if n.out.Len() > keptWrites || len(n.refs) > 2*keptWrites {
		return
	}
	n.out.Reset()
	clear(n.refs)
	clear(n.looked[:cap(n.looked)])
	n.snap, n.ahead, n.dead = Snapshot{}, nil, nil
	binders.Put(n)
}

type boundKey struct {
	space uint32
	key   string
}

// writesAhead is of how many writes the keys are looked up together.
const writesAhead = 64

// writesPerLook is how many writes are bound between two looks at the context.
const writesPerLook = 256

// bind returns the batch for package posting.
func (n *binder) bind(ctx context.Context, b *Batch, snap Snapshot) (*posting.Batch, error) {
	n.snap = snap
	for i, w := range b.writes {
		if i%writesPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i%writesAhead == 0 {
			if err := n.lookAhead(b.writes[i:min(i+writesAhead, len(b.writes))]); err != nil {
				return nil, err
			}
		}
		if err := n.write(w); err != nil {
			return nil, err
		}
	}
	return &n.out, nil
}

// lookAhead looks up the keys of some writes. Those that cannot be keys are left to be refused in
// their turn.
func (n *binder) lookAhead(writes []write) error {
	n.looked = n.looked[:0]
	for i := range writes {
		w := &writes[i]
		if w.kind != writeEmpty {
			n.looked = append(n.looked, reader.Lookup{Space: model.RecordSpace, Key: w.record})
		}
		if w.kind != writeSet && w.kind != writeClear && w.kind != writeEmpty {
			continue
		}
		if f, err := n.snap.ix.field(w.field); err == nil && f.Type != Integer {
			n.looked = append(n.looked, reader.Lookup{Space: f.space(), Key: w.value})
		}
	}
	n.ahead = n.looked
	return n.snap.lists.MultiGet(n.looked)
}

func (n *binder) write(w write) error {
	if w.kind == writeEmpty {
		return n.empty(w)
	}
	if err := checkKey("record", "", w.record); err != nil {
		return err
	}
	switch w.kind {
	case writeRecord:
		_, err := n.record(w.record)
		return err
	case writeDelete:
		return n.delete(w.record)
	}
	f, err := n.snap.ix.field(w.field)
	if err != nil {
		return err
	}
	if f.Type == Integer || w.kind == writeInt || w.kind == writeUnset {
		return n.assign(f, w)
	}
	if err := checkKey("value", w.field, w.value); err != nil {
		return err
	}
	if w.kind == writeClear {
		return n.clear(f, w)
	}
	record, err := n.record(w.record)
	if err != nil {
		return err
	}
	if f.Type != Relation {
		row, _, err := n.key(model.KeySpace(f.id), w.value)
		switch {
		case err != nil:
		case f.Type == Set:
			n.out.Set(f.id, row, record)
		default:
			n.out.Assign(f.id, record, row)
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

// clear binds a Clear: keys that are not known, nor named by an earlier write of the batch, have
// nothing to be cleared.
func (n *binder) clear(f *boundField, w write) error {
	record, known, err := n.known(model.RecordSpace, w.record)
	if err != nil || !known {
		return err
	}
	value, known, err := n.known(f.space(), w.value)
	if err != nil || !known {
		return err
	}
	switch {
	case f.Type == Set:
		n.out.Clear(f.id, value, record)
	case f.Type == Single:
		n.out.Drop(f.id, record, value)
	case f.derived:
		n.out.Clear(f.inverse, value, record)
	default:
		n.out.Clear(f.id, record, value)
	}
	return nil
}

// assign binds what gives a record an integer, or takes its only value from it.
func (n *binder) assign(f *boundField, w write) error {
	x, err := w.integer, error(nil)
	switch {
	case w.kind == writeUnset && f.Type != Single && f.Type != Integer:
		return invalid("%s: got Unset on a field of type %q, want %q or %q", f.Name, f.Type, Single, Integer)
	case w.kind == writeSet || w.kind == writeClear:
		if x, err = f.parseNumber(w.value); err != nil {
			return err
		}
	}
	if w.kind == writeUnset || w.kind == writeClear {
		record, known, err := n.known(model.RecordSpace, w.record)
		switch {
		case err != nil || !known:
		case w.kind == writeClear:
			n.out.DropInt(f.id, record, x)
		default:
			n.out.Unassign(f.id, record)
		}
		return err
	}
	if err := checkInteger(f); err != nil {
		return err
	}
	record, err := n.record(w.record)
	if err == nil {
		n.out.AssignInt(f.id, record, x)
	}
	return err
}

// checkInteger fails for a field that takes no integers.
func checkInteger(f *boundField) error {
	if f.Type != Integer {
		return invalid("%s: got an integer for a field of type %q, want %q", f.Name, f.Type, Integer)
	}
	return nil
}

// delete binds the deletion of a record: an earlier write of the batch may have made it.
func (n *binder) delete(key string) error {
	r, known, err := n.known(model.RecordSpace, key)
	if err != nil || !known {
		return err
	}
	n.out.Delete(r)
	delete(n.refs, boundKey{model.RecordSpace, key})
	if n.dead == nil {
		n.dead = make(map[string]bool)
	}
	n.dead[key] = true
	return nil
}

// empty binds a DeleteRow.
func (n *binder) empty(w write) error {
	f, err := n.snap.ix.field(w.field)
	if err != nil {
		return err
	}
	if f.Type == Integer {
		return invalid("%s: got DeleteRow on a field of type %q, want one with rows", f.Name, f.Type)
	}
	if err := checkKey("row", w.field, w.value); err != nil {
		return err
	}
	row, known, err := n.known(f.space(), w.value)
	if err == nil && known {
		n.out.Empty(f.id, row)
	}
	return err
}

// record returns the reference of a record, which exists from this batch on.
func (n *binder) record(key string) (model.Ref, error) {
	if r, ok := n.refs[boundKey{model.RecordSpace, key}]; ok {
		return r, nil
	}
	if err := checkKey("record", "", key); err != nil {
		return 0, err
	}
	r, known, err := n.newKey(model.RecordSpace, key)
	if err != nil {
		return 0, err
	}
	exists := false
	if known {
		if exists, err = n.snap.lists.Contains(model.Exists, 0, uint64(r)); err != nil {
			return 0, err
		}
	}
	if !exists {
		n.out.Set(model.Exists, model.ID(0), r)
	}
	n.refs[boundKey{model.RecordSpace, key}] = r
	return r, nil
}

// key returns the reference of a key, and whether it is an ID that the index knows, or one to be
// given.
func (n *binder) key(space uint32, key string) (r model.Ref, known bool, err error) {
	if r, ok := n.refs[boundKey{space, key}]; ok {
		return r, false, nil
	}
	return n.newKey(space, key)
}

// newKey is key for one that no earlier write of the batch has named.
func (n *binder) newKey(space uint32, key string) (r model.Ref, known bool, err error) {
	if r, known, err = n.stored(space, key); err != nil || known {
		return r, known, err
	}
	if space == model.RecordSpace && n.dead[key] {
		delete(n.dead, key)
		r = n.out.Replace(space, key)
	} else {
		r = n.out.NewKey(space, key)
	}
	n.refs[boundKey{space, key}] = r
	return r, false, nil
}

// known returns the reference of a key that the index or an earlier write of the batch knows.
func (n *binder) known(space uint32, key string) (model.Ref, bool, error) {
	if r, ok := n.refs[boundKey{space, key}]; ok {
		return r, true, nil
	}
	return n.stored(space, key)
}

// stored returns the reference of a key that the index knows and the batch has not deleted.
func (n *binder) stored(space uint32, key string) (model.Ref, bool, error) {
	if space == model.RecordSpace && n.dead[key] {
		return 0, false, nil
	}
	id, ok, err := n.lookup(space, key)
	if err != nil || !ok {
		return 0, false, err
	}
	return model.ID(id), true, nil
}

// lookup returns the ID of a key. Most were looked up ahead, in the order in which they are asked
// for.
func (n *binder) lookup(space uint32, key string) (id uint64, ok bool, err error) {
	for i := range n.ahead {
		if l := &n.ahead[i]; l.Space == space && l.Key == key {
			n.ahead = n.ahead[i:]
			return l.ID, l.OK, nil
		}
	}
	return n.snap.lists.Lookup(space, key)
}
