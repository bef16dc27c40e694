// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"iter"
	"strings"
)

// plainRequest is a request of the most frequent form: a GET or POST of HTTP/1.1 that has come whole, with a body of a length that it says if it is a POST, whose headers say nothing of the connection but that it stays or
// ends. What is of any other form, and what may be no request at all, is for fasthttp to read.
type plainRequest struct {
	method string // GET or POST
	target []byte // what follows it
	lines  []byte // of the headers, each with its end
	body   []byte
	last   bool // Connection: close
}

// The bytes of RFC 9110, 5.6.2 and 5.5, without those beyond ASCII.
const (
	isToken  = 1 << iota // of the name of a header
	isValue              // of its value
	isTarget             // of a target
	isHost               // of the name of a host, as most are
)

var kinds = func() (of [256]uint8) {
	for b := ' '; b <= '~'; b++ {
		of[b] = isValue
		if b > ' ' {
			of[b] |= isTarget
		}
		alphanumeric := b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
		if alphanumeric || strings.ContainsRune("!#$%&'*+-.^_`|~", b) {
			of[b] |= isToken
		}
		if alphanumeric || b == '.' || b == '-' {
			of[b] |= isHost
		}
	}
	of['\t'] = isValue
	return of
}()

// areAll reports whether all bytes are of a kind.
func areAll(text []byte, kind uint8) bool {
	for _, b := range text {
		if kinds[b]&kind == 0 {
			return false
		}
	}
	return true
}

// parsePlain reads the first request of said, and returns how many bytes it had: none if it is not plain.
func parsePlain(said []byte) (r plainRequest, used int) {
	const version = " HTTP/1.1"
	first, headers, ok := cutLine(said)
	if !ok {
		return r, 0
	}
	method, first, _ := bytes.Cut(first, []byte{' '})
	switch string(method) {
	case "GET":
		r.method = "GET"
	case "POST":
		r.method = "POST"
	default:
		return r, 0
	}
	if r.target, ok = bytes.CutSuffix(first, []byte(version)); !ok || len(r.target) == 0 || r.target[0] != '/' || !areAll(r.target, isTarget) {
		return r, 0
	}
	lines, length, ok := r.parseLines(headers)
	r.lines = lines
	rest := headers[len(lines):]
	if !ok || (length >= 0) != (r.method == "POST") || len(rest)-len("\r\n") < length {
		return r, 0
	}
	rest = rest[len("\r\n"):]
	r.body = rest[:max(length, 0)]
	return r, len(said) - len(rest) + len(r.body)
}

// parseLines reads headers up to the empty line that ends them, and returns those before it, and the length of the body, -1 if they say none. ok is false if they are not plain.
func (r *plainRequest) parseLines(headers []byte) (lines []byte, length int, ok bool) {
	var seen [meansLength + 1]bool
	length = -1
	for rest := headers; ; {
		line, after, ok := cutLine(rest)
		if !ok {
			return nil, 0, false
		}
		if len(line) == 0 {
			return headers[:len(headers)-len(rest)], length, seen[meansHost]
		}
		name, value, ok := bytes.Cut(line, []byte{':'})
		if !ok || len(name) == 0 || !areAll(name, isToken) || !areAll(value, isValue) {
			return nil, 0, false
		}
		what := meaning(name)
		value = bytes.Trim(value, " \t")
		switch {
		case what == meansNothing:
		case what == meansMore || seen[what]:
			return nil, 0, false
		case what == meansHost:
			if !isPlainHost(value) {
				return nil, 0, false
			}
		case what == meansEnd:
			switch string(value) {
			case "close":
				r.last = true
			case "keep-alive", "Keep-Alive":
			default:
				return nil, 0, false
			}
		case what == meansLength:
			if length = parseLength(value); length < 0 {
				return nil, 0, false
			}
		}
		seen[what] = true
		rest = after
	}
}

// isPlainHost reports whether a host is a name or an address of IPv4, with a port or without.
func isPlainHost(host []byte) bool {
	name, port, has := bytes.Cut(host, []byte{':'})
	return len(name) > 0 && areAll(name, isHost) && (!has || parseLength(port) >= 0)
}

// parseLength reads a length of a few digits, -1 if it is another one.
func parseLength(digits []byte) int {
	if len(digits) == 0 || len(digits) > 6 {
		return -1
	}
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' {
			return -1
		}
		n = n*10 + int(d-'0')
	}
	return n
}

// cutLine cuts off the first line, which ends with CR and LF.
func cutLine(text []byte) (line, rest []byte, ok bool) {
	n := bytes.IndexByte(text, '\n')
	if n < 1 || text[n-1] != '\r' {
		return nil, nil, false
	}
	return text[:n-1], text[n+1:], true
}

// What a header means to who reads requests.
const (
	meansNothing = iota
	meansMore    // that there is more to the request than its head and a body of some length
	meansHost
	meansEnd // whether the connection ends
	meansLength
)

// meaning returns what a header means. Most are told by their length and first letter.
func meaning(name []byte) int {
	switch len(name) | int(name[0]|0x20)<<8 {
	case len("Host") | 'h'<<8:
		return ifHeader(name, "Host", meansHost)
	case len("Connection") | 'c'<<8:
		return ifHeader(name, "Connection", meansEnd)
	case len("Content-Length") | 'c'<<8:
		return ifHeader(name, "Content-Length", meansLength)
	case len("Expect") | 'e'<<8:
		return ifHeader(name, "Expect", meansMore)
	case len("Transfer-Encoding") | 't'<<8:
		return ifHeader(name, "Transfer-Encoding", meansMore)
	case len("Trailer") | 't'<<8:
		return ifHeader(name, "Trailer", meansMore)
	case len("TE") | 't'<<8:
		return ifHeader(name, "TE", meansMore)
	case len("Upgrade") | 'u'<<8:
		return ifHeader(name, "Upgrade", meansMore)
	}
	return meansNothing
}

func ifHeader(name []byte, want string, means int) int {
	if isHeader(name, want) {
		return means
	}
	return meansNothing
}

func isHeader(name []byte, want string) bool {
	return len(name) == len(want) && strings.EqualFold(string(name), want)
}

// header returns the value of the first header of a name, "" if there is none.
func (r *plainRequest) header(want string) string { return string(r.peek(want)) }

func (r *plainRequest) peek(want string) []byte {
	for lines := r.lines; len(lines) > 0; {
		line, rest, _ := cutLine(lines)
		if name, value, _ := bytes.Cut(line, []byte{':'}); isHeader(name, want) {
			return bytes.Trim(value, " \t")
		}
		lines = rest
	}
	return nil
}

func (r *plainRequest) fields() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for lines := r.lines; len(lines) > 0; {
			line, rest, _ := cutLine(lines)
			name, value, _ := bytes.Cut(line, []byte{':'})
			if !yield(string(name), string(bytes.Trim(value, " \t"))) {
				return
			}
			lines = rest
		}
	}
}
