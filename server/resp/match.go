// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import "github.com/uproar-db/uproar/server/resp/names"

// pattern is what texts are matched with: * is any bytes, ? any one, [a-z] and [^a-z] one of some,
// and \ takes the next byte as it is.
type pattern struct {
	parts   []uint32   // a byte, anyByte, anyBytes, or firstClass and the number of a class
	classes []class256 // sets of bytes
	least   int        // bytes of a text
	steps   int        // since look was asked
	look    func() error
}

// class256 is a set of bytes.
type class256 [4]uint64

func (s *class256) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

// The parts of a pattern that are no bytes.
const (
	anyByte = 1<<8 + iota
	anyBytes
	firstClass
)

// stepsPerLook is how many steps a match takes between two looks at whether it is still wanted,
// some milliseconds.
const stepsPerLook = 1 << 20

// compile reads a pattern. look ends a long match by an error; nil: nothing does.
func compile(text []byte, look func() error) *pattern {
	p := &pattern{look: look}
	for len(text) > 0 && p.least <= names.MaxMember { // with more, it is of no text
		n, part := 1, uint32(text[0])
		switch {
		case text[0] == '*':
			if part = anyBytes; len(p.parts) > 0 && p.parts[len(p.parts)-1] == anyBytes {
				text = text[1:]
				continue
			}
			p.least--
		case text[0] == '?':
			part = anyByte
		case text[0] == '\\' && len(text) > 1:
			n, part = 2, uint32(text[1])
		case text[0] == '[':
			part = firstClass + uint32(len(p.classes))
			var of class256
			of, n = readClass(text)
			p.classes = append(p.classes, of)
		}
		p.parts, p.least, text = append(p.parts, part), p.least+1, text[n:]
	}
	return p
}

// readClass reads [...], and returns how long it is. One that does not end, ends with the pattern.
func readClass(text []byte) (of class256, n int) {
	i := 1
	not := i < len(text) && text[i] == '^'
	if not {
		i++
	}
	for ; i < len(text) && text[i] != ']'; i++ {
		from, to := text[i], text[i]
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			from, to = text[i], text[i]
		case i+2 < len(text) && text[i+1] == '-':
			from, to = min(text[i], text[i+2]), max(text[i], text[i+2])
			i += 2
		}
		for c := int(from); c <= int(to); c++ {
			of[c>>6] |= 1 << (c & 63)
		}
	}
	if not {
		for k := range of {
			of[k] = ^of[k]
		}
	}
	return of, min(i+1, len(text))
}

// fits reports whether a part that is not anyBytes fits a byte.
func (p *pattern) fits(part uint32, c byte) bool {
	return part == uint32(c) || part == anyByte || part >= firstClass && p.classes[part-firstClass].has(c)
}

// match reports whether a text fits. Only the last * is gone back to. Errors: look's.
func (p *pattern) match(text []byte) (bool, error) {
	at, t := 0, 0
	star, tried := -1, 0
	p.steps++
	for t < len(text) && len(text) >= p.least {
		if p.steps++; p.steps >= stepsPerLook {
			p.steps = 0
			if p.look != nil {
				if err := p.look(); err != nil {
					return false, err
				}
			}
		}
		switch {
		case at < len(p.parts) && p.parts[at] == anyBytes:
			star, tried = at, t
			at++
		case at < len(p.parts) && p.fits(p.parts[at], text[t]):
			at, t = at+1, t+1
		case star < 0:
			return false, nil
		default:
			tried++
			at, t = star+1, tried
		}
	}
	for at < len(p.parts) && p.parts[at] == anyBytes {
		at++
	}
	return at == len(p.parts) && len(text) >= p.least, nil
}

// match reports whether a short text fits a pattern.
func match(text, name []byte) bool {
	fits, _ := compile(text, nil).match(name)
	return fits
}
