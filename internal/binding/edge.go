// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
)

// edgesHaveKeys returns the error of a write that would leave keys of edges behind.
func edgesHaveKeys(f *schema.Bound, call string) error {
	return invalid("%s: got %s on a relation whose edges have keys, want ClearEdge and ClearEdgeKey for each", f.Name,
		call)
}

// edge binds a write to an edge with keys. What clears takes nothing from what is not known, and
// makes nothing exist.
func (n *Binder) edge(f *schema.Bound, w Write) error {
	if w.Kind == Clear {
		return edgesHaveKeys(f, "Clear")
	}
	if f.Derived || !f.HasKeys() {
		return invalid("%s: got a key of an edge, want a relation with column %q", f.Name, schema.KeyColumn)
	}
	if err := CheckKey("value", w.Field, w.Value); err != nil {
		return err
	}
	if w.Kind != ClearEdge {
		if err := CheckKey("key", w.Field, w.Key); err != nil {
			return err
		}
	}
	if w.Kind == SetEdge {
		record, err := n.record(w.Record)
		if err != nil {
			return err
		}
		value, err := n.record(w.Value)
		if err != nil {
			return err
		}
		key, err := n.edgeKey(f, w.Key)
		if err != nil {
			return err
		}
		n.out.Set(f.ID, record, value)
		n.out.EdgeKey(model.EdgeKeyEdit{Field: f.ID, Set: true, Record: record, Target: value, Key: key})
		return nil
	}
	record, known, err := n.known(model.RecordSpace, w.Record)
	if err != nil || !known {
		return err
	}
	value, known, err := n.known(model.RecordSpace, w.Value)
	if err != nil || !known {
		return err
	}
	if w.Kind == ClearEdge {
		n.out.Clear(f.ID, record, value)
		return nil
	}
	key, ok := model.ParseTID(w.Key)
	ref := model.ID(key)
	if !ok {
		if ref, known, err = n.known(model.KeySpace(f.ID), w.Key); err != nil || !known {
			return err
		}
	}
	n.out.EdgeKey(model.EdgeKeyEdit{Field: f.ID, Record: record, Target: value, Key: ref})
	return nil
}

// edgeKey returns the Ref of a key, which gets an ID if it is no TID.
func (n *Binder) edgeKey(f *schema.Bound, key string) (model.Ref, error) {
	if tid, ok := model.ParseTID(key); ok {
		return model.ID(tid), nil
	}
	r, _, err := n.key(model.KeySpace(f.ID), key)
	return r, err
}
