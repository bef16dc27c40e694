// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/query"
)

// Bind says what a leaf of a query is in the index, and of a query.Through its relation. An error
// of it ends the evaluation and is returned as it is.
type Bind func(query.Expr) (Leaf, error)

// Leaf is what an index has for a leaf of a query. The zero value is a leaf that can have no
// records, such as a value that no record ever had.
type Leaf struct {
	Kind     Kind
	Field    uint32
	Row      uint64    // of List
	From, To int64     // of Integers: the range, both included
	Space    uint32    // of Key and Prefix: where the keys of the rows are
	Key      string    // of Key
	Set      view.View // of Set: valid (roaring.View.Validate), and unchanged as long as the query runs
}

// Kind says of which kind a leaf is.
type Kind uint8

const (
	// Empty has no records.
	Empty Kind = iota
	// List is the list of one row.
	List
	// Key is the list of the row that has a key, if one has; in the space of the records only that
	// of a record which exists. Many keys of a query are looked up together.
	Key
	// Any is the records that have a value in a field.
	Any
	// Integers is the records whose integer in a field is in a range.
	Integers
	// Prefix is the records in a row whose key begins with what a query.Prefix says.
	Prefix
	// Rows is a relation: the field whose rows are the records of the query in a query.Through.
	Rows
	// Set is a bitmap that is no list of the index.
	Set
)

// checkNames fails for an expression with a leaf that cannot be bound, also where simplifying it
// leaves the leaf out: an unknown name is an error wherever it stands.
func checkNames(e query.Expr, bind Bind) error {
	if query.IsSimple(e) {
		return nil // nothing will be left out
	}
	for e := range query.Walk(e) {
		switch e.(type) {
		case query.Equal, query.Prefix, query.Compare, query.Between, query.Any, query.Related, query.Saved,
			query.Bitmap, query.Through:
			if _, err := bind(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// isLeaf reports whether an expression is one that is bound, and not a Through.
func isLeaf(e query.Expr) bool {
	switch e.(type) {
	case query.Equal, query.Prefix, query.Compare, query.Between, query.Any, query.Related, query.Saved, query.Bitmap:
		return true
	}
	return false
}

// lookup returns the question for the row of a leaf of kind Key.
func (l *Leaf) lookup() reader.Lookup {
	return reader.Lookup{Space: l.Space, Key: l.Key, Near: l.Field, Exists: l.Space == model.RecordSpace}
}

// row returns the row of a leaf of kind List or Key; ok is false when it has none.
func (p *plan) row(l Leaf) (row uint64, ok bool, err error) {
	if l.Kind != Key {
		return l.Row, l.Kind == List, nil
	}
	if row, ok, err = p.snap.Lookup(l.Space, l.Key); ok && err == nil && l.Space == model.RecordSpace {
		ok, err = p.snap.Contains(model.Exists, 0, row)
	}
	return row, ok && err == nil, err
}

// leaf makes the node of a leaf; nil when it can have no records.
func (p *plan) leaf(e query.Expr, l Leaf) (*node, error) {
	switch l.Kind {
	case Empty:
		return nil, nil
	case List, Key:
		row, ok, err := p.row(l)
		if err != nil || !ok {
			return nil, err
		}
		return p.list(l.Field, row)
	case Any:
		n := p.node(opList)
		if err := p.snap.Any(p.pace.ctx, l.Field, &n.list); err != nil {
			return nil, err
		}
		return p.listed(n)
	case Integers:
		return p.integers(l.Field, l)
	case Prefix:
		e, ok := e.(query.Prefix)
		if !ok {
			break
		}
		return p.union(l.Field, func(fn func(row uint64) error) error {
			return p.snap.KeysWith(p.pace.ctx, l.Space, e.Value, fn)
		})
	case Set:
		n := p.node(opList)
		n.list.SetView(l.Set)
		n.loose = true
		return p.listed(n)
	}
	return nil, fmt.Errorf("eval: got a leaf of kind %d for %T, want another", l.Kind, e)
}

// through makes the node of the rows that the records of a query have in a relation.
func (p *plan) through(e query.Through, bind Bind) (*node, error) {
	l, err := bind(e)
	if err != nil {
		return nil, err
	}
	of, err := p.part(e.Of, bind)
	if err != nil {
		return nil, err
	}
	defer of.release()
	if l.Kind != Rows {
		return nil, nil
	}
	return p.union(l.Field, func(fn func(row uint64) error) error { return of.each(0, fn) })
}

// each calls fn with the records of the plan, ascending from one on, until fn returns an error,
// which it returns.
func (p *plan) each(from uint64, fn func(record uint64) error) (err error) {
	walked := p.walk(from>>16, func(key uint64) bool {
		p.lows = p.root.block(key).AppendLow(p.lows[:0])
		for _, low := range p.lows {
			if id := key<<16 | uint64(low); id >= from {
				if err = fn(id); err != nil {
					return false
				}
			}
		}
		return true
	})
	return errors.Join(err, walked)
}

// existing makes the node of the records of another that exist.
func (p *plan) existing(n *node, err error) (*node, error) {
	if err != nil || n == nil || !n.loose {
		return n, err
	}
	universe, err := p.list(model.Exists, 0)
	if err != nil {
		return nil, err
	}
	and := p.node(opAnd)
	and.plus, and.atMost = append(and.plus, n, universe), min(n.atMost, universe.atMost)
	return and, nil
}
