// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

// Field is the name of a field or relation, and builds the expressions about it:
//
//	query.AllOf(
//		query.Field("country").In("de", "at"),
//		query.Field("age").Between("18", "30"),
//		query.Field("follows").Of(query.Saved{Name: "vips"}),
//	)
//
// They are what Parse makes of the same in text.
type Field string

// Is returns field = value.
func (f Field) Is(value string) Expr { return Equal{string(f), value} }

// IsNot returns field != value, which is the Not of Is.
func (f Field) IsNot(value string) Expr { return Not{f.Is(value)} }

// In returns field in (values...).
func (f Field) In(values ...string) Expr {
	var of []Expr
	for _, value := range values {
		of = append(of, f.Is(value))
	}
	return Or{of}
}

// Prefix returns field prefix value.
func (f Field) Prefix(value string) Expr { return Prefix{string(f), value} }

// Less returns field < value.
func (f Field) Less(value string) Expr { return Compare{string(f), Less, value} }

// LessEqual returns field <= value.
func (f Field) LessEqual(value string) Expr { return Compare{string(f), LessEqual, value} }

// Greater returns field > value.
func (f Field) Greater(value string) Expr { return Compare{string(f), Greater, value} }

// GreaterEqual returns field >= value.
func (f Field) GreaterEqual(value string) Expr { return Compare{string(f), GreaterEqual, value} }

// Between returns field between from and to.
func (f Field) Between(from, to string) Expr { return Between{string(f), from, to} }

// Any returns any(field).
func (f Field) Any() Expr { return Any{string(f)} }

// None returns none(field), which is the Not of Any.
func (f Field) None() Expr { return Not{f.Any()} }

// Row returns field(key): the row of one record in a relation.
func (f Field) Row(key string) Expr { return Related{string(f), key} }

// Of returns field(e): the union of the rows of the records of e in a relation.
func (f Field) Of(e Expr) Expr { return Through{string(f), e} }

// AllOf returns all of (of...).
func AllOf(of ...Expr) Expr { return And{of} }

// AnyOf returns any of (of...).
func AnyOf(of ...Expr) Expr { return Or{of} }

// NoneOf returns not any of (of...).
func NoneOf(of ...Expr) Expr { return Not{Or{of}} }

// AtLeastOf returns at least n of (of...).
func AtLeastOf(n int, of ...Expr) Expr { return AtLeast{n, of} }

// AtMostOf returns at most n of (of...), which is the Not of AtLeastOf one more.
func AtMostOf(n int, of ...Expr) Expr { return Not{AtLeast{n + 1, of}} }
