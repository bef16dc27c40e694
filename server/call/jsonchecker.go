// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
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
	known := make(map[string]freedom) // of the names within members, by their names
	memberNames(s.Of, known)
	var open []nest // the objects and arrays around the next token
	name := false   // the next text is a name
	for at := 0; at < len(body); {
		switch body[at] {
		case '{':
			in := inside(open)
			switch in.object = true; {
			case in.free == freeOnce:
				in.free = bound
			case in.free == bound && len(open) == 0:
				in.free = freedomOf(s.Of)
			case in.free == bound:
				in.free = known[string(in.under)]
			}
			if len(open) < cap(open) {
				in.names = open[:len(open)+1][len(open)].names[:0] // of the one before
			}
			open, name = append(open, in), true
		case '[':
			open, name = append(open, inside(open)), false
		case '}', ']':
			open = open[:max(0, len(open)-1)]
		case ',':
			name = len(open) > 0 && open[len(open)-1].object
		case ':', ' ', '\t', '\n', '\r':
		case '"':
			end := textEnd(body, at)
			if name {
				if err := s.member(body, at, end, open, known); err != nil {
					return err
				}
			}
			at, name = end, false
			continue
		default:
			end := at + 1
			for end < len(body) && !isStructural(body[end]) {
				end++
			}
			if err := s.scalar(body[at:end], at, open); err != nil {
				return err
			}
			at = end
			continue
		}
		at++
	}
	return nil
}

// member checks the name of a member, which stands between two offsets.
func (s JSONChecker) member(body []byte, at, end int, open []nest, known map[string]freedom) error {
	text := body[at+1 : max(at+1, end-1)]
	if bytes.IndexByte(text, '\\') >= 0 {
		var plain string
		if err := json.Unmarshal(body[at:end], &plain); err != nil {
			return nil // it was checked
		}
		text = []byte(plain)
	}
	around := &open[len(open)-1]
	_, ok := known[string(text)]
	twice := around.add(text)
	switch {
	case len(open) > 1 && string(open[0].under) == s.Apart: // and s.Apart is not "", which is no member
	case !ok && around.free == bound:
		return invalidAt(at, "unknown member "+Quote(string(text)))
	case twice:
		return invalidAt(at, "member "+Quote(string(text))+" twice")
	}
	around.under = text
	return nil
}

// scalar checks what is no text: a number, null, true or false.
func (s JSONChecker) scalar(text []byte, at int, open []nest) error {
	if len(open) == 0 {
		return nil
	}
	around := &open[len(open)-1]
	switch {
	case text[0] == 'n' && !around.object && listsNumbers(s.Of, string(around.under)):
		return invalidAt(at, Quote(string(around.under))+" has null, want numbers")
	case string(around.under) == "limit" && around.free == bound:
		if x, err := strconv.ParseFloat(string(text), 64); err == nil && x == 0 {
			return invalidAt(at, "\"limit\" is 0, want 1 or more, or none for the default")
		}
	}
	return nil
}

// textEnd returns the offset behind a text in quotes.
func textEnd(body []byte, at int) int {
	for at++; at < len(body); at++ {
		switch body[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(body)
}

// isStructural reports whether a byte ends a number or a word.
func isStructural(b byte) bool {
	return b == ',' || b == ']' || b == '}' || b == ' ' || b == '\n' || b == '\r' || b == '\t'
}

// freedom says which names an object may have.
type freedom byte

const (
	bound    freedom = iota // those of members
	freeOnce                // any, but only those of members in objects below it
	free                    // any, as in all that is below it: who reads the values checks them
)

// nest is an object or an array of a body.
type nest struct {
	object bool            // else an array
	names  [][]byte        // of an object, so far
	many   map[string]bool // likewise, if they are more than comparedNames
	under  []byte          // the last of them; of an array, the name of the member that it belongs to
	free   freedom         // of the names
}

// comparedNames is up to how many names of an object are compared one by one.
const comparedNames = 16

// add takes in a name. twice reports whether it was there before.
func (n *nest) add(name []byte) (twice bool) {
	if n.many != nil {
		twice = n.many[string(name)]
		n.many[string(name)] = true
		return twice
	}
	if slices.ContainsFunc(n.names, func(x []byte) bool { return bytes.Equal(x, name) }) {
		return true
	}
	if n.names = append(n.names, name); len(n.names) > comparedNames {
		n.many = make(map[string]bool)
		for _, x := range n.names {
			n.many[string(x)] = true
		}
	}
	return false
}

// inside returns an array within all that is open.
func inside(open []nest) nest {
	if len(open) == 0 {
		return nest{}
	}
	around := &open[len(open)-1]
	if !around.object && around.free != free {
		return nest{under: around.under}
	}
	return nest{under: around.under, free: around.free}
}

// memberNames adds the names of the members of a type as JSON, with those of its parts. A name's
// value is how free those of objects below it are.
func memberNames(t reflect.Type, names map[string]freedom) {
	if t == reflect.TypeFor[json.RawMessage]() { // a query, which is checked when it is read
		for _, name := range query.JSONMembers() {
			names[name] = bound
		}
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		memberNames(t.Elem(), names)
	case reflect.Struct:
		for f := range t.Fields() {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
				names[tag] = freedomOf(f.Type)
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

// freedomOf returns which names the objects of a type may have.
func freedomOf(t reflect.Type) freedom {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch {
	case t.Kind() != reflect.Map:
		return bound
	case t.Elem() == reflect.TypeFor[json.RawMessage]():
		return free
	}
	return freeOnce
}

// loneSurrogate returns the offset of the first \u escape that is half a surrogate pair, or -1.
func loneSurrogate(body []byte) int {
	for i := max(0, bytes.IndexByte(body, '\\')); i+1 < len(body); i++ {
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
