// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

// errNotPlain says that a body has to be decoded as a whole.
var errNotPlain = errors.New("server: the body is not plain")

// decodePlain decodes a body whose searches are found by counting braces: the text around them at
// once, the searches on all processors. ok is false for any other body, and for one with an error:
// decoding it as a whole says which. On one processor, decoding thousands of searches takes longer
// than answering them.
func (r *searchRequest) decodePlain(body []byte) (ok bool) {
	if !utf8.Valid(body) {
		return false
	}
	around, searches, ok := splitSearches(body)
	if !ok || len(searches) > api.MaxSearches {
		return false
	}
	var req api.SearchRequest
	if call.DecodeText(around, &req, call.JSONChecker{Of: reflect.TypeFor[api.SearchRequest]()}) != nil {
		return false
	}
	req.Searches = make([]api.Conditions, len(searches))
	err := call.InParts(len(searches), call.PartsOf(len(searches), searchesPerPart), func(_, from, to int) error {
		var room plainRoom
		for i := from; i < to; i++ {
			if _, ok := appendPlain(room[:0], call.Borrowed(searches[i])); ok {
				continue
			}
			of := call.JSONChecker{Of: reflect.TypeFor[api.Conditions]()}
			if call.DecodeText(searches[i], &req.Searches[i], of) != nil || req.Searches[i] == nil {
				return errNotPlain
			}
		}
		return nil
	})
	if err != nil {
		return false
	}
	r.SearchRequest, r.plain = req, searches
	return true
}

// usualSearch is about how long a search is.
const usualSearch = 64

// splitSearches takes the objects in the member "searches" of a body apart, and returns the body
// without them. ok is false where that member stands twice or not at all, or is no array of
// objects. An object may be malformed within.
func splitSearches(body []byte) (around []byte, searches [][]byte, ok bool) {
	const name = `"searches"`
	at := bytes.Index(body, []byte(name))
	if at < 0 || bytes.Contains(body[at+1:], []byte(name)) || !isMember(body[:at]) {
		return nil, nil, false
	}
	rest, named := after(body[at+len(name):], ':')
	if rest, ok = after(rest, '['); !named || !ok {
		return nil, nil, false
	}
	begin := len(body) - len(rest)
	searches = make([][]byte, 0, min(api.MaxSearches, len(rest)/usualSearch+1))
	for {
		rest = skipSpace(rest)
		n := objectLen(rest)
		if n == 0 {
			return nil, nil, false
		}
		searches, rest = append(searches, rest[:n]), rest[n:]
		if rest, ok = after(rest, ','); !ok {
			break
		}
	}
	if rest, ok = after(rest, ']'); !ok {
		return nil, nil, false
	}
	around = append(append(slices.Clone(body[:begin]), ']'), rest...)
	return around, searches, true
}

// isMember reports whether a name that stands behind this text is one of the outermost object: one
// brace is open, and no string.
func isMember(before []byte) bool {
	open, quoted := 0, false
	for i := 0; i < len(before); i++ {
		switch c := before[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			open++
		case c == '}' || c == ']':
			open--
		}
	}
	return open == 1 && !quoted
}

// objectLen returns the length of the object that a text begins with; 0 if there is none. It counts
// braces and quotes only.
func objectLen(text []byte) int {
	if len(text) == 0 || text[0] != '{' {
		return 0
	}
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// wantedValue is the value that a search wants of an attribute. The texts are parts of the body.
type wantedValue struct{ attribute, value string }

// plainRoom is memory for a search, on the stack.
type plainRoom [catalog.MaxAttributes]wantedValue

// appendPlain appends the members of an object that has only strings, in the order of the names. ok
// is false if a value is no string, has escapes or control characters, or if a name stands twice.
// The text must be valid UTF-8.
func appendPlain(dst []wantedValue, text string) (values []wantedValue, ok bool) {
	start := len(dst)
	rest, ok := after(text, '{')
	for ok {
		var w wantedValue
		if w.attribute, rest, ok = plainString(rest); !ok {
			break
		}
		if rest, ok = after(rest, ':'); !ok {
			break
		}
		if w.value, rest, ok = plainString(rest); !ok {
			break
		}
		dst = append(dst, w)
		if next, more := after(rest, ','); more {
			rest = next
			continue
		}
		rest, ok = after(rest, '}')
		return dst, ok && len(rest) == 0 && sortNames(dst[start:])
	}
	return dst, false
}

// sortNames sorts values by the names of their attributes, and reports whether no two are the same.
func sortNames(values []wantedValue) (different bool) {
	slices.SortFunc(values, func(a, b wantedValue) int { return strings.Compare(a.attribute, b.attribute) })
	for i := range values[:max(1, len(values))-1] {
		if values[i].attribute == values[i+1].attribute {
			return false
		}
	}
	return true
}

// plainString reads a string after white space.
func plainString(text string) (value, rest string, ok bool) {
	if text, ok = after(text, '"'); !ok {
		return "", "", false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			return text[:i], text[i+1:], true
		case c == '\\' || c < ' ':
			return "", "", false
		}
	}
	return "", "", false
}

// after returns what stands behind white space and a character.
func after[T string | []byte](text T, c byte) (rest T, ok bool) {
	rest = skipSpace(text)
	if len(rest) == 0 || rest[0] != c {
		return text, false
	}
	return rest[1:], true
}

func skipSpace[T string | []byte](text T) T {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r') {
		text = text[1:]
	}
	return text
}
