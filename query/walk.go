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
	case Not:
		e = Not{Map(op.Of, f)}
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

// Walk returns an iterator over e and every expression in it, operators before
// their operands, in the order of the text.
func Walk(e Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) { walk(e, yield) }
}

func walk(e Expr, yield func(Expr) bool) bool {
	if !yield(e) {
		return false
	}
	switch op := e.(type) {
	case And:
		return walkAll(op.Of, yield)
	case Or:
		return walkAll(op.Of, yield)
	case Not:
		return walk(op.Of, yield)
	}
	return true
}

func walkAll(of []Expr, yield func(Expr) bool) bool {
	for _, e := range of {
		if !walk(e, yield) {
			return false
		}
	}
	return true
}

// Leaves returns an iterator over the leaves of e in the order of the text: every
// Equal, Related, Any, All and Nothing, as often as it occurs. It is how a database
// finds the fields and keys that a query names.
func Leaves(e Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) {
		for e := range Walk(e) {
			switch e.(type) {
			case And, Or, Not:
				continue
			}
			if !yield(e) {
				return
			}
		}
	}
}
