// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/query"
)

// JSONChecker is what a body must be beside JSON that encoding/json takes.
type JSONChecker struct {
	Of    reflect.Type // which has the members that there may be
	Apart string       // a member whose value is checked elsewhere; "": none
}

// Check refuses what encoding/json takes although the client may not have meant it:
//
//   - a member twice, where it would take the last;
//   - a member in other case than the type has it;
//   - a limit of 0, which it would take for none;
//   - null among numbers, which it would take for 0;
//   - half of a surrogate pair, which it would replace, and so make another key of it.
//
// The body must be well-formed JSON.
func (s JSONChecker) Check(body []byte) error {
	if at := loneSurrogate(body); at >= 0 {
		return invalidAt(at, "half of a surrogate pair, want both or neither")
	}
	known := make(map[string]bool) // names of members; true: the names within are free
	memberNames(s.Of, known)
	dec := json.NewDecoder(bytes.NewReader(body))
	var open []nest // the objects and arrays around the next token
	name := false   // the next token may be a name
	for {
		before := int(dec.InputOffset())
		token, err := dec.Token()
		if err != nil {
			return nil // the end: that the rest is as it should be was checked
		}
		switch token {
		case json.Delim('{'):
			at := inside(open)
			at.members, at.free = make(map[string]bool), !at.free && (known[at.under] || len(open) == 0 && isFree(s.Of))
			open, name = append(open, at), true
			continue
		case json.Delim('['):
			open, name = append(open, inside(open)), false
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		default:
			if text, ok := token.(string); ok && name {
				at := before + bytes.IndexByte(body[before:], '"')
				around := &open[len(open)-1]
				_, ok := known[text]
				switch {
				case len(open) > 1 && open[0].under == s.Apart: // and s.apart is not "", which is no member
				case !ok && !around.free:
					return invalidAt(at, "unknown member "+Quote(text))
				case around.members[text]:
					return invalidAt(at, "member "+Quote(text)+" twice")
				}
				around.members[text], around.under, name = true, text, false
				continue
			}
			if token == nil && len(open) > 0 && open[len(open)-1].members == nil &&
				listsNumbers(s.Of, open[len(open)-1].under) {
				return invalidAt(before+bytes.IndexByte(body[before:], 'n'),
					Quote(open[len(open)-1].under)+" has null, want numbers")
			}
			if x, ok := token.(float64); ok && x == 0 && len(open) > 0 && open[len(open)-1].under == "limit" &&
				!open[len(open)-1].free {
				return invalidAt(before+bytes.IndexAny(body[before:], "-0"),
					"\"limit\" is 0, want 1 or more, or none for the default")
			}
		}
		name = len(open) > 0 && open[len(open)-1].members != nil
	}
}

// nest is an object or an array of a body.
type nest struct {
	members map[string]bool // the names so far; nil: an array
	under   string          // the last of them; of an array, the name of the member that it belongs to
	free    bool            // the names are not those of members, but such as attributes have
}

// inside returns an array within all that is open.
func inside(open []nest) nest {
	if len(open) == 0 {
		return nest{}
	}
	around := open[len(open)-1]
	return nest{under: around.under, free: around.free && around.members != nil}
}

// memberNames adds the names of the members of a type as JSON, with those of its parts. A name's
// value is true if names of objects below it are free.
func memberNames(t reflect.Type, names map[string]bool) {
	if t == reflect.TypeFor[json.RawMessage]() { // a query, which is checked when it is read
		for _, name := range query.JSONMembers() {
			names[name] = false
		}
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		memberNames(t.Elem(), names)
	case reflect.Struct:
		for f := range t.Fields() {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
				names[tag] = isFree(f.Type)
			}
			memberNames(f.Type, names)
		}
	}
}

// listsNumbers reports whether a type has a list of numbers of this name in its JSON, at any depth.
func listsNumbers(t reflect.Type, name string) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return listsNumbers(t.Elem(), name)
	case reflect.Struct:
		for f := range t.Fields() {
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tag == name && isNumbers(f.Type) || listsNumbers(f.Type, name) {
				return true
			}
		}
	}
	return false
}

// isNumbers reports whether a type is a list of numbers.
func isNumbers(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && (t.Elem().Kind() == reflect.Uint64 || t.Elem().Kind() == reflect.Float64)
}

// isFree reports whether a type is of objects with any names.
func isFree(t reflect.Type) bool {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t.Kind() == reflect.Map
}

// loneSurrogate returns the offset of the first \u escape that is half a surrogate pair, or -1.
func loneSurrogate(body []byte) int {
	for i := 0; i+1 < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		first, ok := escaped(body[i:])
		switch {
		case !ok || first < 0xD800 || first > 0xDFFF:
			i++ // the character after the backslash is no backslash of its own
			continue
		case first > 0xDBFF:
			return i
		}
		if second, ok := escaped(body[i+6:]); !ok || second < 0xDC00 || second > 0xDFFF {
			return i
		}
		i += 11
	}
	return -1
}

// escaped returns the number of the \u escape that the text begins with.
func escaped(text []byte) (uint64, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	x, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return x, err == nil
}
