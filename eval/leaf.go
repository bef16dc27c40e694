// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
	"github.com/uproar-db/uproar/query"
)

// Bind says what a leaf of a query is in the index, and of a query.Through its relation. An error of it ends the evaluation and is returned as it is.
type Bind func(query.Expr) (Leaf, error)

// Leaf is what an index has for a leaf of a query. The zero value is a leaf that can have no records, such as a value that no record ever had.
type Leaf struct {
	Kind     Kind
	Field    uint32
	Row      uint64      // of List
	From, To int64       // of Integers: the range, both included
	Space    uint32      // of Prefix: where the keys of the rows are
	Set      bitmap.View // of Set: valid (bitmap.View.Validate), and unchanged as long as the query runs
}

// Kind says of which kind a leaf is.
type Kind uint8

const (
	// Empty has no records.
	Empty Kind = iota
	// List is the list of one row.
	List
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

// checkNames fails for an expression with a leaf that cannot be bound, also where simplifying it leaves the leaf out: an unknown name is an error wherever it stands.
func checkNames(e query.Expr, bind Bind) error {
	if query.IsSimple(e) {
		return nil // nothing will be left out
	}
	for e := range query.Walk(e) {
		switch e.(type) {
		case query.Equal, query.Prefix, query.Compare, query.Between, query.Any, query.Related, query.Saved, query.Bitmap, query.Through:
			if _, err := bind(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaf makes the node of a leaf; nil when it can have no records.
func (p *plan) leaf(snap posting.Snapshot, e query.Expr, l Leaf) (*node, error) {
	switch l.Kind {
	case Empty:
		return nil, nil
	case List:
		return p.list(snap, l.Field, l.Row)
	case Any:
		return p.lists1(func(n *node) error { return snap.Any(p.pace.ctx, l.Field, &n.list) })
	case Integers:
		return p.integers(snap, l)
	case Prefix:
		e, ok := e.(query.Prefix)
		if !ok {
			break
		}
		return p.union(snap, l.Field, func(fn func(row uint64) error) error { return snap.KeysWith(p.pace.ctx, l.Space, e.Value, fn) })
	case Set:
		n, err := p.lists1(func(n *node) error { n.list.SetView(l.Set); return nil })
		if err == nil {
			n.loose = true
		}
		return n, err
	}
	return nil, fmt.Errorf("eval: got a leaf of kind %d for %T, want another", l.Kind, e)
}

// lists1 makes the node of one more list, which read fills.
func (p *plan) lists1(read func(n *node) error) (*node, error) {
	if err := p.admit(1); err != nil {
		return nil, err
	}
	n := p.node(opList)
	if err := read(n); err != nil {
		return nil, err
	}
	n.atMost = n.list.AtMost()
	return n, p.owe(n.list.Bytes() + scratchBytes)
}

// admit counts lists that the query reads.
func (p *plan) admit(lists int) error {
	if p.lists += lists; p.lists > MaxLists {
		return fmt.Errorf("%w: got more than %d posting lists, want at most so many", ErrLimit, MaxLists)
	}
	return nil
}

// fewRows is how many lists of a union are walked beside one another; more are joined in one bitmap before the walk, in the memory of one.
const fewRows = 32

// union makes the node of the records that are in any of the rows that each goes through.
func (p *plan) union(snap posting.Snapshot, field uint32, each func(fn func(row uint64) error) error) (*node, error) {
	var rows []uint64
	var all *posting.Union
	steps := 0
	err := each(func(row uint64) error {
		if all == nil && len(rows) < fewRows {
			rows = append(rows, row)
			return nil
		}
		if all == nil {
			all = snap.Union(field)
			for _, row := range rows {
				if err := all.Add(row); err != nil {
					return err
				}
			}
		}
		if steps++; steps%stepsPerLook == 0 && p.pace.ctx.Err() != nil {
			return p.pace.ctx.Err()
		}
		return all.Add(row)
	})
	if err != nil {
		return nil, err
	}
	if all != nil {
		return p.lists1(func(n *node) error { all.List(&n.list); return nil })
	}
	or := p.node(opOr)
	for _, row := range rows {
		k, err := p.list(snap, field, row)
		if err != nil {
			return nil, err
		}
		or.plus, or.atMost = append(or.plus, k), or.atMost+k.atMost
	}
	if len(rows) == 0 {
		return nil, nil
	}
	return or, nil
}

// through makes the node of the rows that the records of a query have in a relation.
func (p *plan) through(snap posting.Snapshot, e query.Through, bind Bind) (*node, error) {
	l, err := bind(e)
	if err != nil {
		return nil, err
	}
	of, err := newPlan(p.pace.ctx, snap, e.Of, bind)
	if err != nil {
		return nil, err
	}
	defer of.release()
	if l.Kind != Rows {
		return nil, nil
	}
	return p.union(snap, l.Field, func(fn func(row uint64) error) error {
		return of.each(0, fn)
	})
}

// each calls fn with the records of the plan, ascending from one on, until fn returns an error, which it returns.
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
func (p *plan) existing(n *node) (*node, error) {
	universe, err := p.list(p.snap, posting.Exists, 0)
	if err != nil {
		return nil, err
	}
	and := p.node(opAnd)
	and.plus, and.atMost = append(and.plus, n, universe), min(n.atMost, universe.atMost)
	return and, nil
}
