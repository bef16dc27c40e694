// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"bytes"
	"strings"
)

const (
	// maxChunkLine is how long the line of a chunk's size may be, with its extensions.
	maxChunkLine = 4 << 10

	// maxWaste is how many bytes of a body may be neither data nor what a chunk of some size
	// needs: without a bound, extensions would be read without end.
	maxWaste = 16 << 10

	// chunkNeeds is what a chunk may take beside its data without counting as waste.
	chunkNeeds = 16
)

// parseChunk reads the line of a chunk's size, without its end.
func parseChunk(line []byte) (size int64, err *Error) {
	digits := 0
	for digits < len(line) && classes[line[digits]]&isHex != 0 {
		digits++
	}
	if digits == 0 || digits > 15 {
		return 0, bad("a chunk begins with %q, want its size in 1 to 15 hexadecimal digits", clip(line))
	}
	for _, d := range line[:digits] {
		if isDigit(d) {
			size = size<<4 | int64(d-'0')
		} else {
			size = size<<4 | int64(d|0x20-'a'+10)
		}
	}
	if rest := line[digits:]; len(rest) > 0 && !validExtensions(rest) {
		return 0, bad("the size of a chunk is followed by %q, want the end of the line, or extensions", clip(rest))
	}
	return size, nil
}

// validExtensions reports whether a text is extensions of a chunk (RFC 9112, 7.1.1). They
// mean nothing here.
func validExtensions(text []byte) bool {
	for len(text) > 0 {
		if text[0] != ';' {
			return false
		}
		text = trimBlanks(text[1:])
		name := tokenOf(text)
		if len(name) == 0 {
			return false
		}
		text = trimBlanks(text[len(name):])
		if len(text) == 0 || text[0] != '=' {
			continue
		}
		text = trimBlanks(text[1:])
		n := len(tokenOf(text))
		if n == 0 {
			n = quotedString(text)
		}
		if n == 0 {
			return false
		}
		text = trimBlanks(text[n:])
	}
	return true
}

func trimBlanks(text []byte) []byte { return bytes.TrimLeft(text, " \t") }

// tokenOf returns the token that a text begins with.
func tokenOf(text []byte) []byte {
	n := 0
	for n < len(text) && classes[text[n]]&isToken != 0 {
		n++
	}
	return text[:n]
}

// quotedString returns the length of the quoted string that a text begins with, 0 if it
// begins with none.
func quotedString(text []byte) int {
	if len(text) == 0 || text[0] != '"' {
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return i + 1
		case classes[text[i]]&isValue == 0:
			return 0
		case text[i] == '\\':
			if i++; i < len(text) && classes[text[i]]&isValue == 0 {
				return 0
			}
		}
	}
	return 0
}

// checkTrailer checks a line of the fields after the last chunk. They are not read; one
// that would say how the request is read, or by whom it was sent, is refused.
func checkTrailer(line []byte) *Error {
	name, _, err := splitField(line)
	if err != nil {
		return err
	}
	lower := strings.ToLower(string(name))
	if fieldOf(name) != noField || notInTrailers[lower] || strings.HasPrefix(lower, "content-") ||
		strings.HasPrefix(lower, "x-forwarded") || strings.HasPrefix(lower, "proxy-") {
		return bad("the field %s stands after the body, want it before", clip(name))
	}
	return nil
}

// notInTrailers are more fields that may not follow a body (RFC 9110, 6.5.1).
var notInTrailers = map[string]bool{
	"connection": true, "cookie": true, "forwarded": true, "keep-alive": true, "location": true, "max-forwards": true,
	"range": true, "set-cookie": true, "te": true, "trailer": true, "upgrade": true, "via": true,
	"www-authenticate": true, "x-real-ip": true, "cache-control": true,
}
