// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/binary"
	"slices"
)

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
