// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/query"
)

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
		if err := p.snap.Any(p.check.ctx, l.Field, &n.list); err != nil {
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
			return p.snap.KeysWith(p.check.ctx, l.Space, e.Value, fn)
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

// each calls fn with the records of the plan, ascending, from record from on. It stops at the first
// error of fn and returns it.
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
