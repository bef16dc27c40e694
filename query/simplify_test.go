// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestSimplify(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"a=1", "a = 1"},
		{"all", "all"},
		{"nothing", "nothing"},
		{"not a=1", "not a = 1"},

		// Flatten.
		{"(a=1 and b=2) and (c=3 and (d=4 and e=5))", "a = 1 and b = 2 and c = 3 and d = 4 and e = 5"},
		{"a=1 or (b=2 or (c=3 or d=4))", "a = 1 or b = 2 or c = 3 or d = 4"},
		{"all of (any of (a=1))", "a = 1"},
		{"all of ()", "all"},
		{"any of ()", "nothing"},

		// Constants.
		{"a=1 and all", "a = 1"},
		{"a=1 and nothing", "nothing"},
		{"a=1 or all", "all"},
		{"a=1 or nothing", "a = 1"},
		{"not all", "nothing"},
		{"not nothing", "all"},
		{"a=1 and (b=2 or (nothing and c=3))", "a = 1 and b = 2"},
		{"a=1 and (nothing or b=2 and c=3)", "a = 1 and b = 2 and c = 3"},

		// Double negation and de Morgan.
		{"not not a=1", "a = 1"},
		{"not not not a=1", "not a = 1"},
		{"not (a=1 and b=2)", "not (a = 1 and b = 2)"},
		{"not (a=1 or b=2)", "not (a = 1 or b = 2)"},
		{"not (not a=1 and not b=2)", "a = 1 or b = 2"},
		{"not (not a=1 or not b=2)", "a = 1 and b = 2"},
		{"not a=1 and not b=2", "not (a = 1 or b = 2)"},
		{"not a=1 or not b=2", "not (a = 1 and b = 2)"},
		{"a=1 and not b=2", "a = 1 and not b = 2"},
		{"a=1 or not b=2", "not (not a = 1 and b = 2)"},
		{"a=1 and not (b=2 or c=3)", "a = 1 and not b = 2 and not c = 3"},
		{"a=1 and not (b=2 and c=3)", "a = 1 and not (b = 2 and c = 3)"},
		{"a=1 and not (b=2 and not c=3)", "a = 1 and not (b = 2 and not c = 3)"},
		{"a=1 and (b=2 or not c=3)", "a = 1 and not (not b = 2 and c = 3)"},
		{"(not a=1 or not b=2) and (not c=3 or not d=4)", "not (a = 1 and b = 2 or c = 3 and d = 4)"},

		// Duplicates, in any order, and contradictions.
		{"a=1 and b=2 and a=1", "a = 1 and b = 2"},
		{"a=1 and a=2", "a = 1 and a = 2"}, // a field may hold several values
		{"a(1) or a=1", "a(1) or a = 1"},
		{"a=1 and b=2 or b=2 and a=1", "a = 1 and b = 2"},
		{"a=1 and not a=1", "nothing"},
		{"a=1 or not a=1", "all"},
		{"(a=1 or b=2) and not (b=2 or a=1)", "nothing"},
		{"(a=1 and b=2) or not b=2 or not a=1", "all"},
		{"(a=1 or b=2) and not a=1", "(a = 1 or b = 2) and not a = 1"},
		{"c=3 or (a=1 and not a=1)", "c = 3"},

		// Absorption.
		{"a=1 or a=1 and b=2", "a = 1"},
		{"a=1 and (a=1 or b=2)", "a = 1"},
		{"(a=1 or b=2) and c=3 and (b=2 or d=4 or a=1) and a=1", "c = 3 and a = 1"},
		{"not a=1 or not (a=1 and b=2)", "not (a = 1 and b = 2)"},
		{"follows(x) and not (country=de and not follows(x))", "follows(x)"},

		// Xor.
		{"a=1 xor b=2 xor a=1", "b = 2"},
		{"a=1 xor a=1", "nothing"},
		{"a=1 xor not a=1", "all"},
		{"a=1 xor all", "not a = 1"},
		{"a=1 xor nothing", "a = 1"},
		{"c=3 xor not b=2 xor a=1", "not (c = 3 xor b = 2 xor a = 1)"},
		{"(c=3 xor b=2) xor (a=1 xor (d=4 xor b=2))", "c = 3 xor a = 1 xor d = 4"},
		{"(a=1 xor b=2) or (b=2 xor a=1)", "a = 1 xor b = 2"},
		{"(a=1 xor b=2) and not (b=2 xor a=1)", "nothing"},
		{"(a=1 xor b=2) and c=3 or not (a=1 xor b=2)", "not (not ((a = 1 xor b = 2) and c = 3) and (a = 1 xor b = 2))"},

		// At least.
		{"at least 0 of (a=1)", "all"},
		{"at most 0 of (a=1, b=2)", "not (a = 1 or b = 2)"},
		{"at least 1 of (a=1, b=2)", "a = 1 or b = 2"},
		{"at least 2 of (a=1, b=2)", "a = 1 and b = 2"},
		{"at least 3 of (a=1, b=2)", "nothing"},
		{"at least 3 of (a=1, b=2, all, c=3, nothing)", "at least 2 of (a = 1, b = 2, c = 3)"},
		{"at least 3 of (a=1, b=2, c=3, not b=2, d=4)", "at least 2 of (a = 1, c = 3, d = 4)"},
		{"at least 2 of (a=1, a=1, b=2)", "at least 2 of (a = 1, a = 1, b = 2)"},
		{"at least 2 of (a=1, b=2, c=3) or at least 2 of (c=3, a=1, b=2)", "at least 2 of (a = 1, b = 2, c = 3)"},

		// Through.
		{"follows(not not a=1)", "follows(a = 1)"},
		{"follows(a=1 and not a=1)", "nothing"},
		{"follows(a=1 and b=2) or follows(b=2 and a=1)", "follows(a = 1 and b = 2)"},
		{"not follows(follows(all))", "not follows(follows(all))"},

		// Leaves.
		{"a < 1 and a < 1", "a < 1"},
		{"saved(x) or not saved(x)", "all"},
		{"a between 1 and 2 and not a between 1 and 2", "nothing"},
		{"a=1 or a=2", "a in (1, 2)"},
	} {
		e, err := Parse(tc.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := Simplify(e).String(); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.in, got, tc.want)
		}
	}
}

