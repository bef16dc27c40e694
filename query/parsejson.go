// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// MaxJSON is the largest length in bytes of JSON that ParseJSON accepts: room for a
// literal bitmap of some 48 MB.
const MaxJSON = 64 << 20

// ParseJSON returns the expression that JSON stands for; docs/query.md describes it. A
// JSON string is a query as text, so both may be mixed; everything else is an object.
//
// The error, if any, is a *SyntaxError with the place in the JSON; what is wrong inside
// a text is described there, at the offset of its JSON string. Time and memory are
// linear in the length.
func ParseJSON(data []byte) (Expr, error) {
	r := jsonReader{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	if len(data) > MaxJSON {
		return nil, r.limit(fmt.Sprintf("JSON of %d bytes", len(data)), MaxJSON)
	}
	if at := notUnicode(data); at >= 0 {
		return nil, r.wrongAt(at, "a character that is none", "UTF-8, and both halves of a surrogate pair",
			"bytes of any kind stand in a query as text, as \\\\xff")
	}
	r.dec.UseNumber()
	e, err := r.expr(0)
	if err != nil {
		return nil, err
	}
	before := r.dec.InputOffset()
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, r.wrongAt(int(before), "more after the query", "the end", "")
	}
	if err := Validate(e); err != nil {
		return nil, r.invalid(err)
	}
	return e, nil
}

// A jsonReader reads an expression token by token.
type jsonReader struct {
	data []byte
	dec  *json.Decoder
	at   int // offset of the last token
}

// token returns the next token.
func (r *jsonReader) token() (json.Token, error) {
	r.at = r.skip(int(r.dec.InputOffset()))
	t, err := r.dec.Token()
	if err != nil {
		return nil, r.wrong(broken(err), "JSON", "")
	}
	return t, nil
}

// skip returns the offset of what follows space, a comma or a colon.
func (r *jsonReader) skip(at int) int {
	for at < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[at]) >= 0 {
		at++
	}
	return at
}

// expr reads an expression that stands in that many objects.
func (r *jsonReader) expr(depth int) (Expr, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	return r.from(t, depth)
}

// from reads an expression from its first token on.
func (r *jsonReader) from(t json.Token, depth int) (Expr, error) {
	switch t := t.(type) {
	case string:
		e, err := Parse(t)
		if err != nil {
			return nil, r.inText(err)
		}
		return e, nil
	case json.Delim:
		if t == '{' {
			if depth > MaxNesting {
				return nil, r.limit(fmt.Sprintf("a nesting of %d", depth), MaxNesting)
			}
			return r.object(depth)
		}
	}
	return nil, r.wrong(described(t), "an object, or a string with a query as text", "")
}

// jsonObject is what the members of an object say. A pointer or slice that is not nil was given.
type jsonObject struct {
	verb  string // the member that says what it is, but "field" and the "of" beside "atLeast"
	field *string
	value *string  // of a verb with one value
	of    []Expr   // of a verb with a list of queries
	one   Expr     // of a verb with a query
	in    []string // of a verb with a list of values
	n     int
	bytes []byte
}

// object reads the members of an object and makes its expression.
func (r *jsonReader) object(depth int) (Expr, error) {
	start := r.at
	var o jsonObject
	seen := ""
	for r.dec.More() {
		t, err := r.token()
		if err != nil {
			return nil, err
		}
		name, _ := t.(string)
		if !slices.Contains(jsonMembers, name) {
			return nil, r.wrong("the member "+shorten(name), "one of "+strings.Join(jsonMembers, " "), "")
		}
		if strings.Contains(seen, " "+name+" ") {
			return nil, r.wrong("the member "+shorten(name)+" twice", "it once", "")
		}
		seen += " " + name + " "
		pair := name == "of" && o.verb == "atLeast" || name == "atLeast" && o.verb == "of"
		if name != "field" && o.verb != "" && !pair {
			return nil, r.wrong("the member "+shorten(name)+" beside "+shorten(o.verb), "one of them", "")
		}
		if err := r.member(&o, name, depth); err != nil {
			return nil, err
		}
	}
	if _, err := r.token(); err != nil {
		return nil, err
	}
	r.at = start
	return r.build(&o)
}

// list reads an array of expressions.
func (r *jsonReader) list(depth int) ([]Expr, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	if t != json.Delim('[') {
		return nil, r.wrong(described(t), "an array of queries", "")
	}
	return r.elements(depth)
}

// elements reads the elements of an array of expressions. None are nil, as in what Parse returns.
func (r *jsonReader) elements(depth int) (of []Expr, err error) {
	for r.dec.More() {
		e, err := r.expr(depth + 1)
		if err != nil {
			return nil, err
		}
		of = append(of, e)
	}
	_, err = r.token()
	return of, err
}

// values reads an array of values.
func (r *jsonReader) values() ([]string, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	if t != json.Delim('[') {
		return nil, r.wrong(described(t), "an array of values", "")
	}
	values := []string{}
	for r.dec.More() {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	_, err = r.token()
	return values, err
}

// value reads a value: a string, or a number as it is written.
func (r *jsonReader) value() (string, error) {
	t, err := r.token()
	if err != nil {
		return "", err
	}
	switch t := t.(type) {
	case string:
		return t, nil
	case json.Number:
		return t.String(), nil
	}
	return "", r.wrong(described(t), "a string or a number", "")
}

func (r *jsonReader) number() (int, error) {
	t, err := r.token()
	if err != nil {
		return 0, err
	}
	if x, ok := t.(json.Number); ok {
		if n, err := strconv.ParseUint(x.String(), 10, 32); err == nil && n <= MaxText {
			return int(n), nil
		}
	}
	return 0, r.wrong(described(t), fmt.Sprintf("a number from 0 to %d", MaxText), "")
}

func (r *jsonReader) bitmap() ([]byte, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	if s, ok := t.(string); ok {
		if b, err := base64.StdEncoding.Strict().DecodeString(s); err == nil && len(b) > 0 {
			return b, nil
		}
	}
	return nil, r.wrong(described(t), "a serialized bitmap in base64, with its padding", "")
}
