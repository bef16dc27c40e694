// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// String returns the operands joined by "and". An operand that binds no stronger stands in
// parentheses. With fewer than two operands it is "all of (...)".
func (e And) String() string { return text(e) }

// String returns the operands joined by "or"; an Or among them stands in
// parentheses. With fewer than two operands it is "any of (...)"; two or more
// values of one field are "field in (...)".
func (e Or) String() string { return text(e) }

// String returns the operands joined by "xor"; an Or or Xor among them stands in
// parentheses.
func (e Xor) String() string { return text(e) }

// String returns "not" and the operand, in parentheses if that is an And, Or or Xor. For an Any it
// is "none(field)".
func (e Not) String() string { return text(e) }

// String returns "at least n of (...)".
func (e AtLeast) String() string { return text(e) }

// String returns "field(query)".
func (e Through) String() string { return text(e) }

// String returns "field = value", each in quotes where it has to be.
func (e Equal) String() string { return text(e) }

// String returns "field prefix value", each in quotes where it has to be.
func (e Prefix) String() string { return text(e) }

// String returns "field < value" and the like, each in quotes where it has to be.
func (e Compare) String() string { return text(e) }

// String returns "field between value and value", each in quotes where it has to be.
func (e Between) String() string { return text(e) }

// String returns "field(key)", each in quotes where it has to be.
func (e Related) String() string { return text(e) }

// String returns "any(field)", in quotes where it has to be.
func (e Any) String() string { return text(e) }

// String returns "saved(name)", in quotes where it has to be.
func (e Saved) String() string { return text(e) }

// String returns "bitmap(...)", the bytes in base64.
func (e Bitmap) String() string { return text(e) }

// String returns "all".
func (e All) String() string { return text(e) }

// String returns "nothing".
func (e Nothing) String() string { return text(e) }

func text(e Expr) string { return string(appendExpr(nil, e)) }

// The strength with which a piece of text holds together, weakest first. An
// operand weaker than its place asks for is put in parentheses.
const (
	bindOr = iota
	bindXor
	bindAnd
	bindNot
	bindPrimary
)

func binding(e Expr) int {
	switch e := e.(type) {
	case Or:
		if _, in := inField(e.Of); len(e.Of) >= 2 && !in {
			return bindOr
		}
	case Xor:
		return bindXor
	case And:
		if len(e.Of) >= 2 {
			return bindAnd
		}
	case Not:
		if _, ok := e.Of.(Any); !ok {
			return bindNot
		}
	}
	return bindPrimary
}

// inField reports whether the operands of an Or are values of one field, one or more.
func inField(of []Expr) (field string, ok bool) {
	for i, e := range of {
		equal, ok := e.(Equal)
		if !ok || i > 0 && equal.Field != field {
			return "", false
		}
		field = equal.Field
	}
	return field, len(of) > 0
}

// appendExpr writes one tree into one buffer: joining the strings of subtrees at
// every level would cost the square of the nesting.
func appendExpr(b []byte, e Expr) []byte {
	switch e := e.(type) {
	case And:
		// Operands of an And ask for more than an And, so that nested ones
		// keep their parentheses and parse back nested.
		if len(e.Of) < 2 {
			return appendMembers(append(b, "all of "...), e.Of)
		}
		return appendChain(b, e.Of, " and ", bindNot)
	case Or:
		return appendOr(b, e.Of)
	case Xor:
		if len(e.Of) < 2 {
			return fmt.Appendf(b, "<%T of %d>", e, len(e.Of)) // not valid: text that does not parse
		}
		return appendChain(b, e.Of, " xor ", bindAnd)
	case Not:
		if of, ok := e.Of.(Any); ok {
			return appendCall(b, "none", of.Field)
		}
		return appendOperand(append(b, "not "...), e.Of, bindNot)
	case AtLeast:
		b = strconv.AppendInt(append(b, "at least "...), int64(e.N), 10)
		return appendMembers(append(b, " of "...), e.Of)
	case Through:
		b = append(appendWord(b, e.Field), '(')
		return append(appendExpr(b, e.Of), ')')
	case Equal:
		return appendInfix(b, e.Field, " = ", e.Value)
	case Prefix:
		return appendInfix(b, e.Field, " prefix ", e.Value)
	case Compare:
		if !e.Order.known() {
			return fmt.Appendf(b, "<%T by %q>", e, string(e.Order)) // not valid: text that does not parse
		}
		return appendInfix(b, e.Field, " "+string(e.Order)+" ", e.Value)
	case Between:
		b = append(appendInfix(b, e.Field, " between ", e.From), " and "...)
		return appendWord(b, e.To)
	case Related:
		b = append(appendWord(b, e.Field), '(')
		return append(appendWord(b, e.Key), ')')
	case Any:
		return appendCall(b, "any", e.Field)
	case Saved:
		return appendCall(b, "saved", e.Name)
	case Bitmap:
		b = base64.StdEncoding.AppendEncode(append(b, `bitmap("`...), e.Bytes)
		return append(b, `")`...)
	case All:
		return append(b, "all"...)
	case Nothing:
		return append(b, "nothing"...)
	default:
		// Nil and pointers: text that does not parse, rather than another set.
		return fmt.Appendf(b, "<%T>", e)
	}
}

// appendOr writes a union: as a chain, or as the values of a field.
func appendOr(b []byte, of []Expr) []byte {
	if len(of) < 2 {
		return appendMembers(append(b, "any of "...), of)
	}
	field, in := inField(of)
	if !in {
		return appendChain(b, of, " or ", bindXor)
	}
	b = append(appendWord(b, field), " in ("...)
	for i, e := range of {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendWord(b, e.(Equal).Value)
	}
	return append(b, ')')
}

func appendChain(b []byte, of []Expr, infix string, bind int) []byte {
	for i, e := range of {
		if i > 0 {
			b = append(b, infix...)
		}
		b = appendOperand(b, e, bind)
	}
	return b
}

func appendMembers(b []byte, of []Expr) []byte {
	b = append(b, '(')
	for i, e := range of {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendExpr(b, e)
	}
	return append(b, ')')
}

func appendOperand(b []byte, e Expr, bind int) []byte {
	if binding(e) >= bind {
		return appendExpr(b, e)
	}
	b = append(b, '(')
	b = appendExpr(b, e)
	return append(b, ')')
}

func appendInfix(b []byte, field, infix, value string) []byte {
	return appendWord(append(appendWord(b, field), infix...), value)
}

func appendCall(b []byte, function, argument string) []byte {
	return append(appendWord(append(append(b, function...), '('), argument), ')')
}

// appendWord writes a name, key or value: bare if the lexer reads that back as
// one word, else in quotes. strconv's quoting uses only escapes that the lexer
// knows, and \x for bytes that are not UTF-8.
func appendWord(b []byte, s string) []byte {
	if isBare(s) {
		return append(b, s...)
	}
	return strconv.AppendQuote(b, s)
}

func isBare(s string) bool {
	if _, use := reservedWord(s); use != notReserved {
		return false
	}
	return s != "" && wordLen(s) == len(s)
}

// wordLen returns the length of the bare word that s begins with, 0 if none.
func wordLen(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if !asciiWord[c] {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isWordRune(r) {
			return i
		}
		i += n
	}
	return len(s)
}
