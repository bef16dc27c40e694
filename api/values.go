// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// UnmarshalJSON reads an object, or null. Its values share the memory of one copy of it. Package
// json alone would take several times as long, and a copy of each.
func (v *Values) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		if *v = nil; text[0] != 'n' {
			return &json.UnmarshalTypeError{Value: kindOf(text[0]), Type: reflect.TypeFor[Values]()}
		}
		return nil
	}
	text = bytes.Clone(text)
	*v = make(Values, min(bytes.Count(text, []byte(`":`)), 64)) // about as many as there are
	for i := afterBlanks(text, 1); text[i] != '}'; {
		end := afterValue(text, i)
		name := string(text[i+1 : end-1])
		if bytes.IndexByte(text[i:end], '\\') >= 0 || !isASCII(name) {
			if err := json.Unmarshal(text[i:end], &name); err != nil {
				return err
			}
		}
		i = afterBlanks(text, afterBlanks(text, end)+1) // behind the colon
		end = afterValue(text, i)
		(*v)[name] = text[i:end:end]
		if i = afterBlanks(text, end); text[i] == ',' {
			i = afterBlanks(text, i+1)
		}
	}
	return nil
}

// kindOf returns what package json calls a value that begins with a byte.
func kindOf(first byte) string {
	switch first {
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	}
	return "number"
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// afterBlanks returns where in valid JSON the blanks end that begin at i.
func afterBlanks(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n' {
		i++
	}
	return i
}

// afterValue returns where in valid JSON the value ends that begins at i, and is not the last byte
// of it.
func afterValue(text []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			depth++
			continue
		case ']', '}':
			depth--
		default:
			if depth > 0 {
				continue
			}
			for strings.IndexByte(",}] \t\r\n", text[i+1]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
}
