// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"iter"
	"slices"
)

// Map returns e with every expression in it replaced by what f makes of it,
// operands before their operators: f is called once for each, and sees operators
// whose operands are replaced already. It is the way to rewrite a tree; e itself
// stays as it is. f must not return nil.
func Map(e Expr, f func(Expr) Expr) Expr {
	switch op := e.(type) {
	case And:
		e = And{mapAll(op.Of, f)}
	case Or:
		e = Or{mapAll(op.Of, f)}
	case Xor:
		e = Xor{mapAll(op.Of, f)}
	case AtLeast:
		e = AtLeast{op.N, mapAll(op.Of, f)}
	case Not:
		e = Not{Map(op.Of, f)}
	case Through:
		e = Through{op.Field, Map(op.Of, f)}
	}
	return f(e)
}

func mapAll(of []Expr, f func(Expr) Expr) []Expr {
	of = slices.Clone(of)
	for i, e := range of {
		of[i] = Map(e, f)
	}
	return of
}

// Walk returns an iterator over e and every expression in it, in the order of the text. Operators
// come before their operands.
func Walk(e Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) { walk(e, yield) }
}

func walk(e Expr, yield func(Expr) bool) bool {
	if !yield(e) {
		return false
	}
	var one [1]Expr
	of, _ := operands(e, &one)
	for _, e := range of {
		if !walk(e, yield) {
			return false
		}
	}
	return true
}

// Leaves returns an iterator over the leaves of e in the order of the text. It yields a leaf as
// often as it occurs.
func Leaves(e Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) {
		var one [1]Expr
		for e := range Walk(e) {
			if _, operator := operands(e, &one); operator {
				continue
			}
			if !yield(e) {
				return
			}
		}
	}
}

// Fields returns an iterator over the fields and relations that e names, in the order of the text.
// It yields a name as often as it occurs.
func Fields(e Expr) iter.Seq[string] {
	return func(yield func(string) bool) {
		for e := range Walk(e) {
			if name, ok := fieldOf(e); ok && !yield(name) {
				return
			}
		}
	}
}

func fieldOf(e Expr) (name string, ok bool) {
	switch e := e.(type) {
	case Equal:
		return e.Field, true
	case Prefix:
		return e.Field, true
	case Compare:
		return e.Field, true
	case Between:
		return e.Field, true
	case Any:
		return e.Field, true
	case Related:
		return e.Field, true
	case Through:
		return e.Field, true
	}
	return "", false
}
