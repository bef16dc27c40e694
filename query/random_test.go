// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"math/rand/v2"
	"strings"
)

// hostile are strings that are hard to print and read back.
var hostile = []string{
	"", " ", "a b", `"`, `\`, `\"`, "'", "\n", "\r\n", "\t", "\x00", "\x7f", "\xff", "a\xc3", "\xed\xa0\x80",
	"\u2028", "\ufeff", "\ufffd", "\U0010ffff", "é", "e\u0301", "日本", "नमस्ते", "😀", "“x”", "a\u00a0b",
	"and", "OR", "Not", "all", "nothing", "of", "any", "none", "None", "at", "in", "bitmap", "between", "ſaved",
	"=", "!=", "(", ")", ",", "a=b", "a(b)", "<nil>", "all of (", "#", "//", "--", "-1", "1.5",
	"did:plc:abc", "example.org/@alice#me", "a\\x", `\x41`, `\u0041`, strings.Repeat("ab ", 100),
}

// A generator makes random trees.
type generator struct {
	rand  *rand.Rand
	names []string
}

func (g generator) name() string { return g.names[g.rand.IntN(len(g.names))] }

// leaf returns a random leaf.
func (g generator) leaf() Expr {
	switch g.rand.IntN(14) {
	case 0:
		return All{}
	case 1:
		return Nothing{}
	case 2:
		return Any{g.name()}
	case 3:
		return Prefix{g.name(), g.name()}
	case 4:
		return Compare{g.name(), []Order{Less, LessEqual, Greater, GreaterEqual}[g.rand.IntN(4)], g.name()}
	case 5:
		return Between{g.name(), g.name(), g.name()}
	case 6:
		return Saved{g.name()}
	case 7:
		return Bitmap{append([]byte(g.name()), byte(g.rand.Uint32()))}
	case 8, 9, 10:
		return Related{g.name(), g.name()}
	default:
		return Equal{g.name(), g.name()}
	}
}

// expr returns a tree with at most that many operators on any way down.
func (g generator) expr(depth int) Expr {
	if depth == 0 {
		return g.leaf()
	}
	switch g.rand.IntN(14) {
	case 0, 1, 2, 3:
		return g.leaf()
	case 4, 5:
		return Not{g.expr(depth - 1)}
	case 6, 7, 8:
		return And{g.list(depth - 1)}
	case 9:
		return Xor{append(g.list(depth-1), g.expr(depth-1), g.expr(depth-1))}
	case 10:
		return AtLeast{g.rand.IntN(5), g.list(depth - 1)}
	case 11:
		return Through{g.name(), g.expr(depth - 1)}
	default:
		return Or{g.list(depth - 1)}
	}
}

// list returns up to four operands; nil if none, as Parse does. Now and then they are values of one
// field.
func (g generator) list(depth int) []Expr {
	var of []Expr
	n, field := g.rand.IntN(5), g.name()
	if g.rand.IntN(6) == 0 {
		for range n {
			of = append(of, Equal{field, g.name()})
		}
		return of
	}
	for range n {
		of = append(of, g.expr(depth))
	}
	return of
}

// nestingOf returns the operators on the longest way down from e.
func nestingOf(e Expr) int {
	of, operator := operands(e, new([1]Expr))
	if !operator {
		return 0
	}
	n := 0
	for _, e := range of {
		n = max(n, nestingOf(e))
	}
	return 1 + n
}
