// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"slices"

	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/query"
)

// or makes a disjunction. The ranges of an integer field are one node, whatever their number. So
// are the lists of a field, if they are many: their keys are looked up together, and the union of
// the lists is made in the order of the rows. Of other operands beyond a few, each is evaluated,
// and joined to one set.
func (p *plan) or(of []query.Expr, bind Bind) (*node, error) {
	n := p.node(opOr)
	start := len(p.parts)
	defer func() {
		clear(p.parts[start:])
		p.parts = p.parts[:start]
	}()
	err := p.sort(of, bind)
	if err == nil {
		err = p.orAlike(n)
	}
	p.forgetAlike()
	if err != nil {
		return nil, err
	}
	parts := p.parts[start:]
	if len(parts) > fewOperands {
		k, err := p.joined(p.snap.Union(), parts[fewOperands:], bind)
		if err != nil {
			return nil, err
		}
		n.add(k)
		parts = parts[:fewOperands]
	}
	if err := p.operands(n, parts, bind); err != nil || len(n.plus) == 0 {
		return nil, err
	}
	return n, nil
}

// add adds an operand, unless it can have no records.
func (n *node) add(k *node) {
	if k != nil {
		n.plus, n.atMost, n.loose = append(n.plus, k), n.atMost+k.atMost, n.loose || k.loose
	}
}

// sort puts the operands of a disjunction to p.alike, or else to p.parts.
func (p *plan) sort(of []query.Expr, bind Bind) error {
	for i, e := range of {
		if i%stepsPerLook == 0 && p.check.ctx.Err() != nil {
			return p.check.ctx.Err()
		}
		if !isLeaf(e) {
			p.parts = append(p.parts, e)
			continue
		}
		leaf, err := bind(e)
		if err != nil {
			return err
		}
		switch leaf.Kind {
		case Key, List, Integers:
			p.join(e, leaf)
		case Empty:
		default:
			p.parts = append(p.parts, e)
		}
	}
	return nil
}

// join adds a leaf to the leaves of its field and kind.
func (p *plan) join(e query.Expr, l Leaf) {
	i := slices.IndexFunc(p.alike, func(a alike) bool {
		return a.leaves[0].Field == l.Field && a.leaves[0].Kind == l.Kind
	})
	if i < 0 {
		if i = len(p.alike); i < cap(p.alike) {
			p.alike = p.alike[:i+1] // with the memory of an earlier one
		} else {
			p.alike = append(p.alike, alike{})
		}
	}
	a := &p.alike[i]
	a.of, a.leaves = append(a.of, e), append(a.leaves, l)
}

// orAlike adds the nodes of what is alike to a disjunction.
func (p *plan) orAlike(n *node) error {
	for i := range p.alike {
		a := &p.alike[i]
		if len(a.of) > fewOperands || len(a.of) > 1 && a.leaves[0].Kind == Integers {
			of := query.Or{Of: a.of}
			if p.explain != nil {
				of.Of = slices.Clone(a.of) // whose memory is used again
			}
			k, err := p.explained(of, func() (*node, error) { return p.together(a.leaves) })
			if err != nil {
				return err
			}
			n.add(k)
			continue
		}
		for i, e := range a.of {
			k, err := p.explained(e, func() (*node, error) { return p.leaf(e, a.leaves[i]) })
			if err != nil {
				return err
			}
			n.add(k)
		}
	}
	return nil
}

// forgetAlike empties p.alike, and keeps some of its memory.
func (p *plan) forgetAlike() {
	for i := range p.alike {
		a := &p.alike[i]
		if len(a.of) > keepNodes {
			*a = alike{}
		}
		clear(a.of)
		clear(a.leaves)
		a.of, a.leaves = a.of[:0], a.leaves[:0]
	}
	p.alike = p.alike[:0]
}

// together makes the node of the records of leaves that are alike.
func (p *plan) together(leaves []Leaf) (*node, error) {
	if leaves[0].Kind == Integers {
		return p.integers(leaves[0].Field, leaves...)
	}
	rows, err := p.rowsOf(leaves)
	if err != nil {
		return nil, err
	}
	return p.union(leaves[0].Field, func(fn func(row uint64) error) error {
		for _, row := range rows {
			if err := fn(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// lookupPortion is how many keys are looked up together: beyond it, a page may be fetched again.
const lookupPortion = 1 << 14

// rowsOf returns the rows of leaves of kinds Key and List, each once, ascending. Keys without a row
// are left out.
func (p *plan) rowsOf(leaves []Leaf) ([]uint64, error) {
	rows := make([]uint64, 0, len(leaves))
	keys := make([]reader.Lookup, 0, min(len(leaves), lookupPortion))
	for part := range slices.Chunk(leaves, lookupPortion) {
		keys = keys[:0]
		for _, l := range part {
			if l.Kind == List {
				rows = append(rows, l.Row)
			} else {
				keys = append(keys, l.lookup())
			}
		}
		if err := p.snap.MultiGet(keys); err != nil {
			return nil, err
		}
		for i := range keys {
			if keys[i].OK {
				rows = append(rows, keys[i].ID)
			}
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows), nil
}

// union makes the node of the records that are in any row that each passes. The rows should ascend.
func (p *plan) union(field uint32, each func(fn func(row uint64) error) error) (*node, error) {
	var rows []uint64
	var u *reader.Union
	steps := 0
	err := each(func(row uint64) error {
		if u == nil && len(rows) < fewOperands {
			rows = append(rows, row)
			return nil
		}
		if u == nil {
			u = p.snap.Union()
			for _, row := range rows {
				if err := u.AddRow(field, row); err != nil {
					return err
				}
			}
		}
		if steps++; steps%stepsPerLook == 0 && p.check.ctx.Err() != nil {
			return p.check.ctx.Err()
		}
		return u.AddRow(field, row)
	})
	switch {
	case err != nil:
		return nil, err
	case u != nil:
		return p.united(u)
	case len(rows) == 0:
		return nil, nil
	}
	n := p.node(opOr)
	for _, row := range rows {
		k, err := p.list(field, row)
		if err != nil {
			return nil, err
		}
		n.add(k)
	}
	return n, nil
}

// united makes the node of a union that is complete.
func (p *plan) united(u *reader.Union) (*node, error) {
	n := p.node(opList)
	u.List(&n.list)
	return p.listed(n)
}

// joined evaluates operands one after the other, joins their records to a union, and makes the node
// of that.
func (p *plan) joined(u *reader.Union, of []query.Expr, bind Bind) (*node, error) {
	if err := p.eachSet(of, bind, func(set *mutable.Bitmap) error { u.AddSet(set); return nil }); err != nil {
		return nil, err
	}
	return p.united(u)
}

// eachSet calls fn with the records of each of some expressions.
func (p *plan) eachSet(of []query.Expr, bind Bind, fn func(*mutable.Bitmap) error) error {
	for _, e := range of {
		if err := p.check.ctx.Err(); err != nil {
			return err
		}
		part, err := p.part(e, bind)
		if err != nil {
			return err
		}
		set, err := part.set(pack.Fastest)
		part.release()
		if err == nil {
			err = fn(set)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
