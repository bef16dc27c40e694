// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import "github.com/uproar-db/uproar/internal/posting/model"

// record returns the reference of a record, which exists from this batch on.
func (n *Binder) record(key string) (model.Ref, error) {
	if key == n.last.key && key != "" {
		return n.last.ref, nil
	}
	if r, ok := n.refs[boundKey{model.RecordSpace, key}]; ok {
		n.last = lastRecord{key, r}
		return r, nil
	}
	if err := CheckKey("record", "", key); err != nil {
		return 0, err
	}
	r, known, err := n.newKey(model.RecordSpace, key)
	if err != nil {
		return 0, err
	}
	exists := false
	if known {
		if exists, err = n.lists.Contains(model.Exists, 0, uint64(r)); err != nil {
			return 0, err
		}
	}
	if !exists {
		n.out.Set(model.Exists, model.ID(0), r)
	}
	n.refs[boundKey{model.RecordSpace, key}] = r
	n.last = lastRecord{key, r}
	return r, nil
}

// key returns the reference of a key. known reports whether it is an ID of the index, not one yet
// to be given.
func (n *Binder) key(space uint32, key string) (r model.Ref, known bool, err error) {
	if r, ok := n.refs[boundKey{space, key}]; ok {
		return r, false, nil
	}
	return n.newKey(space, key)
}

// newKey is key for one that no earlier write of the batch has named.
func (n *Binder) newKey(space uint32, key string) (r model.Ref, known bool, err error) {
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
func (n *Binder) known(space uint32, key string) (model.Ref, bool, error) {
	if r, ok := n.refs[boundKey{space, key}]; ok {
		return r, true, nil
	}
	return n.stored(space, key)
}

// stored returns the reference of a key that the index knows and the batch has not deleted.
func (n *Binder) stored(space uint32, key string) (model.Ref, bool, error) {
	if space == model.RecordSpace && n.dead[key] {
		return 0, false, nil
	}
	id, ok, err := n.lookup(space, key)
	if err != nil || !ok {
		return 0, false, err
	}
	return model.ID(id), true, nil
}

// lookup returns the ID of a key. Most were looked up ahead.
func (n *Binder) lookup(space uint32, key string) (id uint64, ok bool, err error) {
	if i, ok := n.places[boundKey{space, key}]; ok {
		return n.looked[i].ID, n.looked[i].OK, nil
	}
	return n.lists.Lookup(space, key)
}
