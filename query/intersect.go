// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/binary"
	"slices"
)

// A simplifier holds a query as an and-inverter graph: everything in it is a leaf
// or an intersection, and complement is one bit of the reference to it. A union
// is the complement of the intersection of the complements. Thus double negation
// and de Morgan's laws need no code, one rule serves both operators, and
// equal subtrees are found by comparing numbers.
type simplifier struct {
	nodes  []node
	leaves map[any]literal
	lists  map[string]uint32 // sorted operands of an intersection → its node

	marks []uint32 // by literal: round in which it was met
	round uint32
	key   []literal
}

// A node is a leaf or the intersection of at least two operands. None of them is everything,
// nothing or a plain (not complemented) intersection.
type node struct {
	leaf Expr
	of   []literal // representatives only, all different

	// Of a Xor or AtLeast, which is a leaf to the graph.
	counts  bool
	atLeast int // 0: a Xor
	counted []literal

	// Of an intersection: no operand of it is shown without a Not; therefore it is
	// shown as the complement of a union.
	union bool

	representative uint32 // one node for all that have the same operands; 0: not looked up
	shown          Expr   // memo of show
}

// A literal is a node or its complement.
type literal uint32

// everything is All, and its complement Nothing; node 0 is kept for it.
const everything literal = 0

func (l literal) not() literal     { return l ^ 1 }
func (l literal) complement() bool { return l&1 != 0 }
func (l literal) node() uint32     { return uint32(l >> 1) }

// flip returns l, or its complement if negate.
func (l literal) flip(negate bool) literal {
	if negate {
		return l.not()
	}
	return l
}

func (s *simplifier) add(n node) literal {
	s.nodes = append(s.nodes, n)
	return literal(len(s.nodes)-1) << 1
}

// isUnnegated reports whether l is shown without a Not.
func (s *simplifier) isUnnegated(l literal) bool { return l.complement() == s.nodes[l.node()].union }

// intersect returns the literal of the intersection of operands; it takes over
// their slice.
func (s *simplifier) intersect(of []literal) literal {
	kept := of[:0]
	for _, l := range of {
		switch l {
		case everything:
		case everything.not():
			return l
		default:
			kept = append(kept, l)
		}
	}
	switch len(kept) {
	case 0:
		return everything
	case 1:
		return kept[0] // before anything is spent on its operands
	}
	kept = s.distinct(s.splice(kept))
	if kept == nil || slices.ContainsFunc(kept, s.excluded) {
		return everything.not()
	}
	kept = slices.DeleteFunc(kept, s.useless)
	if len(kept) == 1 {
		return kept[0]
	}
	return s.add(node{of: kept, union: !slices.ContainsFunc(kept, s.isUnnegated)})
}

// splice replaces the intersections among the operands by theirs.
func (s *simplifier) splice(of []literal) []literal {
	inner := func(l literal) bool { return !l.complement() && s.nodes[l.node()].of != nil }
	if !slices.ContainsFunc(of, inner) {
		return of
	}
	var flat []literal
	for _, l := range of {
		if inner(l) {
			flat = append(flat, s.nodes[l.node()].of...)
		} else {
			flat = append(flat, l)
		}
	}
	return flat
}

// distinct removes what occurs twice, and returns nil if there is something and
// its complement. Until the next call, the marks tell what is in the result.
func (s *simplifier) distinct(of []literal) []literal {
	s.round++
	kept := of[:0]
	for _, l := range of {
		l = s.represent(l)
		switch {
		case s.met(l):
		case s.met(l.not()):
			return nil
		default:
			s.marks[l] = s.round
			kept = append(kept, l)
		}
	}
	return kept
}

// met reports whether distinct has kept l in this round.
func (s *simplifier) met(l literal) bool {
	if int(l) >= len(s.marks) {
		s.marks = append(s.marks, make([]uint32, 2*len(s.nodes)-len(s.marks))...)
	}
	return s.marks[l] == s.round
}

// excluded reports whether l is a union and the complement of each of its parts is an operand too.
// An example is "(a or b) and not a and not b".
func (s *simplifier) excluded(l literal) bool {
	return l.complement() && s.nodes[l.node()].of != nil &&
		!slices.ContainsFunc(s.nodes[l.node()].of, func(part literal) bool { return !s.met(part) })
}

// useless reports whether l is a union and a part of it is an operand too. An example is "a and (a
// or b)".
func (s *simplifier) useless(l literal) bool {
	return l.complement() &&
		slices.ContainsFunc(s.nodes[l.node()].of, func(part literal) bool { return s.met(part.not()) })
}

// represent returns the one literal for all that have the same operands as l, in
// any order.
func (s *simplifier) represent(l literal) literal {
	n := &s.nodes[l.node()]
	if n.of == nil {
		return l
	}
	if n.representative == 0 {
		s.key = append(s.key[:0], n.of...)
		slices.Sort(s.key)
		key := make([]byte, 0, 4*len(s.key))
		for _, l := range s.key {
			key = binary.LittleEndian.AppendUint32(key, uint32(l))
		}
		r, ok := s.lists[string(key)]
		if !ok {
			r = l.node()
			s.lists[string(key)] = r
		}
		n.representative = r
	}
	return literal(n.representative << 1).flip(l.complement())
}
