// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind says what a JSON value is.
type Kind byte

// The kinds of JSON values, by their first bytes.
const (
	Null    Kind = 'n'
	String  Kind = '"'
	Number  Kind = '0'
	Boolean Kind = 't'
	Array   Kind = '['
	Object  Kind = '{'
)

// String returns the kind with its article, as messages need it.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case String:
		return "a string"
	case Number:
		return "a number"
	case Boolean:
		return "true or false"
	case Array:
		return "an array"
	}
	return "an object"
}

// Value is a JSON value as it stands in a line that is valid.
type Value string

// Kind returns what the value is.
func (v Value) Kind() Kind {
	switch c := v[0]; c {
	case 'n', '"', '[', '{', 't':
		return Kind(c)
	case 'f':
		return Boolean
	}
	return Number
}

// Text returns the text of a string, and a number, true or false as it is written: every digit is
// kept. It is not ok for null, an array or an object.
func (v Value) Text() (text string, ok bool) {
	switch v.Kind() {
	case String:
		return unquote(string(v)), true
	case Number, Boolean:
		return string(v), true
	}
	return "", false
}

// Elements calls fn with each element of an array.
func (v Value) Elements(fn func(Value)) {
	text := string(v)
	for i := blanks(text, 1); text[i] != ']'; {
		end := skip(text, i)
		fn(Value(text[i:end]))
		if i = blanks(text, end); text[i] == ',' {
			i = blanks(text, i+1)
		}
	}
}

// Objects takes lines apart that are JSON objects.
type Objects struct {
	names []string
	seen  map[string]bool
}

// mostNames is how many names of members are compared one by one.
const mostNames = 16

// Members calls fn with each member of the object that a line is. One of nothing but "key" and
// "values", as exports have them, stands for an object of the key and these values. Nothing is
// called for a line that is none, is not valid UTF-8, has half of a surrogate pair, or a member
// twice: the error says so.
func (o *Objects) Members(line []byte, fn func(name string, value Value)) error {
	if err := check(line); err != nil {
		return err
	}
	text := strings.TrimSpace(string(line))
	if kind := Value(text).Kind(); kind != Object {
		return fmt.Errorf("got %v, want an object", kind)
	}
	o.names = o.names[:0]
	clear(o.seen)
	var key, values Value
	if err := Value(text).members(func(name string, value Value) error {
		switch {
		case name == "key":
			key = value
		case name == "values" && value.Kind() == Object:
			values = value
		}
		return o.once(name)
	}); err != nil {
		return err
	}
	each := func(name string, value Value) error {
		fn(name, value)
		return nil
	}
	if key == "" || values == "" || len(o.names) != 2 {
		return Value(text).members(each)
	}
	o.names = append(o.names[:0], "key")
	if err := values.members(func(name string, _ Value) error { return o.once(name) }); err != nil {
		return err
	}
	fn("key", key)
	return values.members(each)
}

// members calls fn with each member of an object, until it fails.
func (v Value) members(fn func(name string, value Value) error) error {
	text := string(v)
	for i := blanks(text, 1); text[i] != '}'; {
		end := skip(text, i)
		name := unquote(text[i:end])
		i = blanks(text, blanks(text, end)+1) // behind the colon
		end = skip(text, i)
		if err := fn(name, Value(text[i:end])); err != nil {
			return err
		}
		if i = blanks(text, end); text[i] == ',' {
			i = blanks(text, i+1)
		}
	}
	return nil
}

// once fails for a name that an object has had.
func (o *Objects) once(name string) error {
	twice := fmt.Errorf("got the member %q twice, want it once", name)
	if len(o.names) < mostNames {
		for _, other := range o.names {
			if other == name {
				return twice
			}
		}
		o.names = append(o.names, name)
		return nil
	}
	if o.seen == nil {
		o.seen = make(map[string]bool)
	}
	if len(o.seen) == 0 {
		for _, other := range o.names {
			o.seen[other] = true
		}
	}
	if o.seen[name] {
		return twice
	}
	o.seen[name] = true
	return nil
}

// check fails for a line that is no JSON, or none that can be read without loss.
func check(line []byte) error {
	if err := checkText(line); err != nil {
		return err
	}
	if !json.Valid(line) {
		var raw json.RawMessage
		err := json.Unmarshal(line, &raw)
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) &&
			syntax.Error() == "unexpected end of JSON input" {
			err = errCut
		}
		return fmt.Errorf("is no JSON object: %w", err)
	}
	if halfPair(line) {
		return errors.New("has half of a surrogate pair, which is no character")
	}
	return nil
}

// errCut says that a line ends within its object.
var errCut = fmt.Errorf("the line ends within it: %w", io.ErrUnexpectedEOF)

// blanks returns where in valid JSON the blanks end that begin at i.
func blanks(text string, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n' {
		i++
	}
	return i
}

// skip returns where in valid JSON the value ends that begins at i.
func skip(text string, i int) int {
	depth := 0
	for {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		default:
			for i++; i < len(text) && strings.IndexByte(",:[]{}\" \t\r\n", text[i]) < 0; i++ {
			}
			if depth == 0 {
				return i
			}
			continue
		}
		if i++; depth == 0 {
			return i
		}
	}
}

// unquote returns the text of a JSON string that is valid.
func unquote(literal string) string {
	if strings.IndexByte(literal, '\\') < 0 {
		return literal[1 : len(literal)-1]
	}
	var text string
	_ = json.Unmarshal([]byte(literal), &text) // which is valid
	return text
}

// halfPair reports whether JSON has a \u escape that is half of a surrogate pair without the other:
// package json would put another character there.
func halfPair(text []byte) bool {
	escaped := func(at int) rune {
		if at+6 > len(text) || text[at] != '\\' || text[at+1] != 'u' {
			return 0
		}
		x, _ := strconv.ParseUint(string(text[at+2:at+6]), 16, 16) // four digits in what is JSON
		return rune(x)
	}
	for i := bytes.IndexByte(text, '\\'); i >= 0 && i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if first := escaped(i); utf16.IsSurrogate(first) {
			if utf16.DecodeRune(first, escaped(i+6)) == utf8.RuneError {
				return true
			}
			i += 6
		}
		i++ // what the backslash escapes is no backslash of its own
	}
	return false
}
