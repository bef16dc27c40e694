// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package names gives keys and members of sets, which are any bytes, names as rows and records, and
// records to what is known of them beside.
package names

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxMember and MaxKey are the greatest lengths of a member and of a key, in bytes.
const (
	MaxMember = 65532
	MaxKey    = 65500
)

// shownBytes is the greatest length of a name that is asked for over HTTP.
const shownBytes = 512

// escape begins the names of what is not plain text, and those that are not members. The byte
// behind it says which of them.
const (
	escape       = '\\'
	quotedName   = ':' // text with \xHH and \\
	rawName      = '=' // the bytes themselves
	keyRecord    = '!' // what is known of a key: its name follows
	memberRecord = '@' // what is known of a member: the length of the key's name, ":", both names
)

// Of returns the record or row of a member or key. Text of up to 512 bytes in UTF-8 without
// control characters is its own name, if it does not begin with a backslash. Other bytes are
// written as such text behind a backslash, if that is not too long for HTTP either.
func Of(raw []byte) string {
	if Plain(raw) {
		return string(raw)
	}
	const digits = "0123456789abcdef"
	var b strings.Builder
	b.WriteString(`\:`)
	for rest := raw; len(rest) > 0 && b.Len() <= shownBytes; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1 || unicode.IsControl(r):
			for _, c := range rest[:n] {
				b.WriteString(`\x`)
				b.WriteByte(digits[c>>4])
				b.WriteByte(digits[c&15])
			}
		case r == escape:
			b.WriteString(`\\`)
		default:
			b.Write(rest[:n])
		}
		rest = rest[n:]
	}
	if b.Len() <= shownBytes {
		return b.String()
	}
	return `\=` + string(raw)
}

// Plain reports whether bytes are their own name.
func Plain(raw []byte) bool {
	if len(raw) == 0 || len(raw) > shownBytes || raw[0] == escape {
		return false
	}
	ascii := true
	for _, c := range raw {
		if c < ' ' || c == 0x7f {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if ascii {
		return true
	}
	for rest := raw; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) {
			return false
		}
		rest = rest[n:]
	}
	return true
}

// AppendRaw appends the bytes of the member or key that has a name. What others have named as Name
// never does stands for itself.
func AppendRaw(dst, name []byte) []byte {
	if len(name) == 0 || name[0] != escape {
		return append(dst, name...)
	}
	raw := appendUnescaped(dst, name)
	if Of(raw[len(dst):]) != string(name) {
		return append(raw[:len(dst)], name...)
	}
	return raw
}

// Odd reports whether a name is none that Of makes, though it begins as some of them.
func Odd(name []byte) bool {
	return len(name) > 0 && name[0] == escape && Of(appendUnescaped(nil, name)) != string(name)
}

// appendUnescaped appends what a name that begins with a backslash may have been made of.
func appendUnescaped(dst, name []byte) []byte {
	if len(name) < 2 || name[1] != quotedName && name[1] != rawName {
		return dst
	}
	text := name[2:]
	if name[1] == rawName {
		return append(dst, text...)
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == escape && i+3 < len(text) && text[i+1] == 'x':
			x, err := hex.DecodeString(string(text[i+2 : i+4]))
			if err == nil {
				dst, i = append(dst, x...), i+3
				continue
			}
		case text[i] == escape:
			i++
		}
		if i < len(text) {
			dst = append(dst, text[i])
		}
	}
	return dst
}

// OfKey returns the record of what is known of a key, by its name.
func OfKey(key string) string { return string([]byte{escape, keyRecord}) + key }

// OfMember returns the record of what is known of a member of a key.
func OfMember(key, member string) string {
	return string([]byte{escape, memberRecord}) + strconv.Itoa(len(key)) + ":" + key + member
}

// Parse returns whose record it is: of a key, or of a member of one.
func Parse(record string) (key, member string, ofMember, ok bool) {
	if len(record) < 2 || record[0] != escape {
		return "", "", false, false
	}
	rest := record[2:]
	switch record[1] {
	case keyRecord:
		return rest, "", false, true
	case memberRecord:
		digits, names, found := strings.Cut(rest, ":")
		n, err := strconv.Atoi(digits)
		if found && err == nil && n >= 0 && n <= len(names) {
			return names[:n], names[n:], true, true
		}
	}
	return "", "", false, false
}
