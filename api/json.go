// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"encoding/binary"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// AppendString appends s as a JSON string to dst and returns the extended slice:
// the bytes of encoding/json with SetEscapeHTML(false). What is not valid UTF-8
// becomes U+FFFD, byte by byte. Cost: one look at each byte, and one copy of
// each stretch without escapes.
func AppendString(dst []byte, s string) []byte {
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped is AppendString without the quotes.
func appendEscaped(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	start := 0 // of what is not yet copied
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[start:i]...)
			switch c {
			case '"', '\\':
				dst = append(dst, '\\', c)
			case '\b':
				dst = append(dst, '\\', 'b')
			case '\f':
				dst = append(dst, '\\', 'f')
			case '\n':
				dst = append(dst, '\\', 'n')
			case '\r':
				dst = append(dst, '\\', 'r')
			case '\t':
				dst = append(dst, '\\', 't')
			default:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029': // line ends to JavaScript, not to JSON
			dst = append(append(dst, s[start:i]...), `\u202`...)
			dst = append(dst, hex[r&15])
			start = i + size
		}
		i += size
	}
	return append(dst, s[start:]...)
}

// AppendEscaped appends the key of a record as AppendString does, without the quotes. It checks
// eight bytes at a time whether any needs escaping; in most keys none does.
func AppendEscaped(dst, key []byte) []byte {
	if !isUnescaped(key) {
		return appendEscaped(dst, string(key))
	}
	return append(dst, key...)
}

// AppendEscapedHTML is AppendEscaped with the escaping of encoding/json by
// default, which makes text safe within HTML.
func AppendEscapedHTML(dst, key []byte) []byte {
	if !isUnescapedHTML(key) {
		b, _ := json.Marshal(string(key)) // of a string it never fails
		return append(dst, b[1:len(b)-1]...)
	}
	return append(dst, key...)
}

// AppendKeyHTML appends the key of a record as a JSON string, escaped as by
// AppendEscapedHTML.
func AppendKeyHTML(dst, key []byte) []byte {
	return append(AppendEscapedHTML(append(dst, '"'), key), '"')
}

// The lowest and the highest bits of the bytes of a word.
const ones, high = 0x0101010101010101, 0x8080808080808080

// escaped returns a word with a highest bit set if one of x's eight bytes is special. Special are
// control characters, a quote, a backslash and what is no ASCII. Otherwise no highest bit is set.
func escaped(x uint64) uint64 {
	// A byte is below n when subtracting n borrows from its highest bit, which must not be set by
	// itself.
	quote, slash := x^ones*'"', x^ones*'\\'
	return (x | (x - ones*0x20) | (quote - ones) | (slash - ones)) & high
}

// isUnescaped reports whether a text is ASCII without control characters, quotes and backslashes.
func isUnescaped(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if escaped(binary.LittleEndian.Uint64(b)) != 0 {
			return false
		}
	}
	for _, c := range b {
		if c < 0x20 || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// isUnescapedHTML reports whether isUnescaped holds of a text, and it has none of the characters &,
// < and >.
func isUnescapedHTML(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		and, angle := x^ones*'&', (x&^(ones*2))^ones*'<' // < and > differ in one bit
		if escaped(x)|((and-ones)|(angle-ones))&high != 0 {
			return false
		}
	}
	for _, c := range b {
		if c == '&' || c == '<' || c == '>' {
			return false
		}
	}
	return isUnescaped(b)
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

// appendCursor appends the member "cursor", if there is one, after another
// member.
func appendCursor(dst []byte, cursor string) []byte {
	if cursor == "" {
		return dst
	}
	return AppendString(append(dst, `,"cursor":`...), cursor)
}

func appendUint(dst []byte, n uint64) []byte { return strconv.AppendUint(dst, n, 10) }
