// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rsky

import "strings"

// first returns the first value of a parameter. Parameters are read as forms are (WHATWG URL, 5.1),
// as rsky-graph does: nothing is malformed, and what is not known is passed over.
func first(query, name string) (value string, ok bool) {
	for part := range strings.SplitSeq(query, "&") {
		key, text, _ := strings.Cut(part, "=")
		if part != "" && unescaped(key) == name {
			return unescaped(text), true
		}
	}
	return "", false
}

// unescaped returns a name or value of a form as text. A percent sign without two digits stays, and
// bytes that are not UTF-8 become U+FFFD.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '+':
			out = append(out, ' ')
		case s[i] == '%' && i+2 < len(s) && digit(s[i+1]) >= 0 && digit(s[i+2]) >= 0:
			out = append(out, byte(digit(s[i+1])<<4|digit(s[i+2])))
			i += 2
		default:
			out = append(out, s[i])
		}
	}
	return strings.ToValidUTF8(string(out), "\ufffd")
}

// digit returns the value of a hexadecimal digit, -1 of what is none.
func digit(c byte) int {
	switch lower := c | 0x20; {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case lower >= 'a' && lower <= 'f':
		return int(lower-'a') + 10
	}
	return -1
}
