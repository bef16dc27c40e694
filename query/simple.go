// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

// maxSimple is the number of operands up to which isSimple compares each with
// each.
const maxSimple = 8

// IsSimple reports whether Simplify returns e as it is, without having looked at all of it: a leaf,
// or an operator over a few different ones. It allocates nothing.
func IsSimple(e Expr) bool { return isSimple(e) }

// isSimple reports whether e is plainly in the form that Simplify gives: a leaf,
// or an operator over a few different ones.
func isSimple(e Expr) bool {
	switch op := e.(type) {
	case And:
		return areSimple(op.Of, true)
	case Or:
		return areSimple(op.Of, false)
	case Not:
		return isTerm(op.Of)
	}
	return isLeaf(e)
}

// areSimple reports whether operands are different leaves. Some, but not all, of
// an And's may be complements.
func areSimple(of []Expr, and bool) bool {
	if len(of) < 2 || len(of) > maxSimple {
		return false
	}
	plain := false
	for i, e := range of {
		e, negated := term(e)
		if !isTerm(e) || negated && !and {
			return false
		}
		plain = plain || !negated
		for _, before := range of[:i] {
			if before, _ := term(before); before == e {
				return false
			}
		}
	}
	return plain
}

// term returns what a complement is the complement of, and anything else as it
// is.
func term(e Expr) (of Expr, negated bool) {
	if not, ok := e.(Not); ok {
		return not.Of, true
	}
	return e, false
}

// isLeaf reports whether e has no operands.
func isLeaf(e Expr) bool {
	switch e.(type) {
	case All, Nothing, Bitmap:
		return true
	}
	return isTerm(e)
}

// isTerm reports whether e is a leaf that is no constant, and can be compared.
func isTerm(e Expr) bool {
	switch e.(type) {
	case Equal, Prefix, Compare, Between, Related, Any, Saved:
		return true
	}
	return false
}