// The universe of the brute-force evaluator has 64 records. Record i has
// letters[j] = 1 exactly if bit j of i is set: two expressions over these six
// leaves agree on it only if they agree on every data set.
const letters = "abcdef"

func bruteForce(e Expr) (set uint64) {
	switch e := e.(type) {
	case All:
		return ^uint64(0)
	case Nothing:
		return 0
	case Equal:
		for i := range 64 {
			if i>>slices.Index([]byte(letters), e.Field[0])&1 != 0 {
				set |= 1 << i
			}
		}
		return set
	case Not:
		return ^bruteForce(e.Of)
	case And:
		set = ^uint64(0)
		for _, e := range e.Of {
			set &= bruteForce(e)
		}
		return set
	case Or:
		for _, e := range e.Of {
			set |= bruteForce(e)
		}
		return set
	case Xor:
		for _, e := range e.Of {
			set ^= bruteForce(e)
		}
		return set
	case AtLeast:
		var sets []uint64
		for _, e := range e.Of {
			sets = append(sets, bruteForce(e))
		}
		for i := range 64 {
			n := 0
			for _, s := range sets {
				n += int(s >> i & 1)
			}
			if n >= e.N {
				set |= 1 << i
			}
		}
		return set
	case Through: // a relation in which record i has i^1 and 5*i
		of := bruteForce(e.Of)
		for i := range 64 {
			if of>>i&1 != 0 {
				set |= 1<<(i^1) | 1<<(5*i%64)
			}
		}
		return set
	}
	panic(fmt.Sprintf("got a %T, want an expression", e))
}

// overLetters replaces the leaves of a random tree.
func overLetters(e Expr, r *rand.Rand) Expr {
	return Map(e, func(e Expr) Expr {
		switch op := e.(type) {
		case Equal, Prefix, Compare, Between, Related, Any, Saved, Bitmap:
			i := r.IntN(len(letters))
			return Equal{letters[i : i+1], "1"}
		case Through:
			return Through{"r", op.Of}
		}
		return e
	})
}

