// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
)

// spaces are between words.
const spaces = " \t\r\n\v\f"

// escapes are the characters that stand for others within "…".
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'a': '\a'}

// Words splits a line as a person types it: words between spaces, "…" with \n \r \t \b \a \xHH, and
// '…' with \' alone, up to a NUL. Errors: *ProtocolError for quotes that do not end, or are not
// followed by a space.
func Words(line []byte) (words [][]byte, err error) {
	line, _, _ = bytes.Cut(line, []byte{0})
	for line = bytes.TrimLeft(line, spaces); len(line) > 0; line = bytes.TrimLeft(line, spaces) {
		word, n, ok := word(line)
		if !ok {
			return nil, &ProtocolError{"unbalanced quotes in request"}
		}
		words, line = append(words, word), line[n:]
	}
	return words, nil
}

// word returns the word at the head of a line, and how many bytes it takes there.
func word(line []byte) (word []byte, n int, ok bool) {
	word = []byte{}
	for ; n < len(line) && !isSpace(line[n]); n++ {
		quote := line[n]
		if quote != '"' && quote != '\'' {
			word = append(word, quote)
			continue
		}
		for n++; n < len(line) && line[n] != quote; n++ {
			c := line[n]
			if c == '\\' && n+1 < len(line) {
				next := line[n+1]
				hex := line[n+2 : min(n+4, len(line))]
				x, err := strconv.ParseUint(string(hex), 16, 8)
				switch {
				case quote == '"' && next == 'x' && len(hex) == 2 && err == nil:
					c, n = byte(x), n+3
				case quote == '"':
					c, n = cmp.Or(escapes[next], next), n+1
				case next == quote:
					c, n = next, n+1
				}
			}
			word = append(word, c)
		}
		n++ // a closing quote ends its word
		return word, n, n == len(line) || n < len(line) && isSpace(line[n])
	}
	return word, n, true
}

func isSpace(c byte) bool { return strings.IndexByte(spaces, c) >= 0 }
