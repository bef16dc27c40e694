// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/query"
)

// DecodeBody reads a JSON body. Members that Q lacks or that stand there twice, text after the
// value and bytes that are not UTF-8 are errors, with their place.
func DecodeBody[Q any](c Request) (q Q, err error) {
	if err := CheckBody(c); err != nil {
		return q, err
	}
	return q, DecodeText(c.Body, &q, JSONChecker{Of: reflect.TypeFor[Q]()})
}

// DecodeText reads a JSON text into what q points at.
func DecodeText(text []byte, q any, strict JSONChecker) error {
	if at := InvalidUTF8(text); at >= 0 {
		return invalidAt(at, "not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(q); err != nil {
		return explainJSON(text, err)
	}
	end := int(dec.InputOffset())
	rest := bytes.TrimLeft(text[end:], " \t\r\n")
	if len(rest) > 0 {
		return invalidAt(len(text)-len(rest), "more text after the JSON value")
	}
	return strict.Check(text)
}

// CheckBody refuses a call that has not come with a body that may be JSON, and nothing else.
func CheckBody(c Request) error {
	if err := ParseParams(c.Query).Finish(); err != nil {
		return Invalid("parameters after the path, want all of them in the body")
	}
	if err := checkMedia(c); err != nil {
		return err
	}
	return c.BodyErr
}

func checkMedia(c Request) error {
	media, params, err := mime.ParseMediaType(c.ContentType)
	charset := params["charset"]
	if err != nil || media != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return &api.Error{Code: api.CodeUnsupportedMedia, Message: "Content-Type is " + Quote(c.ContentType) +
			", want application/json"}
	}
	return nil
}

// InvalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
// encoding/json would silently replace it, and so make another account of it.
func InvalidUTF8(body []byte) int {
	if utf8.Valid(body) {
		return -1
	}
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRune(body[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func invalidAt(offset int, reason string) error {
	return &api.Error{
		Code:    api.CodeInvalidRequest,
		Message: fmt.Sprintf("body at byte %d: %s", offset, reason),
		Offset:  &offset,
	}
}

// explainJSON turns an error of encoding/json into one with a place.
func explainJSON(body []byte, err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return Invalid("body is empty, want a JSON object")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return invalidAt(len(body), "the JSON value is not complete")
	case errors.As(err, &syntax): // its offset is after the byte in question
		return invalidAt(max(0, int(syntax.Offset)-1), "malformed JSON: "+Cut(syntax.Error(), maxShown))
	case errors.As(err, &mismatch):
		what := "the value"
		if mismatch.Field != "" {
			what = "member " + Quote(mismatch.Field)
		}
		reason := fmt.Sprintf("%s is of type %s, want %s", what, Cut(mismatch.Value, maxShown), jsonType(mismatch.Type,
			mismatch.Value))
		if mismatch.Offset == 0 && what != "the value" {
			return Invalid("body: %s", reason) // a type that reads itself does not know the place
		}
		return invalidAt(valueOffset(body, int(mismatch.Offset)), reason)
	}
	if quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		name, unquoteErr := strconv.Unquote(quoted)
		if unquoteErr == nil {
			return invalidAt(memberOffset(body, name), "unknown member "+Quote(name))
		}
	}
	return Invalid("body: %s", strings.TrimPrefix(err.Error(), "json: "))
}

// valueOffset returns the offset of the value that ends at end. The JSON text must be well-formed
// up to there.
func valueOffset(body []byte, end int) int {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber() // or one beyond the bounds of a float64 would be an error
	for {
		before := int(dec.InputOffset())
		if _, err := dec.Token(); err != nil {
			return end
		}
		if int(dec.InputOffset()) >= end {
			return before + len(body[before:]) - len(bytes.TrimLeft(body[before:], " \t\r\n,:"))
		}
	}
}

// jsonType names a Go type as JSON does. It adds the type's bounds where a value lies outside them.
func jsonType(t reflect.Type, got string) string {
	number, isNumber := strings.CutPrefix(got, "number ")
	whole := isNumber && strings.Trim(number, "-0123456789") == ""
	switch kind := t.Kind(); {
	case kind == reflect.Struct, kind == reflect.Map:
		return "object"
	case kind == reflect.Slice:
		return "array"
	case kind == reflect.Uint64 && (whole || !isNumber):
		return "integer from 0 to 18446744073709551615"
	case kind == reflect.Int && whole, kind == reflect.Int64 && whole:
		return "integer from -9223372036854775808 to 9223372036854775807"
	case kind == reflect.Int, kind == reflect.Int64, kind == reflect.Uint64:
		return "integer, written without a point and an exponent"
	case kind == reflect.Float64 && isNumber:
		return "number of at most 1.7e308"
	case kind == reflect.Float64:
		return "number"
	case kind == reflect.Bool:
		return "boolean"
	}
	return t.Kind().String()
}

// memberOffset returns the offset of the first member name that equals name. The JSON text must be
// well-formed.
func memberOffset(body []byte, name string) int {
	const (
		inArray = iota
		wantName
		wantValue
	)
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	open := []int{inArray} // what surrounds the next token, outermost first
	for {
		before := int(dec.InputOffset())
		token, err := dec.Token()
		if err != nil {
			return 0
		}
		top := &open[len(open)-1]
		switch token {
		case json.Delim('{'):
			open = append(open, wantName)
			continue
		case json.Delim('['):
			open = append(open, inArray)
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
			top = &open[len(open)-1]
		}
		switch *top {
		case wantName:
			if token == name {
				return before + bytes.IndexByte(body[before:], '"')
			}
			*top = wantValue
		case wantValue:
			*top = wantName
		}
	}
}

// ParseQuery reads a query from JSON: a string with its text, or an object.
func ParseQuery(raw json.RawMessage) (query.Expr, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return query.Parse(text)
	}
	return query.ParseJSON(raw)
}

// CheckAsked refuses a request that leaves out which index is meant, or which records of it.
func CheckAsked(index string, query bool) error {
	switch {
	case index == "":
		return Invalid("\"index\" is missing or empty")
	case !query:
		return Invalid("\"q\" is missing")
	}
	return nil
}
