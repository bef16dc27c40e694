// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"strconv"
	"unicode/utf8"
)

// notUnicode returns the offset of what encoding/json would replace, or -1. That is the first byte
// that is not UTF-8, or else the first escape that is half of a surrogate pair.
func notUnicode(data []byte) int {
	if !utf8.Valid(data) {
		for i := 0; ; {
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n <= 1 {
				return i
			}
			i += n
		}
	}
	for i := 0; i+1 < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		first, ok := surrogate(data[i:])
		if !ok {
			i++ // what is escaped may be a backslash
			continue
		}
		second, ok := surrogate(data[min(i+6, len(data)):])
		if first > 0xDBFF || !ok || second < 0xDC00 {
			return i
		}
		i += 11
	}
	return -1
}

// surrogate returns the half of a surrogate pair that the text begins with.
func surrogate(text []byte) (half uint64, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	half, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return half, err == nil && half >= 0xD800 && half <= 0xDFFF
}
