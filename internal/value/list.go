// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ListSeparator stands between the values of a list that AppendList writes.
const ListSeparator = "|"

// listEscaped are the bytes before which AppendList writes a backslash, wherever they stand. The
// semicolon is one of them so that it is not taken for the separator.
const listEscaped = `|;\`

// AppendList appends the values of a list as one text, which SplitList takes apart again.
func AppendList(dst []byte, list []string) []byte {
	for i, text := range list {
		if i > 0 {
			dst = append(dst, ListSeparator...)
		}
		dst = appendListed(dst, text)
	}
	return dst
}

// appendListed appends a value of a list: with a backslash before blanks that it begins or ends
// with, too, one each.
func appendListed(dst []byte, text string) []byte {
	first, size := utf8.DecodeRuneInString(text)
	last, lastSize := utf8.DecodeLastRuneInString(text)
	blank := unicode.IsSpace(first)
	if !blank && !unicode.IsSpace(last) && !strings.ContainsAny(text, listEscaped) {
		return append(dst, text...)
	}
	if blank {
		dst, text = append(append(dst, '\\'), text[:size]...), text[size:]
	}
	end := len(text)
	if end > 0 && unicode.IsSpace(last) {
		end -= lastSize
	}
	for i := range end {
		if strings.IndexByte(listEscaped, text[i]) >= 0 {
			dst = append(dst, '\\')
		}
		dst = append(dst, text[i])
	}
	if end < len(text) {
		dst = append(append(dst, '\\'), text[end:]...)
	}
	return dst
}

// SplitList returns the values of a list that is one text, with a separator between them, which is
// not empty, and without the blanks around them. A backslash before the separator, |, ;, a
// backslash or a blank has these stand for themselves; before anything else it is one itself.
func SplitList(text, separator string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if strings.IndexByte(text, '\\') < 0 || separator[0] == '\\' {
			for part := range strings.SplitSeq(text, separator) {
				if !yield(strings.TrimSpace(part)) {
					return
				}
			}
			return
		}
		for more := true; more; {
			var part string
			if part, text, more = cutList(text, separator); !yield(part) {
				return
			}
		}
	}
}

// cutList returns the first value of a list, and the rest behind the separator; more is false if
// there is none.
func cutList(text, separator string) (part, rest string, more bool) {
	var b []byte
	kept := 0 // bytes of b that end with one behind a backslash
	for text = trimLeft(text, separator); text != "" && !more; {
		size := 1
		switch {
		case strings.HasPrefix(text, separator):
			more, size = true, len(separator)
		case text[0] == '\\' && escapedList(text[1:], separator) > 0:
			size += escapedList(text[1:], separator)
			b = append(b, text[1:size]...)
			kept = len(b)
		default:
			b = append(b, text[0])
		}
		text = text[size:]
	}
	return string(b[:kept]) + strings.TrimRightFunc(string(b[kept:]), unicode.IsSpace), text, more
}

// trimLeft returns a text without the blanks that it begins with, as far as no separator does.
func trimLeft(text, separator string) string {
	for {
		r, size := utf8.DecodeRuneInString(text)
		if !unicode.IsSpace(r) || strings.HasPrefix(text, separator) {
			return text
		}
		text = text[size:]
	}
}

// escapedList returns how many bytes behind a backslash stand for themselves; 0: the backslash
// does.
func escapedList(text, separator string) int {
	if strings.HasPrefix(text, separator) {
		return len(separator)
	}
	r, size := utf8.DecodeRuneInString(text)
	if r < utf8.RuneSelf && size > 0 && strings.ContainsRune(listEscaped, r) || unicode.IsSpace(r) {
		return size
	}
	return 0
}
