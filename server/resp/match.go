// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

// match reports whether text fits a pattern: * is any bytes, ? any one, [a-z] and [^a-z] one of
// some, and \ takes the next byte as it is. Only the last star is gone back to.
func match(pattern, text []byte) bool {
	p, t := 0, 0
	star, tried := -1, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			star, tried = p, t
			p++
			continue
		}
		if n, ok := matchOne(pattern[p:], text[t]); ok {
			p, t = p+n, t+1
			continue
		}
		if star < 0 {
			return false
		}
		tried++
		p, t = star+1, tried
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne reports whether the head of a pattern fits one byte, and how long it is.
func matchOne(pattern []byte, c byte) (n int, ok bool) {
	if len(pattern) == 0 {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
	case '[':
		return matchClass(pattern, c)
	}
	return 1, pattern[0] == c
}

// matchClass is matchOne of [...]. One that does not end, ends with the pattern.
func matchClass(pattern []byte, c byte) (n int, ok bool) {
	i := 1
	not := i < len(pattern) && pattern[i] == '^'
	if not {
		i++
	}
	for i < len(pattern) && pattern[i] != ']' {
		switch {
		case pattern[i] == '\\' && i+1 < len(pattern):
			i++
			ok = ok || pattern[i] == c
		case i+2 < len(pattern) && pattern[i+1] == '-':
			from, to := min(pattern[i], pattern[i+2]), max(pattern[i], pattern[i+2])
			ok = ok || c >= from && c <= to
			i += 2
		default:
			ok = ok || pattern[i] == c
		}
		i++
	}
	return min(i+1, len(pattern)), ok != not
}
