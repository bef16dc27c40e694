// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/binary"
	"slices"
)

// Simplify returns an expression that denotes the same set as e, in a form that is easier to plan:
//
//   - All and Nothing occur only as the whole result.
//   - No And is an operand of an And and no Or of an Or; each has at least two
//     operands, all different, also when the order of theirs is ignored.
//   - Not occurs only around the whole result, or as an operand of an And that
//     has an operand which is not a Not too. So the only complement taken among
//     all records is the last step, if any; every other one is "and not". De
//     Morgan's laws bring it about: "a or not b" becomes "not (not a and b)".
//   - A Xor has at least two operands, none of them a Not or a Xor. An AtLeast has N of 2
//     or more, and more operands than that; no two of them are complements. Others become
//     an And, an Or or a constant. An operand of an AtLeast may be a Not.
//   - The query of a Through is simplified for itself.
//   - An operator with operands that exclude or exhaust one another plainly is
//     the constant it amounts to: "a and not a", "a and b or not (a and b)". An
//     operand that another makes useless is dropped: "a or a and b" is "a".
//
// Operands keep the order of the text, each where it first occurred: putting them
// in the order of their cost is the planner's work. The result may share parts
// with e, and use one part in several places. It is nested at most twice as deep
// as e and one level more. e should be valid in the sense of [Validate]; what is
// not an expression of this package is kept as a leaf.
//
// Time is O(n log n) for n expressions in e; only operands that move up because
// the level above them fell away are looked at once more for each such level. A
// leaf, and an operator over a few leaves that is in that form already, is
// returned as it is, without allocating.
func Simplify(e Expr) Expr {
	if isSimple(e) {
		return e
	}
	return simplify(e)
}

func simplify(e Expr) Expr {
	var one [1]Expr
	of, _ := operands(e, &one)
	s := simplifier{
		nodes:  make([]node, 1, len(of)+8),
		leaves: make(map[any]literal, len(of)+8),
		lists:  map[string]uint32{},
	}
	s.nodes[0], s.leaves[All{}] = node{leaf: All{}}, everything
	return s.render(s.reduce(e))
}

// reduce returns the literal of what e denotes.
func (s *simplifier) reduce(e Expr) literal {
	switch op := e.(type) {
	case Nothing:
		return everything.not()
	case All, Equal, Prefix, Compare, Between, Related, Any, Saved:
		return s.leaf(e, e)
	case Bitmap:
		return s.leaf(bytesAt{first(op.Bytes), len(op.Bytes)}, e)
	case Through:
		return s.through(op)
	case Xor:
		return s.xor(op)
	case AtLeast:
		return s.atLeast(op)
	case Not:
		return s.reduce(op.Of).not()
	case And:
		return s.intersect(s.gather(nil, op.Of, false))
	case Or:
		return s.intersect(s.gather(nil, op.Of, true)).not()
	default:
		return s.add(node{leaf: e}) // nil and the like may not even be comparable
	}
}

// leaf returns the literal of a leaf that a key stands for.
func (s *simplifier) leaf(key any, e Expr) literal {
	l, ok := s.leaves[key]
	if !ok {
		l = s.add(node{leaf: e})
		s.leaves[key] = l
	}
	return l
}

// bytesAt says which bytes a Bitmap has. Equal ones elsewhere are taken for others: comparing them
// could cost more than it saves.
type bytesAt struct {
	first *byte
	n     int
}

func first(b []byte) *byte {
	if len(b) == 0 {
		return nil
	}
	return &b[0]
}

// gather appends the operands of an intersection, or their complements. In the place of an
// intersection among them it appends its operands at once: going up level by level would copy the
// deepest ones many times.
func (s *simplifier) gather(to []literal, of []Expr, negate bool) []literal {
	for _, e := range of {
		e, negate := unwrap(e, negate)
		switch op := e.(type) {
		case And:
			if !negate {
				to = s.gather(to, op.Of, false)
				continue
			}
		case Or:
			if negate {
				to = s.gather(to, op.Of, true)
				continue
			}
		}
		to = append(to, s.reduce(e).flip(negate))
	}
	return to
}

// unwrap removes what stands around an expression without joining it to others.
func unwrap(e Expr, negate bool) (Expr, bool) {
	for {
		switch op := e.(type) {
		case Not:
			e, negate = op.Of, !negate
			continue
		case And:
			if len(op.Of) == 1 {
				e = op.Of[0]
				continue
			}
		case Or:
			if len(op.Of) == 1 {
				e = op.Of[0]
				continue
			}
		case AtLeast:
			if len(op.Of) == 1 && op.N == 1 {
				e = op.Of[0]
				continue
			}
		}
		return e, negate
	}
}

