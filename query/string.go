// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// String returns the operands joined by "and"; those that bind no stronger stand
// in parentheses. With fewer than two operands it is "all of (...)".
func (e And) String() string { return text(e) }

// String returns the operands joined by "or"; an Or among them stands in
// parentheses. With fewer than two operands it is "any of (...)".
func (e Or) String() string { return text(e) }

// String returns "not" and the operand, in parentheses if that is an And or Or;
// of an Any it is "none(field)".
func (e Not) String() string { return text(e) }

// String returns "field = value", each in quotes where it has to be.
func (e Equal) String() string { return text(e) }

// String returns "field(key)", each in quotes where it has to be.
func (e Related) String() string { return text(e) }

// String returns "any(field)", in quotes where it has to be.
func (e Any) String() string { return text(e) }

// String returns "all".
func (e All) String() string { return text(e) }

// String returns "nothing".
func (e Nothing) String() string { return text(e) }

func text(e Expr) string { return string(appendExpr(nil, e)) }

// The strength with which a piece of text holds together, weakest first. An
// operand weaker than its place asks for is put in parentheses. A later "xor"
// goes between or and and.
const (
	bindOr = iota
	bindAnd
	bindNot
	bindPrimary
)

func binding(e Expr) int {
	switch e := e.(type) {
	case Or:
		if len(e.Of) >= 2 {
			return bindOr
		}
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

// appendExpr writes one tree into one buffer: joining the strings of subtrees at
// every level would cost the square of the nesting.
func appendExpr(b []byte, e Expr) []byte {
	switch e := e.(type) {
	case And:
		// Operands of an And ask for more than an And, so that nested ones
		// keep their parentheses and parse back nested.
		return appendList(b, e.Of, "all of (", " and ", bindNot)
	case Or:
		return appendList(b, e.Of, "any of (", " or ", bindAnd)
	case Not:
		if of, ok := e.Of.(Any); ok {
			return append(appendWord(append(b, "none("...), of.Field), ')')
		}
		return appendOperand(append(b, "not "...), e.Of, bindNot)
	case Equal:
		b = appendWord(b, e.Field)
		b = append(b, " = "...)
		return appendWord(b, e.Value)
	case Related:
		b = appendWord(b, e.Field)
		b = append(b, '(')
		b = appendWord(b, e.Key)
		return append(b, ')')
	case Any:
		return append(appendWord(append(b, "any("...), e.Field), ')')
	case All:
		return append(b, "all"...)
	case Nothing:
		return append(b, "nothing"...)
	default:
		// Nil and pointers: text that does not parse, rather than another set.
		return fmt.Appendf(b, "<%T>", e)
	}
}

func appendList(b []byte, of []Expr, open, infix string, bind int) []byte {
	if len(of) < 2 {
		b = append(b, open...)
		for _, e := range of {
			b = appendExpr(b, e)
		}
		return append(b, ')')
	}
	for i, e := range of {
		if i > 0 {
			b = append(b, infix...)
		}
		b = appendOperand(b, e, bind)
	}
	return b
}

func appendOperand(b []byte, e Expr, bind int) []byte {
	if binding(e) >= bind {
		return appendExpr(b, e)
	}
	b = append(b, '(')
	b = appendExpr(b, e)
	return append(b, ')')
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
