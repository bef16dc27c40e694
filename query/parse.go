// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"strings"
)

// Limits of a query.
const (
	// MaxText is the largest length in bytes of a text that Parse accepts: room for
	// 100 000 values of 80 bytes. The tree takes up to ten times as much memory. It also
	// bounds the number of an AtLeast.
	MaxText = 8 << 20

	// MaxNesting bounds the parentheses and nots around any point of a text. It also bounds the
	// operators on any way from the root of an expression to a leaf. It keeps every recursion over
	// a tree shallow.
	MaxNesting = 1000
)

// Parse returns the expression that text stands for; docs/query.md describes the
// language. The tree keeps the parentheses of the text where they matter to its
// shape: "(a and b) and c" is an And in an And. Strings in the tree may share the
// memory of text.
//
// The error, if any, is a *SyntaxError. Time and memory are linear in the length
// of the text.
func Parse(text string) (Expr, error) {
	p := parser{text: text}
	if len(text) > MaxText {
		return nil, p.limit(0, fmt.Sprintf("a text of %d bytes", len(text)), MaxText)
	}
	p.next()
	e, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.tok.kind != end {
		return nil, p.fail(afterOperand + "the end of the query")
	}
	return e.Expr, nil
}

// A parser is a recursive descent with one token of lookahead. Each method below
// reads one rule of the grammar in docs/query.md, weakest binding first.
type parser struct {
	text    string
	at      int   // offset of what is not yet scanned
	tok     token // the next token
	nesting int   // parentheses and nots that are open at tok

	named func(field token) // if set, is told each field
}

// A subtree is an expression and its nesting: the operators on its longest way
// down.
type subtree struct {
	Expr
	nesting int
}

func (p *parser) next() {
	p.tok = scan(p.text, p.at)
	p.at = p.tok.offset + len(p.tok.raw)
}

// or = xor { "or" xor }
func (p *parser) or() (subtree, error) {
	return p.chain("or", p.xor, func(of []Expr) Expr { return Or{of} })
}

// xor = and { "xor" and }
func (p *parser) xor() (subtree, error) {
	return p.chain("xor", p.and, func(of []Expr) Expr { return Xor{of} })
}

// and = not { "and" not }
func (p *parser) and() (subtree, error) {
	return p.chain("and", p.not, func(of []Expr) Expr { return And{of} })
}

func (p *parser) chain(infix string, operand func() (subtree, error), join func([]Expr) Expr) (subtree, error) {
	first, err := operand()
	if err != nil || !p.tok.is(keyword, infix) {
		return first, err
	}
	offset := p.tok.offset
	of, nesting := []Expr{first.Expr}, first.nesting
	for p.tok.is(keyword, infix) {
		p.next()
		e, err := operand()
		if err != nil {
			return subtree{}, err
		}
		of, nesting = append(of, e.Expr), max(nesting, e.nesting)
	}
	return p.operator(offset, join(of), nesting)
}

// operator returns an expression one level above operands of that nesting.
func (p *parser) operator(offset int, e Expr, nesting int) (subtree, error) {
	if nesting == MaxNesting {
		return subtree{}, p.tooDeep(offset)
	}
	return subtree{e, nesting + 1}, nil
}

// not = "not" not | primary
func (p *parser) not() (subtree, error) {
	if !p.tok.is(keyword, "not") {
		return p.primary()
	}
	offset := p.tok.offset
	if err := p.open(); err != nil {
		return subtree{}, err
	}
	e, err := p.not()
	if err != nil {
		return subtree{}, err
	}
	p.nesting--
	return p.operator(offset, Not{e.Expr}, e.nesting)
}

// open goes past a token that nests, and counts it.
func (p *parser) open() error {
	if p.nesting == MaxNesting {
		return p.tooDeep(p.tok.offset)
	}
	p.nesting++
	p.next()
	return nil
}

// afterOperand begins what is wanted after a complete operand; a way out follows.
const afterOperand = `"and", "or", "xor" or `

// fail returns the error that the next token is not what is wanted.
func (p *parser) fail(want string) *SyntaxError {
	t := p.tok
	e := &SyntaxError{Text: p.text, Offset: t.offset, Got: t.shown(), Want: want}
	if t.kind == bad && t.fault.want != "" {
		e.Want = t.fault.want
	}
	e.Hint = p.hint(want)
	e.Line, e.Column = position(p.text, e.Offset)
	return e
}

// hint returns advice for whoever wrote the next token where want was wanted.
func (p *parser) hint(want string) string {
	t := p.tok
	switch {
	case t.kind == bad:
		return t.fault.hint
	case t.kind == end && strings.TrimSpace(p.text) == "":
		return `every record is "all"`
	case t.is(keyword, "not") && strings.HasPrefix(want, afterOperand):
		return `write "and not"`
	case t.kind == keyword && reserved[t.value] == forLater:
		return `it has no meaning yet; as a name or a value it stands in quotes: "` + t.raw + `"`
	case t.kind == keyword:
		return `as a name or a value it stands in quotes: "` + t.raw + `"`
	}
	return ""
}

func (p *parser) tooDeep(offset int) *SyntaxError {
	return p.limit(offset, fmt.Sprintf("a nesting of %d", MaxNesting+1), MaxNesting)
}

func (p *parser) limit(offset int, got string, most int) *SyntaxError {
	e := &SyntaxError{Text: p.text, Offset: offset, Got: got, Want: fmt.Sprintf("at most %d", most), limit: true}
	e.Line, e.Column = position(p.text, offset)
	return e
}

// A wordUse says what the language does with a reserved word.
type wordUse uint8

const (
	notReserved wordUse = iota
	inUse               // has a meaning in today's grammar
	forLater            // kept, so that a later grammar breaks no query written today
)

// reserved holds every reserved word, in lower case. docs/query.md lists them; a
// test compares the two.
var reserved = map[string]wordUse{
	"all":     inUse,
	"and":     inUse,
	"any":     inUse,
	"at":      inUse,
	"between": inUse,
	"bitmap":  inUse,
	"in":      inUse,
	"least":   inUse,
	"most":    inUse,
	"none":    inUse,
	"not":     inUse,
	"nothing": inUse,
	"of":      inUse,
	"or":      inUse,
	"prefix":  inUse,
	"saved":   inUse,
	"xor":     inUse,

	"exactly": forLater,
}

// maxReserved is the length of the longest reserved word.
const maxReserved = len("between")

// reservedWord returns the lower-case form and the use of a word, in any case of
// letters, or notReserved. Only ASCII letters are folded: Unicode folding would
// take "ſ" for an s.
func reservedWord(word string) (string, wordUse) {
	if len(word) > maxReserved {
		return "", notReserved
	}
	var buf [maxReserved]byte
	for i := range len(word) {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	lower := string(buf[:len(word)])
	return lower, reserved[lower]
}
