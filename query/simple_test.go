// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestSimpleIsSimplified checks that an expression taken for simple is its own simplification. It
// also checks that most simplifications are taken for simple.
func TestSimpleIsSimplified(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(6, 7)), []string{"a", "b"}}
	simple, operators := 0, 0
	for range 20_000 {
		e := g.expr(2)
		if !isSimple(e) {
			continue
		}
		simple++
		if nestingOf(e) > 0 {
			operators++
		}
		if got := simplify(e); !reflect.DeepEqual(got, e) {
			t.Fatalf("%s is taken for simple, but simplifies to %s", e, got)
		}
	}
	if simple < 1000 || operators < 300 {
		t.Errorf("got %d simple expressions, %d of them with operators, want more", simple, operators)
	}
	for _, text := range []string{"all", "a = 1", "not a = 1", "a = 1 and b = 2 and c(1)", "a = 1 and not a = 2",
		"a = 1 or b = 1"} {
		e, err := Parse(text)
		if err != nil || !isSimple(e) {
			t.Errorf("%s: got %v, not taken for simple, want it to be", text, err)
		}
	}
}
