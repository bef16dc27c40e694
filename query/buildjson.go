// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// build makes the expression of an object that was read.
func (r *jsonReader) build(o *jsonObject) (Expr, error) {
	if withField := fieldVerbs[o.verb]; o.verb == "" || withField != (o.field != nil) {
		return nil, r.misfit(o)
	}
	switch o.verb {
	case "and":
		return And{o.of}, nil
	case "or":
		return Or{o.of}, nil
	case "xor":
		return Xor{o.of}, nil
	case "not":
		return Not{o.one}, nil
	case "saved":
		return Saved{*o.value}, nil
	case "bitmap":
		return Bitmap{o.bytes}, nil
	case "atLeast":
		if o.one != nil {
			return nil, r.wrong(`an "of" with one query beside "atLeast"`, "an array of queries", "")
		}
		return AtLeast{o.n, o.of}, nil
	}
	field := *o.field
	switch o.verb {
	case "=":
		return Equal{field, *o.value}, nil
	case "!=":
		return Not{Equal{field, *o.value}}, nil
	case "prefix":
		return Prefix{field, *o.value}, nil
	case "between":
		if len(o.in) != 2 {
			return nil, r.wrong(fmt.Sprintf(`a "between" of %d values`, len(o.in)), "2", "")
		}
		return Between{field, o.in[0], o.in[1]}, nil
	case "in":
		var of []Expr
		for _, value := range o.in {
			of = append(of, Equal{field, value})
		}
		return Or{of}, nil
	case "any":
		return Any{field}, nil
	case "none":
		return Not{Any{field}}, nil
	case "key":
		return Related{field, *o.value}, nil
	case "of":
		if o.one == nil {
			return nil, r.wrong(`an "of" with an array beside "field"`, "one query", `for several, {"or": [...]}`)
		}
		return Through{field, o.one}, nil
	default:
		return Compare{field, Order(o.verb), *o.value}, nil
	}
}

// fieldVerbs are the members that say something of a field.
var fieldVerbs = map[string]bool{"=": true, "!=": true, "prefix": true, "between": true, "in": true, "any": true,
	"none": true, "key": true, "of": true,
	"<": true, "<=": true, ">": true, ">=": true}

// misfit says what is missing in an object, or is in it and should not be.
func (r *jsonReader) misfit(o *jsonObject) error {
	switch {
	case o.verb == "" && o.field == nil:
		return r.wrong("an empty object", `a member such as "and" or "field"`, "")
	case o.verb == "":
		return r.wrong(`"field" alone`, `a member such as "=" beside it`, "")
	case o.field == nil:
		return r.wrong(shorten(o.verb)+" alone", `"field" beside it`, "")
	default:
		return r.wrong(`"field" beside `+shorten(o.verb), "one of them", "")
	}
}

// wrong returns the error that the last token is not what is wanted.
func (r *jsonReader) wrong(got, want, hint string) error { return r.wrongAt(r.at, got, want, hint) }

func (r *jsonReader) wrongAt(at int, got, want, hint string) *SyntaxError {
	e := &SyntaxError{Text: string(r.data), Offset: min(at, len(r.data)), Got: got, Want: want, Hint: hint}
	e.Line, e.Column = position(e.Text, e.Offset)
	return e
}

func (r *jsonReader) limit(got string, most int) error {
	e := r.wrongAt(r.at, got, fmt.Sprintf("at most %d", most), "")
	e.limit = true
	return e
}

// inText returns the error of a query as text that is a string of the JSON.
func (r *jsonReader) inText(err error) error {
	var inner *SyntaxError
	if !errors.As(err, &inner) {
		return err
	}
	e := r.wrongAt(r.at, fmt.Sprintf("%s at %d:%d of a text", inner.Got, inner.Line, inner.Column), inner.Want,
		inner.Hint)
	e.limit = inner.limit
	return e
}

// invalid returns the error that the whole is no valid expression.
func (r *jsonReader) invalid(err error) error {
	e := r.wrongAt(0, "what is no query", "one", err.Error())
	e.limit = errors.Is(err, ErrLimit)
	return e
}

// broken describes an error of the JSON decoder.
func broken(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the end"
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}

// described names a token.
func described(t json.Token) string {
	switch t := t.(type) {
	case string:
		return "the string " + shorten(t)
	case json.Delim:
		return "\"" + t.String() + "\""
	case json.Number:
		return "the number " + shorten(t.String())
	case nil:
		return "null"
	default:
		return fmt.Sprint(t)
	}
}
