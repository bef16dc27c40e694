// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// UnmarshalJSON replaces the set with that of a JSON value: a string as MarshalText writes, or an
// array of its values, whole numbers from 0 to 2^64-1 in any order. null changes nothing, as is
// usual. On an error, a [*FormatError], the set stays as it was.
//
// A set is written to JSON as a string, by [Bitmap.MarshalText]: it is many times shorter than the
// numbers, and exact where other languages round numbers above 2^53. Arrays are read for the sake
// of what is written by hand.
func (b *Bitmap) UnmarshalJSON(data []byte) error {
	data = trimJSON(data)
	switch n := len(data); {
	case string(data) == "null":
		return nil
	case n >= 2 && data[0] == '"' && data[n-1] == '"':
		return b.UnmarshalText(data[1 : n-1])
	case n >= 2 && data[0] == '[' && data[n-1] == ']':
		values, err := parseArray(data)
		if err != nil {
			return err
		}
		(*mutable.Bitmap)(b).Become((*mutable.Bitmap)(FromSorted(values)))
		return nil
	}
	return &FormatError{Err: ErrNotBitmap, What: "JSON value; bytes", Got: uint64(len(data)),
		Want: "a string, an array of numbers or null"}
}

// parseArray reads the numbers of a JSON array.
func parseArray(data []byte) (values []uint64, err error) {
	at := skipSpace(data, 1)
	if data[at] == ']' && at == len(data)-1 {
		return nil, nil
	}
	for {
		x, next, ok := parseNumber(data, at)
		if !ok {
			return nil, badJSON("character of a number", data, next, "a whole number from 0 to 2^64-1")
		}
		values = append(values, x)
		at = skipSpace(data, next)
		switch c := data[at]; {
		case c == ']' && at == len(data)-1:
			return values, nil
		case c != ',':
			return nil, badJSON("character after a number", data, at, "a comma or the end of the array")
		}
		at = skipSpace(data, at+1)
	}
}

// parseNumber reads the digits of a number. It returns the place of the character after them, or of
// the one that does not belong there. The last character of data is no digit.
func parseNumber(data []byte, at int) (x uint64, next int, ok bool) {
	next = at
	for ; '0' <= data[next] && data[next] <= '9'; next++ {
		d := uint64(data[next] - '0')
		if x > (1<<64-1-d)/10 || next > at && x == 0 {
			return 0, next, false
		}
		x = 10*x + d
	}
	return x, next, next > at
}

// skipSpace returns the place of the first character from at on that is no white space. The last
// character is none.
func skipSpace(data []byte, at int) int {
	for at < len(data)-1 && isSpace(data[at]) {
		at++
	}
	return min(at, len(data)-1)
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// trimJSON returns data without the white space around it.
func trimJSON(data []byte) []byte {
	for len(data) > 0 && isSpace(data[0]) {
		data = data[1:]
	}
	for len(data) > 0 && isSpace(data[len(data)-1]) {
		data = data[:len(data)-1]
	}
	return data
}

func badJSON(what string, data []byte, at int, want string) error {
	return &FormatError{Err: ErrCorrupt, What: fmt.Sprintf("%s %q", what, data[at]), Got: uint64(data[at]),
		Want:   want,
		Offset: uint64(at)}
}
