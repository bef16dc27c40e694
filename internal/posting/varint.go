// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "encoding/binary"

// reader reads varints and byte strings from a buffer. After the first that does not fit, every
// read returns zero values and ok is false.
type reader struct {
	b  []byte
	ok bool
}

func newReader(b []byte) *reader { return &reader{b: b, ok: true} }

// varint reads one varint in its shortest form.
func (r *reader) varint() uint64 {
	x, n := binary.Uvarint(r.b)
	if !r.ok || n <= 0 || n > 1 && r.b[n-1] == 0 {
		r.ok = false
		return 0
	}
	r.b = r.b[n:]
	return x
}

// varint32 reads a varint that fits 32 bits.
func (r *reader) varint32() uint32 {
	x := r.varint()
	if x > 1<<32-1 {
		r.ok = false
		return 0
	}
	return uint32(x)
}

// bytes reads a length and that many bytes, borrowed.
func (r *reader) bytes() []byte {
	n := r.varint()
	if !r.ok || n > uint64(len(r.b)) {
		r.ok = false
		return nil
	}
	s := r.b[:n:n]
	r.b = r.b[n:]
	return s
}

// count reads the number of things that follow, each of which takes at least one byte: a number
// that does not fit is refused before anything is allocated for it.
func (r *reader) count() int {
	n := r.varint()
	if n > uint64(len(r.b)) {
		r.ok = false
		return 0
	}
	return int(n)
}
