// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"cmp"
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
)

// sourceEdges is what an account has in a keyed relation while changes are applied to it: how its
// records differ from those that are stored, of which no more is read than is needed. Not for
// concurrent use.
type sourceEdges struct {
	writer   *keyedWriter
	relation string
	account  string
	id       uint64
	known    bool // else nothing is stored
	keys     uproar.EdgeKeys
	stored   []uproar.EdgeKey // all, ascending by key, once all is set
	all      bool
	lookups  int
	removed  map[uint64]uint64 // stored records by their keys: the target
	lost     map[uint64]bool   // these targets
	added    map[string]string // records that are not stored: the target by the key
	plain    map[string]bool   // targets that are set without a key
	touched  map[string]bool   // targets whose edge may have come or gone
}

// find returns the target of a key. number is that of a record that is stored, 0 of one that was
// added.
func (e *sourceEdges) find(key string) (target string, number uint64, ok bool, err error) {
	if target, ok = e.added[key]; ok || !e.known {
		return target, 0, ok, nil
	}
	number, ok, err = e.keys.Number(key)
	if err != nil || !ok {
		return "", 0, false, err
	}
	if _, removed := e.removed[number]; removed {
		return "", 0, false, nil
	}
	id, ok, err := e.targetOf(number)
	if err != nil || !ok || e.writer.isDead(id) {
		return "", 0, false, err
	}
	target, err = e.writer.name(id)
	return target, number, err == nil, err
}

// singleLookups is up to how many keys are looked up one by one, before all are read.
const singleLookups = 8

// targetOf returns the target of a stored record.
func (e *sourceEdges) targetOf(number uint64) (id uint64, ok bool, err error) {
	if e.lookups++; e.lookups > singleLookups {
		if err := e.readAll(); err != nil {
			return 0, false, err
		}
		at, ok := slices.BinarySearchFunc(e.stored, number, func(k uproar.EdgeKey, number uint64) int {
			return cmp.Compare(k.Key, number)
		})
		if !ok {
			return 0, false, nil
		}
		return e.stored[at].Target, true, nil
	}
	return e.keys.Find(e.id, number)
}

// set gives a key to a target. A target that had it before loses that record.
func (e *sourceEdges) set(key, target string) error {
	had, _, ok, err := e.find(key)
	if err != nil || ok && had == target {
		return err
	}
	if ok {
		if err := e.clear(key); err != nil {
			return err
		}
	}
	if e.added == nil {
		e.added = make(map[string]string)
	}
	e.added[key], e.touched[target] = target, true
	return nil
}

// setPlain sets an edge without a key.
func (e *sourceEdges) setPlain(target string) {
	if e.plain == nil {
		e.plain = make(map[string]bool)
	}
	e.plain[target] = true
}

// clear takes a record away. An edge without a record more is no edge.
func (e *sourceEdges) clear(key string) error {
	target, number, ok, err := e.find(key)
	if err != nil || !ok {
		return err
	}
	if _, added := e.added[key]; added {
		delete(e.added, key)
	} else {
		e.remove(number, e.writer.ids[target])
	}
	e.touched[target] = true
	delete(e.plain, target)
	return nil
}

// remove takes a stored record away.
func (e *sourceEdges) remove(number, target uint64) {
	if e.removed == nil {
		e.removed, e.lost = make(map[uint64]uint64), make(map[uint64]bool)
	}
	e.removed[number], e.lost[target] = target, true
}

// readAll reads all records that are stored, without those of dead targets.
func (e *sourceEdges) readAll() (err error) {
	if e.all || !e.known {
		return nil
	}
	if e.stored, err = e.keys.Append(nil, e.id, noKey, allKeys); err != nil {
		return err
	}
	if e.all = true; len(e.writer.dead) > 0 {
		e.stored = slices.DeleteFunc(e.stored, func(k uproar.EdgeKey) bool { return e.writer.isDead(k.Target) })
	}
	return nil
}

// clearTarget takes an edge away, with all its records.
func (e *sourceEdges) clearTarget(target string) error {
	id, known, err := e.writer.id(target)
	if err != nil {
		return err
	}
	if err := e.readAll(); err != nil {
		return err
	}
	for _, k := range e.stored {
		if known && k.Target == id {
			e.remove(k.Key, id)
		}
	}
	e.unset(target)
	e.touched[target] = true
	return nil
}

// unset takes away what was set of an edge.
func (e *sourceEdges) unset(target string) {
	maps.DeleteFunc(e.added, func(_, of string) bool { return of == target })
	delete(e.plain, target)
}

// finish writes what differs: first what goes, then what comes.
func (e *sourceEdges) finish() error {
	b := e.writer.batch
	for _, number := range slices.Sorted(maps.Keys(e.removed)) {
		target := e.removed[number]
		if e.writer.isDead(target) {
			continue
		}
		key, err := e.keys.AppendText(nil, number)
		if err != nil {
			return err
		}
		name, err := e.writer.name(target)
		if err != nil {
			return err
		}
		b.ClearEdgeKey(e.relation, e.account, name, string(key))
	}
	left, err := e.left()
	if err != nil {
		return err
	}
	for _, target := range slices.Sorted(maps.Keys(e.touched)) {
		switch {
		case !left[target]:
			b.ClearEdge(e.relation, e.account, target)
		case e.plain[target]:
			b.Set(e.relation, e.account, target)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(e.added)) {
		b.SetEdge(e.relation, e.account, e.added[key], key)
	}
	return e.noteRepeated()
}
