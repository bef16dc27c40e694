// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import "encoding/binary"

// Reader reads varints and byte strings from a buffer. After the first that does not fit, every
// read returns zero values and ok is false.
type Reader struct {
	B  []byte
	Ok bool
}

func newReader(b []byte) *Reader { return &Reader{B: b, Ok: true} }

// Varint reads one varint in its shortest form.
func (r *Reader) Varint() uint64 {
	x, n := binary.Uvarint(r.B)
	if !r.Ok || n <= 0 || n > 1 && r.B[n-1] == 0 {
		r.Ok = false
		return 0
	}
	r.B = r.B[n:]
	return x
}

// Varint32 reads a varint that fits 32 bits.
func (r *Reader) Varint32() uint32 {
	x := r.Varint()
	if x > 1<<32-1 {
		r.Ok = false
		return 0
	}
	return uint32(x)
}

// Bytes reads a length and that many bytes, borrowed.
func (r *Reader) Bytes() []byte {
	n := r.Varint()
	if !r.Ok || n > uint64(len(r.B)) {
		r.Ok = false
		return nil
	}
	s := r.B[:n:n]
	r.B = r.B[n:]
	return s
}

// Count reads the number of items that follow. Each takes at least one byte, so it refuses a number
// that cannot fit before anything is allocated.
func (r *Reader) Count() int {
	n := r.Varint()
	if n > uint64(len(r.B)) {
		r.Ok = false
		return 0
	}
	return int(n)
}
