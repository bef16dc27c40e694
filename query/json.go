// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends the expression to dst as JSON. ParseJSON turns it back into an equal tree, if
// it is valid. A leaf whose strings are not all UTF-8 is written as the JSON string of its text; a
// value of several fields in an Or is written as "in". Time is linear in the length of the JSON. e
// should be valid in the sense of [Validate]: ParseJSON refuses the JSON of other expressions.
func AppendJSON(dst []byte, e Expr) []byte {
	if !isUTF8(e) {
		return appendJSONText(dst, e)
	}
	switch e := e.(type) {
	case And:
		return append(appendJSONList(append(dst, `{"and":`...), e.Of), '}')
	case Or:
		if field, in := inField(e.Of); in && allUTF8(e.Of) {
			return appendJSONIn(dst, field, e.Of)
		}
		return append(appendJSONList(append(dst, `{"or":`...), e.Of), '}')
	case Xor:
		return append(appendJSONList(append(dst, `{"xor":`...), e.Of), '}')
	case Not:
		return append(AppendJSON(append(dst, `{"not":`...), e.Of), '}')
	case AtLeast:
		dst = strconv.AppendInt(append(dst, `{"atLeast":`...), int64(e.N), 10)
		return append(appendJSONList(append(dst, `,"of":`...), e.Of), '}')
	case Through:
		dst = appendJSONField(dst, e.Field, "of")
		return append(AppendJSON(dst, e.Of), '}')
	case Equal:
		return appendJSONValue(dst, e.Field, "=", e.Value)
	case Prefix:
		return appendJSONValue(dst, e.Field, "prefix", e.Value)
	case Compare:
		return appendJSONValue(dst, e.Field, string(e.Order), e.Value)
	case Between:
		dst = appendJSONString(append(appendJSONField(dst, e.Field, "between"), '['), e.From)
		return append(appendJSONString(append(dst, ','), e.To), ']', '}')
	case Related:
		return appendJSONValue(dst, e.Field, "key", e.Key)
	case Any:
		return append(appendJSONField(dst, e.Field, "any"), "true}"...)
	case Saved:
		return append(appendJSONString(append(dst, `{"saved":`...), e.Name), '}')
	case Bitmap:
		dst = base64.StdEncoding.AppendEncode(append(dst, `{"bitmap":"`...), e.Bytes)
		return append(dst, `"}`...)
	default:
		return appendJSONText(dst, e)
	}
}

// The JSON of each expression is that of AppendJSON.

// MarshalJSON returns {"and": [...]}.
func (e And) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"or": [...]}, or {"field": ..., "in": [...]}.
func (e Or) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"xor": [...]}.
func (e Xor) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"not": ...}.
func (e Not) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"atLeast": n, "of": [...]}.
func (e AtLeast) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "of": ...}.
func (e Through) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "=": ...}.
func (e Equal) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "prefix": ...}.
func (e Prefix) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "<": ...} and the like.
func (e Compare) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "between": [..., ...]}.
func (e Between) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "key": ...}.
func (e Related) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "any": true}.
func (e Any) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"saved": ...}.
func (e Saved) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"bitmap": ...}, the bytes in base64.
func (e Bitmap) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns "all".
func (e All) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns "nothing".
func (e Nothing) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// isUTF8 reports whether JSON can say the strings of one expression, without those in it.
func isUTF8(e Expr) bool {
	field, _ := fieldOf(e)
	if !utf8.ValidString(field) {
		return false
	}
	switch e := e.(type) {
	case Equal:
		return utf8.ValidString(e.Value)
	case Prefix:
		return utf8.ValidString(e.Value)
	case Compare:
		return utf8.ValidString(e.Value) && e.Order.known()
	case Between:
		return utf8.ValidString(e.From) && utf8.ValidString(e.To)
	case Related:
		return utf8.ValidString(e.Key)
	case Saved:
		return utf8.ValidString(e.Name)
	}
	return true
}

func allUTF8(of []Expr) bool {
	for _, e := range of {
		if !isUTF8(e) {
			return false
		}
	}
	return true
}

func appendJSONText(dst []byte, e Expr) []byte { return appendJSONString(dst, text(e)) }

// appendJSONString writes a string of UTF-8 as JSON.
func appendJSONString(dst []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // strings always can be
	return append(dst, quoted...)
}

// appendJSONField begins the object of a field, up to a member's value.
func appendJSONField(dst []byte, field, member string) []byte {
	dst = appendJSONString(append(dst, `{"field":`...), field)
	dst = append(append(dst, `,"`...), member...)
	return append(dst, '"', ':')
}

func appendJSONValue(dst []byte, field, member, value string) []byte {
	return append(appendJSONString(appendJSONField(dst, field, member), value), '}')
}

func appendJSONIn(dst []byte, field string, of []Expr) []byte {
	dst = append(appendJSONField(dst, field, "in"), '[')
	for i, e := range of {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSONString(dst, e.(Equal).Value)
	}
	return append(dst, ']', '}')
}

func appendJSONList(dst []byte, of []Expr) []byte {
	dst = append(dst, '[')
	for i, e := range of {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendJSON(dst, e)
	}
	return append(dst, ']')
}

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

// jsonMembers are the names of all members.
var jsonMembers = []string{"and", "or", "xor", "not", "atLeast", "of", "field", "=", "!=", "in", "prefix", "<", "<=",
	">", ">=", "between", "any", "none", "key", "saved", "bitmap"}

// JSONMembers returns the names of all members that an object of a query may have.
func JSONMembers() []string { return slices.Clone(jsonMembers) }

// member reads the value of a member.
func (r *jsonReader) member(o *jsonObject, name string, depth int) (err error) {
	if name != "field" && (name != "of" || o.verb == "") {
		o.verb = name
	}
	switch name {
	case "and", "or", "xor":
		o.of, err = r.list(depth)
	case "not":
		o.one, err = r.expr(depth + 1)
	case "of":
		var t json.Token
		if t, err = r.token(); err != nil {
			return err
		}
		if t == json.Delim('[') {
			o.of, err = r.elements(depth)
		} else {
			o.one, err = r.from(t, depth+1)
		}
	case "in", "between":
		o.in, err = r.values()
	case "any", "none":
		var t json.Token
		if t, err = r.token(); err == nil && t != true {
			err = r.wrong(described(t), "true", "")
		}
	case "atLeast":
		o.n, err = r.number()
	case "bitmap":
		o.bytes, err = r.bitmap()
	default:
		var s string
		if s, err = r.value(); name == "field" {
			o.field = &s
		} else {
			o.value = &s
		}
	}
	return err
}
