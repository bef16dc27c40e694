// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
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

// Validate reports whether this package and an evaluator can work with an expression that a program
// built. Such an expression has:
//
//   - no nil, no pointer instead of a value, no type of another package;
//   - nesting of at most MaxNesting;
//   - a Xor of two or more, an AtLeast of 0 to MaxText, an Order that there is;
//   - a Bitmap with bytes; the evaluator validates what they say.
//
// What Parse and ParseJSON return always is valid. Validate visits every expression once and
// allocates nothing unless it fails.
//
// errors.Is finds ErrInvalid in the error, and ErrLimit if it is the nesting.
func Validate(e Expr) error { return validate(e, 0) }

// validate checks an expression with that many operators above it. It goes no
// deeper than the limit, so that not even a cyclic or endless tree exhausts the
// stack.
func validate(e Expr, above int) error {
	if err := validateOne(e); err != nil {
		return err
	}
	var one [1]Expr
	of, operator := operands(e, &one)
	if operator && above == MaxNesting {
		return errTooDeep
	}
	for _, e := range of {
		if err := validate(e, above+1); err != nil {
			return err
		}
	}
	return nil
}

// validateOne checks an expression without what is in it.
func validateOne(e Expr) error {
	switch e := e.(type) {
	case And, Or, Not, Through, Equal, Prefix, Between, Related, Any, Saved, All, Nothing:
		return nil
	case Xor:
		if len(e.Of) < 2 {
			return fmt.Errorf("%w: got a Xor of %d, want at least 2", ErrInvalid, len(e.Of))
		}
	case AtLeast:
		if e.N < 0 || e.N > MaxText {
			return fmt.Errorf("%w: got an AtLeast %d, want 0 to %d", ErrInvalid, e.N, MaxText)
		}
	case Compare:
		if !e.Order.known() {
			return fmt.Errorf("%w: got a Compare by %q, want <, <=, > or >=", ErrInvalid, string(e.Order))
		}
	case Bitmap:
		if len(e.Bytes) == 0 {
			return fmt.Errorf("%w: got a Bitmap without bytes, want a serialized bitmap", ErrInvalid)
		}
	case nil:
		return fmt.Errorf("%w: got nil, want an expression", ErrInvalid)
	case *And, *Or, *Xor, *Not, *AtLeast, *Through, *Equal, *Prefix, *Compare, *Between, *Related, *Any, *Saved,
		*Bitmap, *All, *Nothing:
		return fmt.Errorf("%w: got a %T, want a value, not a pointer", ErrInvalid, e)
	default:
		return fmt.Errorf("%w: got a %T, want one of the types of package query", ErrInvalid, e)
	}
	return nil
}

var errTooDeep = fmt.Errorf("%w: got a nesting of more than %d: %w", ErrInvalid, MaxNesting, ErrLimit)
