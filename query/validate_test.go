// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"testing"
)

func TestValidate(t *testing.T) {
	nested := func(levels int) Expr {
		var e Expr = Or{}
		for i := range levels - 1 {
			if i%2 == 0 {
				e = not(e)
			} else {
				e = and(a, e)
			}
		}
		return e
	}
	endless := And{make([]Expr, 1)}
	endless.Of[0] = endless
	for _, tc := range []struct {
		name string
		in   Expr
		want string // "" for valid
	}{
		{"all kinds", and(a, or(rel("", "\xff"), not(All{})), Nothing{}, And{}), ""},
		{"all new kinds", and(xor(a, b), AtLeast{MaxText, nil}, Through{"", Saved{}}, Prefix{}, Compare{Order: Less},
			Between{}, Bitmap{[]byte{1}}), ""},
		{"xor of one", xor(a), "query: invalid expression: got a Xor of 1, want at least 2"},
		{"xor of nil", xor(a, nil), "query: invalid expression: got nil, want an expression"},
		{"negative count", not(AtLeast{-1, nil}), "query: invalid expression: got an AtLeast -1, want 0 to 8388608"},
		{"large count", AtLeast{MaxText + 1, nil},
			"query: invalid expression: got an AtLeast 8388609, want 0 to 8388608"},
		{"order", Compare{"a", "=", "1"}, `query: invalid expression: got a Compare by "=", want <, <=, > or >=`},
		{"empty bitmap", Bitmap{}, "query: invalid expression: got a Bitmap without bytes, want a serialized bitmap"},
		{"zero Through", Through{}, "query: invalid expression: got nil, want an expression"},
		{"at the limit", nested(MaxNesting), ""},
		{"nil", nil, "query: invalid expression: got nil, want an expression"},
		{"zero Not", Not{}, "query: invalid expression: got nil, want an expression"},
		{"nil operand", or(a, nil), "query: invalid expression: got nil, want an expression"},
		{"pointer", and(&Equal{}), "query: invalid expression: got a *query.Equal, want a value, not a pointer"},
		{"nil pointer", not((*Not)(nil)), "query: invalid expression: got a *query.Not, want a value, not a pointer"},
		{"foreign", struct{ Expr }{a},
			"query: invalid expression: got a struct { query.Expr }, want one of the types of package query"},
		{"above the limit", nested(MaxNesting + 1),
			"query: invalid expression: got a nesting of more than 1000: query: limit exceeded"},
		{"not above the limit", nested(MaxNesting + 2),
			"query: invalid expression: got a nesting of more than 1000: query: limit exceeded"},
		{"endless", endless, "query: invalid expression: got a nesting of more than 1000: query: limit exceeded"},
	} {
		err := Validate(tc.in)
		if tc.want == "" {
			if err != nil {
				t.Errorf("%s: got %v, want none", tc.name, err)
			}
			continue
		}
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		}
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v is not ErrInvalid", tc.name, err)
		}
	}
	if err := Validate(endless); !errors.Is(err, ErrLimit) {
		t.Errorf("endless: %v is not ErrLimit", err)
	}
}
