// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

// Expr is a boolean expression over the records of an index. It denotes a set of
// existing records.
//
// The types that implement it are [And], [Or], [Not], [Equal], [Related], [Any],
// [All] and [Nothing], always as values: a pointer to one of them satisfies the
// interface too (Go gives it the methods), but is refused by [Validate].
type Expr interface {
	// String returns the expression as text that Parse accepts and turns into
	// an equal tree. It costs time linear in the length of that text.
	String() string

	isExpr()
}

// And is the intersection of its operands: the records in every one of them. An
// And of nothing is All. Chains such as "a and b and c" are one And of three.
type And struct{ Of []Expr }

// Or is the union of its operands: the records in at least one of them. An Or of
// nothing is Nothing. Chains such as "a or b or c" are one Or of three.
type Or struct{ Of []Expr }

// Not is the complement of its operand: the existing records outside it.
type Not struct{ Of Expr }

// Equal is the records that have Value in Field, among others if the field holds
// several: country = de. Both are bytes of any kind, compared exactly.
type Equal struct{ Field, Value string }

// Related is the row of one record in a relation: follows(alice) is whom alice
// follows. Field is the relation and Key the record key; both are bytes of any
// kind, compared exactly.
type Related struct{ Field, Key string }

// Any is the records that have a value in Field, whatever it is: any(country). Of
// a relation it is the records whose row is not empty. Its complement, the Not of
// an Any, is written none(country).
type Any struct{ Field string }

// All is every existing record, written all.
type All struct{}

// Nothing is no record, written nothing.
type Nothing struct{}

func (And) isExpr()     {}
func (Or) isExpr()      {}
func (Not) isExpr()     {}
func (Equal) isExpr()   {}
func (Related) isExpr() {}
func (Any) isExpr()     {}
func (All) isExpr()     {}
func (Nothing) isExpr() {}
