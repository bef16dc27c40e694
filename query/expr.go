// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

// Expr is a boolean expression over the records of an index. It denotes a set of
// existing records.
//
// The types that implement it are the operators [And], [Or], [Xor], [Not],
// [AtLeast] and [Through], and the leaves [Equal], [Prefix], [Compare], [Between],
// [Any], [Related], [Saved], [Bitmap], [All] and [Nothing], always as values: a
// pointer to one of them satisfies the interface too (Go gives it the methods), but
// is refused by [Validate].
type Expr interface {
	// String returns the expression as text that Parse accepts and turns into
	// an equal tree. It costs time linear in the length of that text.
	String() string

	// MarshalJSON returns the expression as JSON that ParseJSON accepts and turns
	// into an equal tree, at the cost of AppendJSON.
	MarshalJSON() ([]byte, error)

	isExpr()
}

// And is the intersection of its operands: the records in every one of them. An
// And of nothing is All. Chains such as "a and b and c" are one And of three.
type And struct{ Of []Expr }

// Or is the union of its operands: the records in at least one of them. An Or of
// nothing is Nothing. Chains such as "a or b or c" are one Or of three; "f in (x, y)"
// is an Or of two Equal.
type Or struct{ Of []Expr }

// Xor is the records in an odd number of its operands. There are at least two: for two, it is the
// records in exactly one of them. "a xor b xor c" is one Xor of three.
type Xor struct{ Of []Expr }

// Not is the complement of its operand: the existing records outside it. "f != x" is
// the Not of an Equal, and so also has the records without a value in f.
type Not struct{ Of Expr }

// AtLeast is the records in at least N of its operands: at least 2 of (a, b, c). An
// operand that occurs twice counts twice. N is 0 to MaxText; AtLeast 0 is All. The
// text "at most 2 of (...)" is the Not of an AtLeast 3.
type AtLeast struct {
	N  int
	Of []Expr
}

// Through is the union of the rows of a relation that the records of a query have:
// follows(country = de) is everybody whom somebody in Germany follows. Field is the
// relation.
type Through struct {
	Field string
	Of    Expr
}

// Equal is the records that have Value in Field, among others if the field holds
// several: country = de. Both are bytes of any kind, compared exactly; in a field of
// integers the value is read as its number, date or time.
type Equal struct{ Field, Value string }

// Prefix is the records that have a value in Field which begins with Value, byte by
// byte: city prefix "New ".
type Prefix struct{ Field, Value string }

// Compare is the records whose number in Field, an integer field, stands in that
// order to Value: age >= 18. Records without a number are in none. Value is read as
// the field declares: a number, a decimal, a date or a time.
type Compare struct {
	Field string
	Order Order
	Value string
}

// Order is how a number stands to another.
type Order string

// The orders.
const (
	Less         Order = "<"
	LessEqual    Order = "<="
	Greater      Order = ">"
	GreaterEqual Order = ">="
)

// Between is the records whose number in Field, an integer field, is at least From
// and at most To: age between 18 and 30. It is empty when To is below From.
type Between struct{ Field, From, To string }

// Related is the row of one record in a relation: follows(alice) is whom alice
// follows. Field is the relation and Key the record key; both are bytes of any
// kind, compared exactly.
type Related struct{ Field, Key string }

// Any is the records that have a value in Field, whatever it is: any(country). Of
// a relation it is the records whose row is not empty. Its complement, the Not of
// an Any, is written none(country).
type Any struct{ Field string }

// Saved is a set of records that was stored in the index under a name: saved(vips).
type Saved struct{ Name string }

// Bitmap is a set of record IDs as a serialized roaring bitmap (docs/format/bitmap.md), without IDs
// that do not exist. The bytes are used where they are, and must not change as long as the
// expression is in use. An evaluator validates them first. Text and JSON have them in base64.
type Bitmap struct{ Bytes []byte }

// All is every existing record, written all.
type All struct{}

// Nothing is no record, written nothing.
type Nothing struct{}

func (And) isExpr()     {}
func (Or) isExpr()      {}
func (Xor) isExpr()     {}
func (Not) isExpr()     {}
func (AtLeast) isExpr() {}
func (Through) isExpr() {}
func (Equal) isExpr()   {}
func (Prefix) isExpr()  {}
func (Compare) isExpr() {}
func (Between) isExpr() {}
func (Related) isExpr() {}
func (Any) isExpr()     {}
func (Saved) isExpr()   {}
func (Bitmap) isExpr()  {}
func (All) isExpr()     {}
func (Nothing) isExpr() {}

// known reports whether o is one of the four orders.
func (o Order) known() bool {
	return o == Less || o == LessEqual || o == Greater || o == GreaterEqual
}

// operands returns what an operator is made of. The single one of Not and Through is
// written to one, so that nothing is allocated.
func operands(e Expr, one *[1]Expr) (of []Expr, operator bool) {
	switch e := e.(type) {
	case And:
		return e.Of, true
	case Or:
		return e.Of, true
	case Xor:
		return e.Of, true
	case AtLeast:
		return e.Of, true
	case Not:
		one[0] = e.Of
	case Through:
		one[0] = e.Of
	default:
		return nil, false
	}
	return one[:], true
}
