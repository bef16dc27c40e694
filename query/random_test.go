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

// expr returns a tree with at most that many operators on any way down.
func (g generator) expr(depth int) Expr {
	kinds := 9
	if depth == 0 {
		kinds = 4
	}
	switch g.rand.IntN(kinds) {
	case 0:
		if g.rand.IntN(3) == 0 {
			return All{}
		}
		return Equal{g.name(), g.name()}
	case 1:
		if g.rand.IntN(3) == 0 {
			return Nothing{}
		}
		return Related{g.name(), g.name()}
	case 2:
		if g.rand.IntN(3) == 0 {
			return Any{g.name()}
		}
		return Equal{g.name(), g.name()}
	case 3:
		return Related{g.name(), g.name()}
	case 4:
		return Not{g.expr(depth - 1)}
	case 5, 6:
		return And{g.list(depth - 1)}
	default:
		return Or{g.list(depth - 1)}
	}
}

// list returns up to four operands; nil if none, as Parse does.
func (g generator) list(depth int) []Expr {
	var of []Expr
	for range g.rand.IntN(5) {
		of = append(of, g.expr(depth))
	}
	return of
}

// nestingOf returns the operators on the longest way down from e.
func nestingOf(e Expr) int {
	below := func(of []Expr) int {
		n := 0
		for _, e := range of {
			n = max(n, nestingOf(e))
		}
		return n
	}
	switch e := e.(type) {
	case And:
		return 1 + below(e.Of)
	case Or:
		return 1 + below(e.Of)
	case Not:
		return 1 + nestingOf(e.Of)
	}
	return 0
}