func TestSimplifyBruteForce(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(5, 6)), []string{"x"}}
	constant, trees := 0, 30_000
	if testing.Short() {
		trees = 5_000
	}
	for i := range trees {
		in := overLetters(g.expr(i%9), g.rand)
		before := in.String()
		out := Simplify(in)
		if got, want := bruteForce(out), bruteForce(in); got != want {
			t.Fatalf("%s\nsimplifies to %s:\n got %064b\nwant %064b", in, out, got, want)
		}
		if in.String() != before {
			t.Fatalf("%s was changed to %s", before, in)
		}
		if err := normal(out); err != nil {
			t.Fatalf("%s\nsimplifies to %s: %v", in, out, err)
		}
		if got, most := nestingOf(out), 2*nestingOf(in)+1; got > most {
			t.Fatalf("%s\nsimplifies to %s: got a nesting of %d, want at most %d", in, out, got, most)
		}
		if again := Simplify(out); !reflect.DeepEqual(again, out) {
			t.Fatalf("%s\nsimplifies to %s\nand that to %s", in, out, again)
		}
		switch out.(type) {
		case All, Nothing:
			constant++
		}
	}
	if constant > trees*9/10 {
		t.Errorf("%d of %d trees were constants: too few others to test anything", constant, trees)
	}
}

// normal reports how a simplified expression breaks the promises of Simplify.
func normal(e Expr) error {
	switch e.(type) {
	case All, Nothing:
		return nil
	}
	if n, ok := e.(Not); ok {
		e = n.Of
		if _, ok := e.(Not); ok {
			return fmt.Errorf("got a Not in a Not")
		}
	}
	through := false // the expression before was a Through, which may be of All
	for e := range Walk(e) {
		var of []Expr
		sameKind, nots := 0, 0
		before := through
		_, through = e.(Through)
		switch op := e.(type) {
		case All, Nothing:
			if !before {
				return fmt.Errorf("got a constant inside")
			}
			continue
		case And:
			of = op.Of
		case Or:
			of = op.Of
		case Xor:
			if len(op.Of) < 2 {
				return fmt.Errorf("got a Xor of %d", len(op.Of))
			}
			for _, operand := range op.Of {
				switch operand.(type) {
				case Not, Xor:
					return fmt.Errorf("got a %T in a Xor", operand)
				}
			}
			continue
		case AtLeast:
			if op.N < 2 || op.N >= len(op.Of) {
				return fmt.Errorf("got an AtLeast %d of %d", op.N, len(op.Of))
			}
			continue
		default:
			continue
		}
		seen := map[uint64]bool{} // the sets of different operands may be equal, but not those of leaves
		for _, operand := range of {
			if reflect.TypeOf(operand) == reflect.TypeOf(e) {
				sameKind++
			}
			switch op := operand.(type) {
			case Not:
				nots++
				if _, ok := op.Of.(Or); ok {
					return fmt.Errorf("got a Not of an Or in an operator")
				}
				if _, ok := op.Of.(Not); ok {
					return fmt.Errorf("got a Not in a Not")
				}
			case Equal:
				set := bruteForce(op)
				if seen[set] {
					return fmt.Errorf("got the leaf %s twice", op)
				}
				seen[set] = true
			}
		}
		_, isOr := e.(Or)
		switch {
		case len(of) < 2:
			return fmt.Errorf("got an operator of %d", len(of))
		case sameKind > 0:
			return fmt.Errorf("got a %T in another", e)
		case nots == len(of):
			return fmt.Errorf("got a %T of nothing but Nots", e)
		case isOr && nots > 0:
			return fmt.Errorf("got a Not in an Or")
		}
	}
	return nil
}

// What is not an expression is kept, and neither dropped nor compared.
func TestSimplifyInvalid(t *testing.T) {
	type foreign struct {
		Expr
		_ []int // not comparable
	}
	for _, e := range []Expr{nil, &And{}, foreign{}} {
		got, ok := Simplify(and(e, not(e), a, All{})).(And)
		if !ok || len(got.Of) != 3 || !reflect.DeepEqual(got.Of[0], e) || !reflect.DeepEqual(got.Of[1], not(e)) {
			t.Errorf("%T: got %#v, want an And of it, its Not and a = 1", e, got)
		}
	}
}
