// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"
	"sync"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
)

// Binder turns the strings of a batch into the references of package posting. Not for concurrent
// use.
type Binder struct {
	Reads *model.Reads // of who made the writes; nil: it may be anything

	lists   reader.Snapshot
	schema  *schema.Schema
	unknown func(s *schema.Schema, name string) error
	out     posting.Batch
	refs    map[boundKey]model.Ref
	looked  []reader.Lookup  // keys of some writes, each once, looked up together
	places  map[boundKey]int // in looked
	dead    map[string]bool  // records that the batch has deleted, and not named again
	last    lastRecord
}

// lastRecord is the record that was named last: most often the next write names it, too.
type lastRecord struct {
	key string // "": none was
	ref model.Ref
}

// binders holds memory for binding batches.
var binders = sync.Pool{New: func() any {
	return &Binder{refs: make(map[boundKey]model.Ref), places: make(map[boundKey]int)}
}}

// keptWrites is up to how many writes of a batch the memory for binding it is kept.
const keptWrites = 1 << 12

// New returns a binder, whose memory Done gives back.
func New() *Binder { return binders.Get().(*Binder) }

// Done gives the memory back, and with it the bound batch.
func (n *Binder) Done() {
	if n.out.Len() > keptWrites || len(n.refs) > 2*keptWrites {
		return
	}
	n.out.Reset()
	clear(n.refs)
	clear(n.looked[:cap(n.looked)])
	clear(n.places)
	n.lists, n.schema, n.unknown = reader.Snapshot{}, nil, nil
	n.dead, n.last, n.Reads = nil, lastRecord{}, nil
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

// Bind returns the writes as package posting has them, as of a snapshot and its fields. The batch
// is the binder's. unknown makes the error of a field that there is not.
//
// Errors: ErrInvalid, ctx's, those of unknown, or those of reading.
func (n *Binder) Bind(ctx context.Context, writes []Write, lists reader.Snapshot, fields *schema.Schema,
	unknown func(s *schema.Schema, name string) error) (*posting.Batch, error) {
	n.lists, n.schema, n.unknown, n.out.Reads = lists, fields, unknown, n.Reads
	for i, w := range writes {
		if i%writesPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if i%writesAhead == 0 {
			if err := n.lookAhead(writes[i:min(i+writesAhead, len(writes))]); err != nil {
				return nil, err
			}
		}
		if err := n.write(w); err != nil {
			return nil, err
		}
	}
	return &n.out, nil
}

// lookAhead looks up the keys of some writes, each once, but not those that an earlier write of the
// batch has named. What cannot be a key is left to be refused in its turn.
func (n *Binder) lookAhead(writes []Write) error {
	n.looked = n.looked[:0]
	clear(n.places)
	for i := range writes {
		w := &writes[i]
		if w.Kind != Empty && w.Kind != IDs && w.Record != n.last.key && (i == 0 || w.Record != writes[i-1].Record) {
			n.ask(model.RecordSpace, w.Record)
		}
		if w.Kind != Set && w.Kind != Clear && w.Kind != Empty && w.Kind != IDs && !w.Kind.isEdge() {
			continue
		}
		if f := n.schema.Named(w.Field); f != nil && f.Type != schema.Integer {
			n.ask(f.Space(), w.Value)
		}
	}
	return n.lists.MultiGet(n.looked)
}

// ask adds a key to those that are looked up.
func (n *Binder) ask(space uint32, key string) {
	k := boundKey{space, key}
	if _, ok := n.refs[k]; ok {
		return
	}
	if _, ok := n.places[k]; !ok {
		n.places[k] = len(n.looked)
		n.looked = append(n.looked, reader.Lookup{Space: space, Key: key})
	}
}

func (n *Binder) write(w Write) error {
	switch w.Kind {
	case Empty:
		return n.empty(w)
	case IDs:
		return n.setIDs(w)
	}
	if err := CheckKey("record", "", w.Record); err != nil {
		return err
	}
	switch w.Kind {
	case Record:
		_, err := n.record(w.Record)
		return err
	case Delete:
		return n.delete(w.Record)
	}
	f, err := n.field(w.Field)
	if err != nil {
		return err
	}
	if w.Kind.isEdge() || w.Kind == Clear && f.HasKeys() {
		return n.edge(f, w)
	}
	if f.Type == schema.Integer || w.Kind == Int || w.Kind == Unset {
		return n.assign(f, w)
	}
	if err := CheckKey("value", w.Field, w.Value); err != nil {
		return err
	}
	if w.Kind == Clear {
		return n.clear(f, w)
	}
	record, err := n.record(w.Record)
	if err != nil {
		return err
	}
	if f.Type != schema.Relation {
		row, _, err := n.key(model.KeySpace(f.ID), w.Value)
		switch {
		case err != nil:
		case f.Type == schema.Set:
			n.out.Set(f.ID, row, record)
		default:
			n.out.Assign(f.ID, record, row)
		}
		return err
	}
	value, err := n.record(w.Value)
	if err != nil {
		return err
	}
	if f.Derived {
		n.out.Set(f.InverseID, value, record)
	} else {
		n.out.Set(f.ID, record, value)
	}
	return nil
}

// setIDs binds a value of records by their IDs, those that exist.
func (n *Binder) setIDs(w Write) error {
	f, err := n.field(w.Field)
	if err != nil {
		return err
	}
	if err := CheckIDs(f, w.Value); err != nil {
		return err
	}
	row, _, err := n.key(model.KeySpace(f.ID), w.Value)
	for i := 0; i < len(w.IDs) && err == nil; i++ {
		exists := false
		if exists, err = n.lists.Contains(model.Exists, 0, w.IDs[i]); exists {
			n.out.Set(f.ID, row, model.ID(w.IDs[i]))
		}
	}
	return err
}

// field finds a field by name.
func (n *Binder) field(name string) (*schema.Bound, error) {
	if f := n.schema.Named(name); f != nil {
		return f, nil
	}
	return nil, n.unknown(n.schema, name)
}

// clear binds a Clear: keys that are not known, nor named by an earlier write of the batch, have
// nothing to be cleared.
func (n *Binder) clear(f *schema.Bound, w Write) error {
	record, known, err := n.known(model.RecordSpace, w.Record)
	if err != nil || !known {
		return err
	}
	value, known, err := n.known(f.Space(), w.Value)
	if err != nil || !known {
		return err
	}
	switch {
	case f.Type == schema.Set:
		n.out.Clear(f.ID, value, record)
	case f.Type == schema.Single:
		n.out.Drop(f.ID, record, value)
	case f.Derived:
		n.out.Clear(f.InverseID, value, record)
	default:
		n.out.Clear(f.ID, record, value)
	}
	return nil
}

// assign binds what gives a record an integer, or takes its only value from it.
func (n *Binder) assign(f *schema.Bound, w Write) error {
	x, err := w.Integer, error(nil)
	switch {
	case w.Kind == Unset && f.Type != schema.Single && f.Type != schema.Integer:
		return invalid("%s: got Unset on a field of type %q, want %q or %q", f.Name, f.Type, schema.Single,
			schema.Integer)
	case w.Kind == Set || w.Kind == Clear:
		if x, err = f.Parse(w.Value); err != nil {
			return err
		}
	}
	if w.Kind == Unset || w.Kind == Clear {
		record, known, err := n.known(model.RecordSpace, w.Record)
		switch {
		case err != nil || !known:
		case w.Kind == Clear:
			n.out.DropInt(f.ID, record, x)
		default:
			n.out.Unassign(f.ID, record)
		}
		return err
	}
	if err := CheckInteger(f); err != nil {
		return err
	}
	record, err := n.record(w.Record)
	if err == nil {
		n.out.AssignInt(f.ID, record, x)
	}
	return err
}

// delete binds the deletion of a record: an earlier write of the batch may have made it.
func (n *Binder) delete(key string) error {
	r, known, err := n.known(model.RecordSpace, key)
	if err != nil || !known {
		return err
	}
	n.out.Delete(r)
	n.last = lastRecord{}
	delete(n.refs, boundKey{model.RecordSpace, key})
	if n.dead == nil {
		n.dead = make(map[string]bool)
	}
	n.dead[key] = true
	return nil
}

// empty binds a DeleteRow.
func (n *Binder) empty(w Write) error {
	f, err := n.field(w.Field)
	if err != nil {
		return err
	}
	if f.Type == schema.Integer {
		return invalid("%s: got DeleteRow on a field of type %q, want one with rows", f.Name, f.Type)
	}
	if err := CheckKey("row", w.Field, w.Value); err != nil {
		return err
	}
	if f.HasKeys() {
		return edgesHaveKeys(f, "DeleteRow")
	}
	row, known, err := n.known(f.Space(), w.Value)
	if err == nil && known {
		n.out.Empty(f.ID, row)
	}
	return err
}