// render returns the expression of a literal.
func (s *simplifier) render(l literal) Expr {
	switch {
	case l == everything.not():
		return Nothing{}
	case s.isUnnegated(l):
		return s.show(l.node())
	default:
		return Not{s.show(l.node())}
	}
}

// show returns the expression of a node, or of its complement if it is a union.
func (s *simplifier) show(i uint32) Expr {
	n := &s.nodes[i]
	if n.shown != nil {
		return n.shown
	}
	switch {
	case n.counts:
		n.shown = s.showCounted(n)
	case n.of == nil:
		n.shown = n.leaf
	case n.union:
		n.shown = Or{s.renderAll(n.of, true)}
	default:
		n.shown = And{s.renderAll(n.of, false)}
	}
	return n.shown
}

func (s *simplifier) renderAll(of []literal, negate bool) []Expr {
	list := make([]Expr, len(of))
	for i, l := range of {
		list[i] = s.render(l.flip(negate))
	}
	return list
}

// Operators that the graph of intersections has no node for are leaves of it: their
// operands are simplified first, and two with the same are one leaf.

// through returns the literal of a Through.
func (s *simplifier) through(e Through) literal {
	of := s.represent(s.reduce(e.Of))
	if of == everything.not() {
		return of
	}
	return s.leaf(throughKey{e.Field, of}, Through{e.Field, s.render(of)})
}

type throughKey struct {
	field string
	of    literal
}

// xor returns the literal of a Xor: everything in it flips the result, as does each
// complement, and what occurs twice falls out.
func (s *simplifier) xor(e Xor) literal {
	of, negated := s.odd(nil, e.Of)
	left := make(map[literal]int, len(of))
	for _, l := range of {
		left[l] ^= 1
	}
	kept := of[:0]
	for _, l := range of {
		if left[l] > 0 {
			left[l]--
			kept = append(kept, l)
		}
	}
	switch len(kept) {
	case 0:
		return everything.not().flip(negated)
	case 1:
		return kept[0].flip(negated)
	}
	return s.counted(0, kept).flip(negated)
}

// odd appends the operands of a Xor without their Nots, and those of Xors among them at once. It
// reports whether the number of complements among them is odd.
func (s *simplifier) odd(to []literal, of []Expr) (_ []literal, negated bool) {
	for _, e := range of {
		e, not := unwrap(e, false)
		negated = negated != not
		if inner, ok := e.(Xor); ok {
			to, not = s.odd(to, inner.Of)
			negated = negated != not
			continue
		}
		l := s.represent(s.reduce(e))
		if l == everything || l == everything.not() {
			negated = negated != (l == everything)
			continue
		}
		if !s.isUnnegated(l) {
			l, negated = l.not(), !negated
		}
		if n := &s.nodes[l.node()]; n.counts && n.atLeast == 0 {
			to = append(to, n.counted...)
		} else {
			to = append(to, l)
		}
	}
	return to, negated
}

// atLeast returns the literal of an AtLeast. An operand and its complement are one
// whatever the record is.
func (s *simplifier) atLeast(e AtLeast) literal {
	n := e.N
	count := make(map[literal]int, len(e.Of))
	var of []literal
	for _, e := range e.Of {
		l := s.represent(s.reduce(e))
		switch {
		case l == everything:
			n--
		case l == everything.not():
		case count[l.not()] > 0:
			count[l.not()]--
			n--
		default:
			count[l]++
			of = append(of, l)
		}
	}
	kept := of[:0]
	for _, l := range of {
		if count[l] > 0 {
			count[l]--
			kept = append(kept, l)
		}
	}
	switch {
	case n <= 0:
		return everything
	case n > len(kept):
		return everything.not()
	case n == len(kept):
		return s.intersect(kept)
	case n == 1:
		for i := range kept {
			kept[i] = kept[i].not()
		}
		return s.intersect(kept).not()
	}
	return s.counted(n, kept)
}

// counted returns the literal of an AtLeast n, or a Xor with 0, of operands in any order. It takes
// over the slice.
func (s *simplifier) counted(n int, of []literal) literal {
	s.key = append(s.key[:0], of...)
	slices.Sort(s.key)
	bytes := make([]byte, 0, 4*len(of))
	for _, l := range s.key {
		bytes = binary.LittleEndian.AppendUint32(bytes, uint32(l))
	}
	key := countKey{n, string(bytes)}
	l, ok := s.leaves[key]
	if !ok {
		l = s.add(node{counts: true, atLeast: n, counted: of})
		s.leaves[key] = l
	}
	return l
}

type countKey struct {
	n  int
	of string
}

// showCounted returns the expression of a node that counts.
func (s *simplifier) showCounted(n *node) Expr {
	of := s.renderAll(n.counted, false)
	if n.atLeast == 0 {
		return Xor{of}
	}
	return AtLeast{n.atLeast, of}
}
