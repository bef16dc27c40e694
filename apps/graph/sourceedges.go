// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// sourceEdges is what an account has in a keyed relation while changes are applied to it: its
// records as they are stored, and how they differ. Not for concurrent use.
type sourceEdges struct {
	writer   *keyedWriter
	relation string
	account  string
	keys     uproar.EdgeKeys
	stored   []uproar.EdgeKey  // ascending by key
	removed  map[int]bool      // of stored, by place
	added    map[string]string // records that are not stored: the target by the key
	plain    map[string]bool   // targets that are set without a key
	touched  map[string]bool   // targets whose edge may have come or gone
}

// find returns the target of a key, and its place in stored, which is -1 if it was added.
func (e *sourceEdges) find(key string) (target string, at int, ok bool, err error) {
	if target, ok = e.added[key]; ok {
		return target, -1, true, nil
	}
	number, ok, err := e.keys.Number(key)
	if err != nil || !ok {
		return "", -1, false, err
	}
	at, ok = slices.BinarySearchFunc(e.stored, number, func(k uproar.EdgeKey, number uint64) int {
		return cmp.Compare(k.Key, number)
	})
	if !ok || e.removed[at] {
		return "", -1, false, nil
	}
	target, err = e.target(at)
	return target, at, err == nil, err
}

// target returns the target of a stored record.
func (e *sourceEdges) target(at int) (string, error) {
	id := e.stored[at].Target
	target, err := e.writer.snapshot.Key(id)
	if _, noted := e.writer.ids[target]; err == nil && !noted {
		e.writer.ids[target], e.writer.read = id, append(e.writer.read, id)
	}
	return target, err
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
	e.added[key], e.touched[target] = target, true
	return nil
}

// clear takes a record away. An edge without a record more is no edge.
func (e *sourceEdges) clear(key string) error {
	target, at, ok, err := e.find(key)
	if err != nil || !ok {
		return err
	}
	if at < 0 {
		delete(e.added, key)
	} else {
		e.remove(at)
	}
	e.touched[target] = true
	delete(e.plain, target)
	return nil
}

// remove takes a stored record away.
func (e *sourceEdges) remove(at int) {
	if e.removed == nil {
		e.removed = make(map[int]bool)
	}
	e.removed[at] = true
}

// clearTarget takes an edge away, with all its records.
func (e *sourceEdges) clearTarget(target string) error {
	id, known, err := e.writer.id(target)
	if err != nil {
		return err
	}
	for i, k := range e.stored {
		if known && k.Target == id {
			e.remove(i)
		}
	}
	maps.DeleteFunc(e.added, func(_, of string) bool { return of == target })
	delete(e.plain, target)
	e.touched[target] = true
	return nil
}

// replace makes edges all that there are.
func (e *sourceEdges) replace(ctx context.Context, edges []Edge) error {
	wanted, plain := make(map[string]string, len(edges)), make(map[string]bool)
	for _, edge := range edges {
		if edge.Key == "" {
			plain[edge.Target] = true
		} else {
			wanted[edge.Key] = edge.Target
		}
	}
	for at, k := range e.stored {
		if e.removed[at] {
			continue
		}
		text, err := e.keys.AppendText(nil, k.Key)
		if err != nil {
			return err
		}
		target, err := e.target(at)
		if err != nil {
			return err
		}
		if wanted[string(text)] != target {
			e.remove(at)
			e.touched[target] = true
		}
	}
	for key, target := range e.added {
		if wanted[key] != target {
			delete(e.added, key)
			e.touched[target] = true
		}
	}
	for target := range e.plain {
		e.touched[target] = true
	}
	e.plain = plain
	for target := range plain {
		e.touched[target] = true
	}
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if err := e.set(key, wanted[key]); err != nil {
			return err
		}
	}
	return e.touchUnkeyed(ctx)
}

// touchUnkeyed has edges looked at that have no record: what is left of them goes.
func (e *sourceEdges) touchUnkeyed(ctx context.Context) error {
	if _, known, err := e.writer.id(e.account); err != nil || !known {
		return err
	}
	of := query.Related{Field: e.relation, Key: e.account}
	targets, err := e.writer.snapshot.IDs(ctx, of, uproar.Page{})
	if err != nil {
		return err
	}
	keyed := make(map[uint64]bool, len(e.stored))
	for _, k := range e.stored {
		keyed[k.Target] = true
	}
	for _, id := range targets.IDs {
		if keyed[id] {
			continue
		}
		target, err := e.writer.snapshot.Key(id)
		if err != nil {
			return err
		}
		e.touched[target] = true
	}
	return nil
}

// scannedTargets is up to how many targets are looked for one after the other.
const scannedTargets = 4

// findLeft adds the touched targets that have a stored record which is not removed.
func (e *sourceEdges) findLeft(left map[string]bool) error {
	ids, names := make([]uint64, 0, scannedTargets), make(map[uint64]string, len(e.touched))
	for target := range e.touched {
		id, known, err := e.writer.id(target)
		if err != nil {
			return err
		}
		if known {
			ids, names[id] = append(ids, id), target
		}
	}
	for at := range e.stored {
		id := e.stored[at].Target
		if len(ids) <= scannedTargets && !slices.Contains(ids, id) {
			continue
		}
		if target, ok := names[id]; ok && !e.removed[at] {
			left[target] = true
		}
	}
	return nil
}

// finish writes what differs: first what goes, then what comes.
func (e *sourceEdges) finish() error {
	b := e.writer.batch
	for _, at := range slices.Sorted(maps.Keys(e.removed)) {
		text, err := e.keys.AppendText(nil, e.stored[at].Key)
		if err != nil {
			return err
		}
		target, err := e.target(at)
		if err != nil {
			return err
		}
		b.ClearEdgeKey(e.relation, e.account, target, string(text))
	}
	left := make(map[string]bool, len(e.touched)) // touched targets that still have an edge
	for target := range e.plain {
		left[target] = true
	}
	for _, target := range e.added {
		left[target] = true
	}
	if err := e.findLeft(left); err != nil {
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
	return nil
}
