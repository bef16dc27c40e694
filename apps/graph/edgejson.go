// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/table"
)

// isObject reports whether a line begins like a JSON object.
func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("{")) }

// parseObject reads the follow of a line that is a JSON object. It reads the members whose names
// are known for columns; there must be one for each role. It passes over other members.
func (l *EdgeList) parseObject(text []byte) (f Follow, err error) {
	found := [3]int{}
	keys := [3]*string{&f.Account, &f.Target, &l.recordKey}
	var wrong error
	err = l.objects.Members(text, func(name string, value table.Value) {
		role := l.role([]byte(name))
		if role < 0 || wrong != nil {
			return
		}
		found[role]++
		if kind := value.Kind(); kind != table.String && kind != table.Number {
			wrong = fmt.Errorf("member %s: got %v, want a string or a number", shown(name), kind)
			return
		}
		*keys[role], _ = value.Text()
	})
	switch {
	case err != nil:
		return Follow{}, err
	case wrong != nil:
		return Follow{}, wrong
	case found[0] != 1 || found[1] != 1:
		return Follow{}, fmt.Errorf("want one member for the account and one for its target, such as actor_did and "+
			"target_did, got %d and %d", found[0], found[1])
	case l.opts.Keys && found[2] != 1:
		return Follow{}, fmt.Errorf("want one member rkey for the key of the record, got %d", found[2])
	}
	return f, nil
}

// plainObject returns the keys of a line of the common form: an object whose members are all
// strings of printable ASCII without escapes, one for each role. ok is false for every other line,
// which is to be looked at more closely.
func (l *EdgeList) plainObject(line []byte) (account, target []byte, ok bool) {
	if l.opts.Keys || len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
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
			if keys[role] != nil || !isPlainKey(value) {
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

// plainString returns the string that text begins with, without its quotes, and what comes after.
// It has only printable ASCII without escapes, or ok is false.
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

// role returns what the member of a name is: 0 the account, 1 the target, 2 the key of a list with
// keys, -1 another one.
func (l *EdgeList) role(name []byte) int {
	if role, ok := l.roles[string(name)]; ok {
		return role
	}
	role := slices.IndexFunc([][]string{accountNames, targetNames}, func(known []string) bool {
		return isNamed(string(name), known, numberSuffixes)
	})
	if l.opts.Keys && isNamed(string(name), keyNames, numberSuffixes[:1]) {
		role = 2
	}
	if l.roles == nil {
		l.roles = make(map[string]int)
	}
	if len(l.roles) < mostRoles {
		l.roles[string(name)] = role
	}
	return role
}
