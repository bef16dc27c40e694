// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"bytes"
	"strings"
)

// Classes of bytes.
const (
	isToken  uint8 = 1 << iota // RFC 9110, token
	isValue                    // of a field's value: no control character but the tab
	isTarget                   // of a request's target: printable ASCII without the blank
	isHost                     // of a name or an address of IPv4
	isHex
)

var classes = func() (of [256]uint8) {
	for b := range 256 {
		c := byte(b)
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		digit := c >= '0' && c <= '9'
		if letter || digit || c < 0x7f && strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0 {
			of[b] |= isToken
		}
		if c >= ' ' && c != 0x7f || c == '\t' {
			of[b] |= isValue
		}
		if c > ' ' && c < 0x7f && c != '#' {
			of[b] |= isTarget
		}
		if letter || digit || c == '.' || c == '-' || c == '_' {
			of[b] |= isHost
		}
		if digit || c|0x20 >= 'a' && c|0x20 <= 'f' {
			of[b] |= isHex
		}
	}
	return of
}()

// all reports whether every byte is of a class.
func all[T string | []byte](text T, class uint8) bool {
	for i := range len(text) {
		if classes[text[i]]&class == 0 {
			return false
		}
	}
	return true
}

// A field may stand in a head once. It says how a request is read, or a second one would lead to
// another answer of this server.
type field uint8

const (
	noField field = iota
	host
	contentLength
	transferEncoding
	expect
	contentType
	contentEncoding
	authorization
	origin
)

// Single are the fields that a request may have once, in canonical form.
var Single = []string{
	host: "Host", contentLength: "Content-Length", transferEncoding: "Transfer-Encoding", expect: "Expect",
	contentType: "Content-Type", contentEncoding: "Content-Encoding", authorization: "Authorization", origin: "Origin",
}[1:]

// fieldOf returns which of the single fields a name is.
func fieldOf(name []byte) field {
	f := noField
	switch len(name) {
	case 4:
		f = host
	case 6:
		f = expect
		if name[0]|0x20 == 'o' {
			f = origin
		}
	case 12:
		f = contentType
	case 13:
		f = authorization
	case 14:
		f = contentLength
	case 16:
		f = contentEncoding
	case 17:
		f = transferEncoding
	}
	if f != noField && strings.EqualFold(Single[f-1], string(name)) {
		return f
	}
	return noField
}

// chunked is the length of a body that comes in chunks.
const chunked = -1

// head is what the head of a request says about what follows it.
type head struct {
	length int64  // of the body, or chunked
	old    bool   // HTTP/1.0
	seen   uint16 // single fields, by bit
}

// requestLine reads the first line.
func (h *head) requestLine(line []byte) *Error {
	method, rest, _ := bytes.Cut(line, []byte{' '})
	if len(method) == 0 || !all(method, isToken) {
		return bad("the request line begins with %q, want a method", clip(method))
	}
	target, version, ok := bytes.Cut(rest, []byte{' '})
	switch {
	case !ok:
		return bad("the request line has no version, want METHOD TARGET HTTP/1.1")
	case len(version) != len("HTTP/1.1") || string(version[:5]) != "HTTP/" || version[6] != '.' ||
		!isDigit(version[5]) || !isDigit(version[7]):
		return bad("the request line ends with %q, want METHOD TARGET HTTP/1.1, with one space between each",
			clip(version))
	case string(version) != "HTTP/1.1" && string(version) != "HTTP/1.0":
		return refuse(505, "got version %s, want HTTP/1.1 or HTTP/1.0", version)
	}
	h.old = version[7] == '0'
	return CheckTarget(string(method), string(target))
}

// field reads one more line.
func (h *head) field(line []byte) *Error {
	name, value, err := splitField(line)
	if err != nil {
		return err
	}
	f := fieldOf(name)
	if f == noField {
		return nil
	}
	if h.seen&(1<<f) != 0 {
		return Repeated(Single[f-1])
	}
	h.seen |= 1 << f
	switch f {
	case host:
		if refused := CheckHost(string(value)); refused != nil {
			return refused
		}
	case contentLength:
		if h.length, err = parseLength(value); err != nil {
			return err
		}
	case transferEncoding:
		return h.checkEncoding(value)
	case expect:
		if !h.old { // HTTP/1.0 does not know it
			return CheckExpect(string(value))
		}
	}
	return nil
}

// Repeated is the error of a request with two fields of a name of [Single].
func Repeated(name string) *Error { return bad("there are two fields %s, want one", name) }

// CheckExpect refuses the value of a field Expect that nobody can meet.
func CheckExpect(value string) *Error {
	if !strings.EqualFold(value, "100-continue") {
		return refuse(417, "Expect is %q, want 100-continue", clip(value))
	}
	return nil
}

// end checks what only the whole head shows.
func (h *head) end() *Error {
	has := func(f field) bool { return h.seen&(1<<f) != 0 }
	switch {
	case !h.old && !has(host):
		return bad("there is no field Host")
	case has(transferEncoding) && has(contentLength):
		return bad("there are both Transfer-Encoding and Content-Length, want one of them")
	case has(transferEncoding):
		h.length = chunked
	}
	return nil
}

// checkEncoding checks the value of Transfer-Encoding.
func (h *head) checkEncoding(value []byte) *Error {
	codings := strings.Split(strings.ToLower(string(value)), ",")
	for i, coding := range codings {
		codings[i] = strings.Trim(coding, " \t")
	}
	last := len(codings) - 1
	chunks := 0
	for _, coding := range codings {
		if coding == "chunked" {
			chunks++
		}
	}
	switch {
	case h.old:
		return bad("Transfer-Encoding in a request of HTTP/1.0")
	case codings[last] != "chunked" || chunks > 1:
		return bad("Transfer-Encoding is %q, want chunked, once and last: the end of the body is not known",
			clip(value))
	case last > 0:
		return refuse(501, "Transfer-Encoding is %q, want chunked alone", clip(value))
	}
	return nil
}

// splitField checks a line of a head or a trailer, and returns its name and its value.
func splitField(line []byte) (name, value []byte, err *Error) {
	if line[0] == ' ' || line[0] == '\t' {
		return nil, nil, bad("a line begins with a blank: folded lines are not read")
	}
	name, value, ok := bytes.Cut(line, []byte{':'})
	switch {
	case !ok:
		return nil, nil, bad("the line %q has no colon, want NAME: VALUE", clip(line))
	case len(name) == 0 || !all(name, isToken):
		return nil, nil, bad("the name of a field is %q, want letters, digits and hyphens, and the colon right behind",
			clip(name))
	}
	value = bytes.Trim(value, " \t")
	if !all(value, isValue) {
		return nil, nil, bad("the value of %s has a control character", clip(name))
	}
	return name, value, nil
}

// parseLength reads a length: digits, and not too many.
func parseLength(digits []byte) (int64, *Error) {
	if len(digits) == 0 || len(digits) > 18 {
		return 0, bad("Content-Length is %q, want 1 to 18 digits", clip(digits))
	}
	var n int64
	for _, d := range digits {
		if !isDigit(d) {
			return 0, bad("Content-Length is %q, want digits alone", clip(digits))
		}
		n = n*10 + int64(d-'0')
	}
	return n, nil
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
