// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"errors"
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
)

// left returns the touched targets that still have an edge. An edge has one record, unless it is
// said to have several: of the others nothing more is read.
func (e *sourceEdges) left() (map[string]bool, error) {
	var left map[string]bool
	if len(e.plain)+len(e.added) > 0 {
		left = make(map[string]bool, len(e.touched))
	}
	for target := range e.plain {
		left[target] = true
	}
	for _, target := range e.added {
		left[target] = true
	}
	var open map[uint64]string // targets of which all records are looked at
	for target := range e.touched {
		if left[target] {
			continue
		}
		id, known, err := e.writer.id(target)
		if err != nil {
			return nil, err
		}
		if !known || !e.known {
			continue
		}
		several, err := e.severalOf(target)
		if err == nil && !several && !e.lost[id] {
			several, err = e.has(target) // perhaps by a record that nothing was said about
		}
		if err != nil {
			return nil, err
		}
		if several {
			if open == nil {
				open = make(map[uint64]string)
			}
			open[id] = target
		}
	}
	if len(open) == 0 {
		return left, nil
	}
	if err := e.readAll(); err != nil {
		return nil, err
	}
	if left == nil {
		left = make(map[string]bool, len(open))
	}
	for _, k := range e.stored {
		if target, ok := open[k.Target]; ok {
			if _, removed := e.removed[k.Key]; !removed {
				left[target] = true
			}
		}
	}
	return left, nil
}

// has reports whether there is a stored edge.
func (e *sourceEdges) has(target string) (bool, error) {
	has, err := e.writer.snapshot.Has(e.relation, e.account, target)
	return has, knownOnly(err)
}

// severalOf reports whether an edge is said to have several stored records.
func (e *sourceEdges) severalOf(target string) (bool, error) {
	several, err := e.writer.snapshot.Has(RepeatedField, e.account, target)
	return several, knownOnly(err)
}

// noteRepeated notes which edges have several records from now on: those that get two, and those
// that get one beside another. It may note more, but never fewer: the note is of all keyed
// relations together, so that to take it away from an edge with one record left, the others would
// have to be read too. One too many costs a pass over the records of the account.
func (e *sourceEdges) noteRepeated() error {
	records := make(map[string]int, len(e.added))
	for _, target := range e.added {
		records[target]++
	}
	for _, target := range slices.Sorted(maps.Keys(records)) {
		several := records[target] > 1
		if id, known, err := e.writer.id(target); err != nil {
			return err
		} else if known && e.known && !several && !e.lost[id] {
			if several, err = e.has(target); err != nil {
				return err
			}
		}
		if several {
			e.writer.batch.Set(RepeatedField, e.account, target)
		}
	}
	return nil
}

// delete has an account deleted, with what was changed of it before. What others had to do with it
// is gone. Accounts that were made to exist by what it got stay.
func (w *keyedWriter) delete(account string) error {
	id, known, err := w.id(account)
	if err != nil {
		return err
	}
	w.order = slices.DeleteFunc(w.order, func(e *sourceEdges) bool {
		if e.account != account {
			e.unset(account)
			delete(e.touched, account)
			if known {
				maps.DeleteFunc(e.removed, func(_, target uint64) bool { return target == id })
				e.stored = slices.DeleteFunc(e.stored, func(k uproar.EdgeKey) bool { return k.Target == id })
			}
			return false
		}
		for _, target := range e.added {
			e.setPlain(target)
		}
		for _, target := range slices.Sorted(maps.Keys(e.plain)) {
			w.batch.AddRecord(target)
		}
		delete(w.edges, sourceKey{Relation(e.relation), account})
		return true
	})
	w.batch.DeleteRecord(account)
	if known {
		w.dead[id] = true
	}
	delete(w.ids, account)
	w.deleted[account] = true
	return nil
}

// isDead reports whether the account of an ID was deleted by an earlier change.
func (w *keyedWriter) isDead(id uint64) bool { return len(w.dead) > 0 && w.dead[id] }

// name returns the key of an account that is stored, and notes that it was looked at.
func (w *keyedWriter) name(id uint64) (string, error) {
	if name, ok := w.names[id]; ok {
		return name, nil
	}
	name, err := w.snapshot.Key(id)
	if err != nil {
		return "", err
	}
	w.note(name, id)
	return name, nil
}

// note keeps the ID of an account that was looked at.
func (w *keyedWriter) note(name string, id uint64) {
	if _, noted := w.names[id]; !noted {
		w.ids[name], w.names[id], w.read = id, name, append(w.read, id)
	}
}

// id looks up an account, and notes that it was looked at.
func (w *keyedWriter) id(account string) (id uint64, known bool, err error) {
	if id, known = w.ids[account]; known {
		return id, true, nil
	}
	if w.deleted[account] || w.missing[account] {
		return 0, false, nil
	}
	id, err = w.snapshot.ID(account)
	switch {
	case errors.Is(err, uproar.ErrUnknownRecord):
		w.missing[account] = true
		return 0, false, nil
	case err != nil:
		return 0, false, err
	}
	w.note(account, id)
	return id, true, nil
}
