// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return f, fmt.Errorf("want a JSON object: %w", err)
	}
	found := [2]int{}
	for name, value := range members {
		name = columnName(name)
		for role, known := range [...][]string{accountNames, targetNames} {
			if !slices.Contains(known, name) {
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
	if found != [2]int{1, 1} {
		return f, fmt.Errorf("want one member for the account and one for its target, such as actor_did and target_did, got %d and %d", found[0], found[1])
	}
	return f, nil
}

// keyOf returns the key that a JSON value is: a string, or a number as it is written.
func keyOf(value json.RawMessage) (key string, err error) {
	var number json.Number
	if err := json.Unmarshal(value, &key); err == nil && string(value) != "null" {
		return key, nil
	}
	if err := json.Unmarshal(value, &number); err != nil || string(value) == "null" {
		return "", errors.New("want a string or a number")
	}
	return number.String(), nil
}
