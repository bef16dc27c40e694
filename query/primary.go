// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"strconv"
)

// primary parses a primary:
//
//	primary = "(" or ")" | "all" | "nothing" | list | count | any | saved | bitmap | leaf
func (p *parser) primary() (subtree, error) {
	t := p.tok
	switch {
	case t.is(symbol, "("):
		return p.parenthesis()
	case t.is(keyword, "all"):
		p.next()
		if p.tok.is(keyword, "of") {
			return p.list(func(of []Expr) Expr { return And{of} })
		}
		return subtree{All{}, 0}, nil
	case t.is(keyword, "any"):
		p.next()
		if p.tok.is(keyword, "of") {
			return p.list(func(of []Expr) Expr { return Or{of} })
		}
		e, err := p.any(t)
		return subtree{e, 0}, err
	case t.is(keyword, "none"):
		p.next()
		e, err := p.any(t)
		if err != nil {
			return subtree{}, err
		}
		return p.operator(t.offset, Not{e}, 0)
	case t.is(keyword, "nothing"):
		p.next()
		return subtree{Nothing{}, 0}, nil
	case t.is(keyword, "at"):
		p.next()
		return p.count()
	case t.is(keyword, "saved"):
		p.next()
		name, err := p.argument("the name of a saved set")
		return subtree{Saved{name.value}, 0}, err
	case t.is(keyword, "bitmap"):
		p.next()
		return p.bitmap()
	case t.isName():
		p.next()
		return p.leaf(t)
	}
	return subtree{}, p.fail("an expression")
}

// parenthesis = "(" or ")"
func (p *parser) parenthesis() (subtree, error) {
	paren := p.tok
	if err := p.open(); err != nil {
		return subtree{}, err
	}
	e, err := p.or()
	if err != nil {
		return subtree{}, err
	}
	p.nesting--
	return e, p.close(paren, afterOperand+`")"`)
}

// any = ( "any" | "none" ) "(" name ")", from "(" on
func (p *parser) any(word token) (Expr, error) {
	paren := p.tok
	if !paren.is(symbol, "(") {
		want := `"("`
		if word.value == "any" {
			want = `"of" or "("`
		}
		return nil, p.fail(want)
	}
	p.next()
	field := p.tok
	if !field.isName() {
		return nil, p.fail("a field")
	}
	p.name(field)
	p.next()
	if p.tok.is(symbol, "=") || p.tok.is(symbol, "(") || p.tok.is(symbol, ",") {
		err := p.fail(`")"`)
		if err.Hint = `a list of queries is written "any of (...)"`; word.value == "none" {
			err.Hint = `the complement of a list of queries is written "not any of (...)"`
		}
		return nil, err
	}
	return Any{field.value}, p.close(paren, `")"`)
}

// count = "at" ( "least" | "most" ) number "of" members, from "least" on
func (p *parser) count() (subtree, error) {
	most := p.tok.is(keyword, "most")
	if !most && !p.tok.is(keyword, "least") {
		return subtree{}, p.fail(`"least" or "most"`)
	}
	p.next()
	greatest := MaxText
	if most {
		greatest--
	}
	n, err := strconv.ParseUint(p.tok.value, 10, 32)
	if p.tok.kind != word || err != nil || n > uint64(greatest) {
		return subtree{}, p.fail(fmt.Sprintf("a number from 0 to %d", greatest))
	}
	offset := p.tok.offset
	p.next()
	if !p.tok.is(keyword, "of") {
		return subtree{}, p.fail(`"of"`)
	}
	if !most {
		return p.list(func(of []Expr) Expr { return AtLeast{int(n), of} })
	}
	e, err := p.list(func(of []Expr) Expr { return AtLeast{int(n) + 1, of} })
	if err != nil {
		return subtree{}, err
	}
	return p.operator(offset, Not{e.Expr}, e.nesting)
}

// list = ( "all" | "any" ) "of" members, from "of" on
func (p *parser) list(join func([]Expr) Expr) (subtree, error) {
	offset := p.tok.offset
	p.next()
	nesting := 0
	of, err := p.members(func() (Expr, error) {
		e, err := p.or()
		nesting = max(nesting, e.nesting)
		return e.Expr, err
	}, afterOperand)
	if err != nil {
		return subtree{}, err
	}
	return p.operator(offset, join(of), nesting)
}

// members = "(" [ member { "," member } ] ")"
func (p *parser) members(member func() (Expr, error), after string) (of []Expr, err error) {
	paren := p.tok
	if !paren.is(symbol, "(") {
		return nil, p.fail(`"("`)
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	for len(of) > 0 || !p.tok.is(symbol, ")") {
		e, err := member()
		if err != nil {
			return nil, err
		}
		of = append(of, e)
		if !p.tok.is(symbol, ",") {
			break
		}
		p.next()
	}
	p.nesting--
	return of, p.close(paren, after+`"," or ")"`)
}

// argument = "(" name ")"
func (p *parser) argument(want string) (token, error) {
	paren := p.tok
	if !paren.is(symbol, "(") {
		return token{}, p.fail(`"("`)
	}
	p.next()
	name := p.tok
	if !name.isName() {
		return token{}, p.fail(want)
	}
	p.next()
	return name, p.close(paren, `")"`)
}

// close goes past the parenthesis that closes open.
func (p *parser) close(open token, want string) error {
	if !p.tok.is(symbol, ")") {
		err := p.fail(want)
		if p.tok.kind == end {
			line, column := position(p.text, open.offset)
			err.Hint = fmt.Sprintf(`the "(" at %d:%d is not closed`, line, column)
		}
		return err
	}
	p.next()
	return nil
}
