// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"math/bits"
)

// A small column stores the rows of a record as a bit stream, lowest bit of a byte first. It holds
// the number of rows less 1, then each row less the one before, less 1. The first is the row
// itself. Numbers have exponential Golomb codes (Teuhola, A compression method for clustered
// bit-vectors, 1978). The parameter follows the gaps: frequent rows stand close together and take
// fewer bits than rare ones.
const (
	codeOfCount = 4 // parameter of the number of rows
	codeOfFirst = 4 // what the first gap is expected to be
	// zero bytes behind the streams of a page, so that 8 bytes can be loaded from every byte of a
	// stream
	codePadding = 8
)

// gapModel expects gaps like those before.
type gapModel uint64

// parameter returns the parameter that the next gap is coded with.
func (m gapModel) parameter() int { return max(0, bits.Len64(uint64(m))-2) }

// after returns the model after a gap.
func (m gapModel) after(gap uint64) gapModel { return m/2 + gapModel(gap/2) + 1 }

// bitWriter appends bits to bytes.
type bitWriter struct {
	dst  []byte
	acc  uint64 // bits that wait, at the low end
	held int    // how many, below 8
}

// put appends the n low bits of x, n at most 56.
func (w *bitWriter) put(x uint64, n int) {
	w.acc |= x << w.held
	for w.held += n; w.held >= 8; w.held -= 8 {
		w.dst = append(w.dst, byte(w.acc))
		w.acc >>= 8
	}
}

// long appends the n low bits of x, n at most 64.
func (w *bitWriter) long(x uint64, n int) {
	if n > 32 {
		w.put(x&(1<<32-1), 32)
		x, n = x>>32, n-32
	}
	w.put(x&(1<<n-1), n)
}

// number appends a number below 2^63. It writes a zero for each bit of the high part plus 1 below
// the highest, then a one, then these bits, then k low bits.
func (w *bitWriter) number(x uint64, k int) {
	high := x>>k + 1
	below := bits.Len64(high) - 1
	w.long(0, below)
	w.put(1, 1)
	w.long(high&^(1<<below), below)
	w.long(x&(1<<k-1), k)
}

// finish fills the last byte up with zeros.
func (w *bitWriter) finish() []byte {
	if w.held > 0 {
		w.dst = append(w.dst, byte(w.acc))
		w.acc, w.held = 0, 0
	}
	return w.dst
}

// appendGaps appends the stream of ascending rows. There must be at least one.
func appendGaps(dst []byte, rows []uint64) []byte {
	w := bitWriter{dst: dst}
	w.number(uint64(len(rows)-1), codeOfCount)
	model, next := gapModel(codeOfFirst), uint64(0)
	for _, row := range rows {
		gap := row - next
		w.number(gap, model.parameter())
		model, next = model.after(gap), row+1
	}
	return w.finish()
}

// GapBytes returns how many bytes appendGaps appends.
func GapBytes(rows []uint64) int {
	n := numberBits(uint64(len(rows)-1), codeOfCount)
	model, next := gapModel(codeOfFirst), uint64(0)
	for _, row := range rows {
		gap := row - next
		n += numberBits(gap, model.parameter())
		model, next = model.after(gap), row+1
	}
	return (n + 7) / 8
}

// numberBits returns how many bits bitWriter.number writes.
func numberBits(x uint64, k int) int { return 2*bits.Len64(x>>k+1) - 1 + k }

// bitReader reads bits of a page, which has codePadding bytes behind its streams.
type bitReader struct {
	Data []byte
	At   int // bit
	End  int // bit behind the stream
}

// bits returns the next n bits, n at most 56. Behind the end there are zeros.
func (r *bitReader) bits(n int) uint64 {
	if r.At >= r.End {
		r.At += n
		return 0
	}
	x := binary.LittleEndian.Uint64(r.Data[r.At>>3:]) >> (r.At & 7) & (1<<n - 1)
	r.At += n
	return x
}

// long returns the next n bits, n at most 63.
func (r *bitReader) long(n int) uint64 {
	if n <= 56 {
		return r.bits(n)
	}
	low := r.bits(32)
	return low | r.bits(n-32)<<32
}

// number returns the next number; not ok when there is none.
func (r *bitReader) number(k int) (x uint64, ok bool) {
	if r.At >= r.End {
		return 0, false
	}
	word := binary.LittleEndian.Uint64(r.Data[r.At>>3:]) >> (r.At & 7)
	below := bits.TrailingZeros64(word)
	if n := 2*below + 1 + k; n <= 56 {
		r.At += n
		word >>= below + 1
		high := word&(1<<below-1) | 1<<below
		return (high-1)<<k | word>>below&(1<<k-1), r.At <= r.End
	}
	return r.rare(k)
}

// rare is number for one of more than 56 bits.
func (r *bitReader) rare(k int) (x uint64, ok bool) {
	below := 0
	for r.bits(1) == 0 {
		if below++; below > 63 || r.At >= r.End {
			return 0, false
		}
	}
	if below+k > 63 {
		return 0, false
	}
	high := r.long(below) | 1<<below
	x = (high-1)<<k | r.long(k)
	return x, r.At <= r.End
}
