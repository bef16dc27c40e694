// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"strconv"
)

// escapes are the characters that stand for others within "…".
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'a': '\a'}

// Words splits a line as a person types it: words between spaces, "…" with \n \r \t \b \a \xHH, and
// '…' with \' alone. Errors: *ProtocolError for quotes that do not end, or are not followed by a
// space.
func Words(line []byte) (words [][]byte, err error) {
	for i := 0; ; {
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) || line[i] == 0 {
			return words, nil
		}
		word, n, ok := word(line[i:])
		if !ok {
			return nil, &ProtocolError{"unbalanced quotes in request"}
		}
		words, i = append(words, word), i+n
	}
}

// word returns the word at the head of a line, and how many bytes it takes there.
func word(line []byte) (word []byte, n int, ok bool) {
	word = []byte{}
	for n < len(line) && !isSpace(line[n]) && line[n] != 0 {
		quote := line[n]
		if quote != '"' && quote != '\'' {
			word, n = append(word, quote), n+1
			continue
		}
		for n++; ; n++ {
			if n >= len(line) {
				return nil, 0, false
			}
			c := line[n]
			if c == quote {
				break
			}
			if c == '\\' && n+1 < len(line) {
				if x, ok := hexByte(line[n+1:]); ok && quote == '"' {
					word, n = append(word, x), n+3
					continue
				}
				if quote == '"' || line[n+1] == '\'' {
					n++
					if c = line[n]; quote == '"' && escapes[c] != 0 {
						c = escapes[c]
					}
				}
			}
			word = append(word, c)
		}
		n++
		return word, n, n == len(line) || isSpace(line[n]) // a closing quote ends its word
	}
	return word, n, true
}

// hexByte returns the byte that xHH stands for.
func hexByte(text []byte) (byte, bool) {
	if len(text) < 3 || text[0] != 'x' {
		return 0, false
	}
	x, err := strconv.ParseUint(string(text[1:3]), 16, 8)
	return byte(x), err == nil
}

func isSpace(c byte) bool { return bytes.IndexByte([]byte(" \t\r\n\v\f"), c) >= 0 }
