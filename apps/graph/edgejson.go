// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// isObject reports whether a line begins like a JSON object.
func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("{")) }

// parseObject reads the follow of a line that is a JSON object: the members whose names are known for columns, of which there must be one for each role. Other members
// are passed over.
func parseObject(text []byte) (f Follow, err error) {
	if !utf8.Valid(text) { // package json would replace what is not
		return f, errors.New("is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return f, objectError(err)
	}
	found := [2]int{}
	for dec.More() {
		token, err := dec.Token()
		name, _ := token.(string)
		var value json.RawMessage
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			return f, objectError(err)
		}
		for role, known := range [...][]string{accountNames, targetNames} {
			if !isNamed(name, known) {
				continue
			}
			found[role]++
			key, err := keyOf(value)
			if err != nil {
				return f, fmt.Errorf("member %s: %w", shown(name), err)
			}
			if role == 0 {
				f.Account = key
			} else {
				f.Target = key
			}
		}
	}
	if _, err := dec.Token(); err != nil { // the end of the object
		return f, objectError(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return f, errors.New("want a JSON object, got more after it")
	}
	if found != [2]int{1, 1} {
		return f, fmt.Errorf("want one member for the account and one for its target, such as actor_did and target_did, got %d and %d", found[0], found[1])
	}
	return f, nil
}

// plainObject returns the keys of a line of the common form: an object whose members are all strings of printable ASCII without escapes, one for each role. ok is false for every other
// line, which is to be looked at more closely.
func (l *EdgeList) plainObject(line []byte) (account, target []byte, ok bool) {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return nil, nil, false
	}
	var keys [2][]byte
	for rest, more := line[1:len(line)-1], true; more; {
		var name, value []byte
		if name, rest, ok = plainString(rest); !ok || len(rest) == 0 || rest[0] != ':' {
			return nil, nil, false
		}
		if value, rest, ok = plainString(bytes.TrimPrefix(rest[1:], []byte(" "))); !ok {
			return nil, nil, false
		}
		if role := l.role(name); role >= 0 {
			if keys[role] != nil || !plain(value) {
				return nil, nil, false
			}
			keys[role] = value
		}
		if more = len(rest) > 0; more {
			if rest[0] != ',' {
				return nil, nil, false
			}
			rest = bytes.TrimPrefix(rest[1:], []byte(" "))
		}
	}
	return keys[0], keys[1], keys[0] != nil && keys[1] != nil
}

// plainString returns a string of printable ASCII without escapes that text begins with, without its quotes, and what comes after it.
func plainString(text []byte) (s, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' {
		return nil, nil, false
	}
	for i, c := range text[1:] {
		switch {
		case c == '"':
			return text[1 : 1+i : 1+i], text[2+i:], true
		case c < ' ' || c >= 0x7f || c == '\\':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// mostRoles is of how many names of members it is kept what they are.
const mostRoles = 64

// role returns what the member of a name is: 0 the account, 1 the target, -1 another one.
func (l *EdgeList) role(name []byte) int {
	if role, ok := l.roles[string(name)]; ok {
		return role
	}
	role := slices.IndexFunc([][]string{accountNames, targetNames}, func(known []string) bool { return isNamed(string(name), known) })
	if l.roles == nil {
		l.roles = make(map[string]int)
	}
	if len(l.roles) < mostRoles {
		l.roles[string(name)] = role
	}
	return role
}

// objectError says that a line is no JSON object; err, if not nil, says why.
func objectError(err error) error {
	switch err {
	case nil:
		return errors.New("want a JSON object, got another value")
	case io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("want a JSON object: %w", err)
}

// keyOf returns the key that a JSON value is: a string, or a number as it is written.
func keyOf(value json.RawMessage) (key string, err error) {
	if halfPair(value) {
		return "", errors.New("has half of a surrogate pair") // package json would replace it, and so make another key of it
	}
	var number json.Number
	if err := json.Unmarshal(value, &key); err == nil && string(value) != "null" {
		return key, nil
	}
	if err := json.Unmarshal(value, &number); err != nil || string(value) == "null" {
		return "", errors.New("want a string or a number")
	}
	return number.String(), nil
}

// halfPair reports whether a JSON value has a \u escape that is half of a surrogate pair without the other half.
func halfPair(value []byte) bool {
	escaped := func(at int) rune {
		if at+6 > len(value) || value[at] != '\\' || value[at+1] != 'u' {
			return 0
		}
		x, _ := strconv.ParseUint(string(value[at+2:at+6]), 16, 16) // four digits in what is JSON
		return rune(x)
	}
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' {
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
