// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/base64"
	"fmt"
)

// name tells whoever wants to know that a field is named.
func (p *parser) name(field token) {
	if p.named != nil {
		p.named(field)
	}
}

// leaf parses a leaf from its second token on:
//
//	leaf = name ( ( "=" | "!=" | order | "prefix" ) name | "between" name "and" name | "in" values |
//	related )
func (p *parser) leaf(field token) (subtree, error) {
	p.name(field)
	t := p.tok
	switch {
	case t.is(symbol, "="):
		value, err := p.value()
		return subtree{Equal{field.value, value}, 0}, err
	case t.is(symbol, "!="):
		value, err := p.value()
		if err != nil {
			return subtree{}, err
		}
		return p.operator(t.offset, Not{Equal{field.value, value}}, 0)
	case t.kind == symbol && Order(t.value).known():
		value, err := p.value()
		return subtree{Compare{field.value, Order(t.value), value}, 0}, err
	case t.is(keyword, "prefix"):
		value, err := p.value()
		return subtree{Prefix{field.value, value}, 0}, err
	case t.is(keyword, "between"):
		return p.between(field)
	case t.is(keyword, "in"):
		p.next()
		of, err := p.members(func() (Expr, error) {
			value, err := p.here()
			return Equal{field.value, value}, err
		}, "")
		if err != nil {
			return subtree{}, err
		}
		return p.operator(t.offset, Or{of}, 0)
	case t.is(symbol, "("):
		return p.related(field)
	}
	return subtree{}, p.fail(`an operator such as "=" or "(" after the field ` + shorten(field.value))
}

// value reads the name after the next token.
func (p *parser) value() (string, error) {
	p.next()
	return p.here()
}

// here reads a name as a value.
//
//	value = name | ( "now" | "today" ) ( "-" | "+" ) word
func (p *parser) here() (string, error) {
	t := p.tok
	if !t.isName() {
		return "", p.fail("a value")
	}
	p.next()
	sign := p.tok
	if !t.is(word, "now") && !t.is(word, "today") ||
		!sign.is(symbol, "+") && !(sign.kind == word && sign.value[0] == '-') {
		return t.value, nil
	}
	from := t.value
	t.value += sign.value // "-30d" is one word
	p.next()
	if len(sign.value) == 1 {
		if p.tok.kind != word {
			return "", p.fail(fmt.Sprintf("a distance from %s, such as 30d", from))
		}
		t.value += p.tok.value
		p.next()
	}
	return t.value, nil
}

// between reads "between" and what follows it.
func (p *parser) between(field token) (subtree, error) {
	from, err := p.value()
	if err != nil {
		return subtree{}, err
	}
	if !p.tok.is(keyword, "and") {
		return subtree{}, p.fail(`"and" between two values`)
	}
	to, err := p.value()
	return subtree{Between{field.value, from, to}, 0}, err
}

// related = "(" ( name | or ) ")". What is only a name is the key of a record.
func (p *parser) related(field token) (subtree, error) {
	paren, inside := p.tok, p.at
	p.next()
	if key := p.tok; key.isName() {
		if p.next(); p.tok.is(symbol, ")") {
			p.next()
			return subtree{Related{field.value, key.value}, 0}, nil
		}
		if p.tok.kind == end || p.tok.is(symbol, ",") {
			return subtree{}, p.close(paren, `")"`)
		}
	} else if p.tok.is(symbol, ")") {
		return subtree{}, p.fail("a record key or a query")
	}
	p.tok, p.at = paren, inside
	e, err := p.parenthesis()
	if err != nil {
		return subtree{}, err
	}
	return p.operator(paren.offset, Through{field.value, e.Expr}, e.nesting)
}

// bitmap = "bitmap" "(" name ")", from "(" on
func (p *parser) bitmap() (subtree, error) {
	t, err := p.argument("a serialized bitmap in base64")
	if err != nil {
		return subtree{}, err
	}
	bytes, err := base64.StdEncoding.Strict().DecodeString(t.value)
	if err != nil || len(bytes) == 0 {
		p.tok = t
		return subtree{}, p.fail("a serialized bitmap in base64, with its padding")
	}
	return subtree{Bitmap{bytes}, 0}, nil
}
