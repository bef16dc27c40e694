// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"reflect"
	"slices"
	"testing"
)

func TestMap(t *testing.T) {
	in := and(a, not(or(b, a)), And{})
	before := in.String()
	var seen []string
	got := Map(in, func(e Expr) Expr {
		seen = append(seen, e.String())
		if e == a {
			return d
		}
		return e
	})
	if want := and(d, not(or(b, d)), And{}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if in.String() != before {
		t.Errorf("Map changed its argument: got %v, want %s", in, before)
	}
	want := []string{
		"a = 1", "b = 2", "a = 1", "b = 2 or d = 4", "not (b = 2 or d = 4)", "all of ()",
		"d = 4 and not (b = 2 or d = 4) and all of ()",
	}
	if !slices.Equal(seen, want) {
		t.Errorf("f saw %q, want %q", seen, want)
	}
}

func TestWalk(t *testing.T) {
	e := and(a, not(or(b, All{})), Nothing{})
	var got []string
	for e := range Walk(e) {
		got = append(got, e.String())
	}
	want := []string{e.String(), "a = 1", "not (b = 2 or all)", "b = 2 or all", "b = 2", "all", "nothing"}
	if !slices.Equal(got, want) {
		t.Errorf("Walk: got %q, want %q", got, want)
	}
	if got, want := slices.Collect(Leaves(e)), []Expr{a, b, All{}, Nothing{}}; !slices.Equal(got, want) {
		t.Errorf("Leaves: got %v, want %v", got, want)
	}
}

// Iteration may stop after any number of expressions.
func TestWalkStops(t *testing.T) {
	e := and(or(a, not(b)), not(and(c, d)))
	all := slices.Collect(Walk(e))
	leaves := slices.Collect(Leaves(e))
	for stop := 1; stop <= len(all); stop++ {
		n := 0
		for got := range Walk(e) {
			if !reflect.DeepEqual(got, all[n]) {
				t.Errorf("Walk, stopped after %d: got %v at %d, want %v", stop, got, n, all[n])
			}
			if n++; n == stop {
				break
			}
		}
	}
	for stop := 1; stop <= len(leaves); stop++ {
		n := 0
		for range Leaves(e) {
			if n++; n == stop {
				break
			}
		}
		if n != stop {
			t.Errorf("Leaves: got %d, want %d", n, stop)
		}
	}
}
