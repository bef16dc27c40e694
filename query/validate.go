// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import "fmt"

// Validate reports whether an expression that a program built is one that this
// package and an evaluator can work with: no nil in it, no pointer instead of a
// value, no type of another package, nesting of at most MaxNesting. What Parse
// returns always is. It visits every expression once and allocates nothing unless
// it fails.
//
// errors.Is finds ErrInvalid in the error, and ErrLimit if it is the nesting.
func Validate(e Expr) error { return validate(e, 0) }

// validate checks an expression with that many operators above it. It goes no
// deeper than the limit, so that not even a cyclic or endless tree exhausts the
// stack.
func validate(e Expr, above int) error {
	switch e := e.(type) {
	case And:
		return validateAll(e.Of, above)
	case Or:
		return validateAll(e.Of, above)
	case Not:
		if above == MaxNesting {
			return errTooDeep
		}
		return validate(e.Of, above+1)
	case Equal, Related, Any, All, Nothing:
		return nil
	case nil:
		return fmt.Errorf("%w: got nil, want an expression", ErrInvalid)
	case *And, *Or, *Not, *Equal, *Related, *Any, *All, *Nothing:
		return fmt.Errorf("%w: got a %T, want a value, not a pointer", ErrInvalid, e)
	default:
		return fmt.Errorf("%w: got a %T, want one of the types of package query", ErrInvalid, e)
	}
}

func validateAll(of []Expr, above int) error {
	if above == MaxNesting {
		return errTooDeep
	}
	for _, e := range of {
		if err := validate(e, above+1); err != nil {
			return err
		}
	}
	return nil
}

var errTooDeep = fmt.Errorf("%w: got a nesting of more than %d: %w", ErrInvalid, MaxNesting, ErrLimit)
