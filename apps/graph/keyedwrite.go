// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
)

// needsKeys reports whether changes are about records with keys, or must look whether there are.
func (g *Graph) needsKeys(list []Change) bool {
	return slices.ContainsFunc(list, func(c Change) bool {
		return c.Key != "" || c.Op == Replace || c.Op == Hide || c.Op == Show || c.Op == Clear && g.Keyed(c.Relation)
	})
}

// writeKeyed is Write for changes that depend on what records there are. more, if set, adds to the
// batch at its end.
func (g *Graph) writeKeyed(ctx context.Context, c Changes, more func(*keyedWriter) error) (sequence uint64,
	err error) {
	for i, change := range c.List {
		if err := g.checkKeyed(change); err != nil {
			return 0, &ChangeError{i, err}
		}
	}
	if c.Stream != "" {
		if err := CheckAccount(c.Stream); err != nil {
			return 0, err
		}
	}
	return g.index.Update(ctx, func(s uproar.Snapshot, b *uproar.Batch) error {
		w := newKeyedWriter(g, s, b)
		for _, change := range c.List {
			if err := w.apply(ctx, change); err != nil {
				return err
			}
		}
		if c.Stream != "" {
			b.SetInt(PositionField, c.Stream, c.Position)
		}
		if err := w.write(); err != nil {
			return err
		}
		if more != nil {
			if err := more(w); err != nil {
				return err
			}
		}
		w.reads()
		return nil
	})
}

// checkKeyed fails for a change that cannot be.
func (g *Graph) checkKeyed(c Change) error {
	if err := CheckAccount(c.Account); err != nil {
		return err
	}
	if c.Op != Replace && len(c.Edges) > 0 || c.Op != Set && c.Op != Clear && (c.Key != "" || c.Target != "") {
		return fmt.Errorf("%w: operation %s with a key, a target or edges, which it does not take", ErrInvalidChange,
			shown(string(c.Op)))
	}
	if c.Op == Delete && c.Relation == "" {
		return nil
	}
	if c.Op == Hide || c.Op == Show {
		if c.Relation != "" || len(g.keyed) == 0 {
			return fmt.Errorf("%w: operation %q of relation %s, want it without one in a graph with a keyed relation",
				ErrInvalidChange, c.Op, shown(string(c.Relation)))
		}
		return nil
	}
	if c.Op != Set && c.Op != Clear && c.Op != Replace {
		return fmt.Errorf("%w: operation %s of relation %s, want %q, %q or %q, or without one %q, %q or %q",
			ErrInvalidChange, shown(string(c.Op)), shown(string(c.Relation)), Set, Clear, Replace, Delete, Hide, Show)
	}
	if inverses[c.Relation] == "" {
		return &RelationError{c.Relation}
	}
	if (c.Key != "" || c.Op == Replace) && !g.Keyed(c.Relation) {
		return &UnkeyedError{c.Relation}
	}
	if c.Key != "" {
		if err := CheckKey(c.Key); err != nil {
			return err
		}
	}
	if c.Op == Clear && c.Key != "" && c.Target != "" {
		return fmt.Errorf("%w: a clear of key %s and target %s, want one of them", ErrInvalidChange, shown(c.Key),
			shown(c.Target))
	}
	if c.Op == Set || c.Op == Clear && c.Key == "" {
		return CheckAccount(c.Target)
	}
	targets := make(map[string]string, len(c.Edges))
	for _, e := range c.Edges {
		if err := CheckAccount(e.Target); err != nil {
			return err
		}
		if e.Key == "" {
			continue
		}
		if err := CheckKey(e.Key); err != nil {
			return err
		}
		if other, there := targets[e.Key]; there && other != e.Target {
			return fmt.Errorf("%w: key %s of two edges, to %s and %s, want one target for each key", ErrInvalidChange,
				shown(e.Key), shown(other), shown(e.Target))
		}
		targets[e.Key] = e.Target
	}
	return nil
}

// sourceKey names what an account has in a relation.
type sourceKey struct {
	relation Relation
	account  string
}

// keyedWriter turns changes into the writes of a batch. Not for concurrent use.
type keyedWriter struct {
	graph    *Graph
	snapshot uproar.Snapshot
	batch    *uproar.Batch
	ids      map[string]uint64 // of accounts that were looked at
	names    map[uint64]string // the same
	read     []uint64          // their records, and those of accounts that changes delete
	missing  map[string]bool   // accounts that do not exist
	keys     map[Relation]uproar.EdgeKeys
	edges    map[sourceKey]*sourceEdges
	order    []*sourceEdges // as they were met

	deleted map[string]bool // accounts that changes deleted
	dead    map[uint64]bool // those of them that were stored
}

func newKeyedWriter(g *Graph, s uproar.Snapshot, b *uproar.Batch) *keyedWriter {
	return &keyedWriter{graph: g, snapshot: s, batch: b, ids: make(map[string]uint64), names: make(map[uint64]string),
		missing: make(map[string]bool), keys: make(map[Relation]uproar.EdgeKeys),
		edges: make(map[sourceKey]*sourceEdges), deleted: make(map[string]bool),
		dead: make(map[uint64]bool)}
}

// apply applies a change behind those before it.
func (w *keyedWriter) apply(ctx context.Context, c Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case c.Op == Hide:
		w.batch.Set(HiddenField, c.Account, HiddenRow)
		return nil
	case c.Op == Show:
		w.batch.Clear(HiddenField, c.Account, HiddenRow)
		return nil
	case c.Op == Delete:
		return w.delete(c.Account)
	case !w.graph.Keyed(c.Relation) && c.Op == Set:
		w.batch.Set(string(c.Relation), c.Account, c.Target)
		return nil
	case !w.graph.Keyed(c.Relation):
		w.batch.Clear(string(c.Relation), c.Account, c.Target)
		return nil
	}
	e, err := w.of(c.Relation, c.Account)
	if err != nil {
		return err
	}
	switch {
	case c.Op == Replace:
		return e.replace(ctx, c.Edges)
	case c.Op == Set && c.Key == "":
		e.setPlain(c.Target)
		e.touched[c.Target] = true
		return nil
	case c.Op == Set:
		return e.set(c.Key, c.Target)
	case c.Key != "":
		return e.clear(c.Key)
	}
	return e.clearTarget(c.Target)
}

// of returns what an account has in a relation.
func (w *keyedWriter) of(r Relation, account string) (*sourceEdges, error) {
	name := sourceKey{r, account}
	if e := w.edges[name]; e != nil {
		return e, nil
	}
	id, known, err := w.id(account)
	if err != nil {
		return nil, err
	}
	keys, ok := w.keys[r]
	if !ok {
		if keys, err = w.snapshot.EdgeKeys(string(r)); err != nil {
			return nil, err
		}
		w.keys[r] = keys
	}
	e := &sourceEdges{writer: w, relation: string(r), account: account, id: id, known: known, keys: keys,
		touched: make(map[string]bool)}
	w.edges[name], w.order = e, append(w.order, e)
	return e, nil
}

// write writes what differs from the snapshot.
func (w *keyedWriter) write() error {
	for _, e := range w.order {
		if err := e.finish(); err != nil {
			return err
		}
	}
	return nil
}

// reads says what was read.
func (w *keyedWriter) reads() {
	slices.Sort(w.read)
	w.batch.Reads(slices.Compact(w.read), slices.Sorted(maps.Keys(w.missing)))
}
