// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Offsets are ascending lists of values below 2^32, of 32 bits each. Two of them are compared as
// lists of values are (valuesand.go), with twice as many in a vector. The longer one should be the
// first.

// OffsetsAndLen counts the offsets that two lists have in common. i and j are how many of each need
// not be looked at again if there is more of the other: all of one of them.
func OffsetsAndLen(a, b []uint32) (n, i, j int) {
	for i < len(a) && j < len(b) {
		k, p, q := offsetsAndLen(a[i:min(len(a), i+maxMeeting)], b[j:min(len(b), j+maxMeeting)])
		n, i, j = n+k, i+p, j+q
	}
	return n, i, j
}

// OffsetsAnd is OffsetsAndLen, and writes the common offsets to dst. dst must have room for the
// shorter list and not overlap either.
func OffsetsAnd(dst, a, b []uint32) (n, i, j int) {
	for i < len(a) && j < len(b) {
		k, p, q := offsetsAnd(dst[n:], a[i:min(len(a), i+maxMeeting)], b[j:min(len(b), j+maxMeeting)])
		n, i, j = n+k, i+p, j+q
	}
	return n, i, j
}

// ArrayOffsets writes base plus each value of lows, as many as dst has room for, and returns their
// number.
func ArrayOffsets(dst []uint32, lows []byte, base uint32) (n int) {
	n = min(len(dst), len(lows)/2)
	arrayOffsets(dst[:n], lows, base)
	return n
}

func arrayOffsetsGeneric(dst []uint32, lows []byte, base uint32) {
	for i := range min(len(dst), len(lows)/2) {
		dst[i] = base + uint32(swar.Uint16(lows, 2*i))
	}
}

// OffsetsLows writes the low 16 bits of offsets, as many as dst has room for.
func OffsetsLows(dst []byte, offsets []uint32) {
	for ; len(offsets) >= 4 && len(dst) >= 8; dst, offsets = dst[8:], offsets[4:] {
		binary.LittleEndian.PutUint64(dst,
			uint64(uint16(offsets[0]))|uint64(uint16(offsets[1]))<<16|uint64(uint16(offsets[2]))<<32|uint64(
				offsets[3])<<48)
	}
	for i, x := range offsets[:min(len(offsets), len(dst)/2)] {
		swar.PutUint16(dst, 2*i, uint16(x))
	}
}

// offsetsAndLenGeneric advances without branches that depend on the values.
func offsetsAndLenGeneric(a, b []uint32) (n, i, j int) {
	for i < len(a) && j < len(b) {
		inA, inB := swar.AtMost(uint64(a[i]), uint64(b[j])), swar.AtMost(uint64(b[j]), uint64(a[i]))
		n += inA & inB
		i += inA
		j += inB
	}
	return n, i, j
}

func offsetsAndGeneric(dst, a, b []uint32) (n, i, j int) {
	for i < len(a) && j < len(b) {
		x, y := uint64(a[i]), uint64(b[j])
		inA, inB := swar.AtMost(x, y), swar.AtMost(y, x)
		if n < len(dst) {
			dst[n] = a[i]
			n += inA & inB
		}
		i += inA
		j += inB
	}
	return n, i, j
}

// KeepOffsets moves the offsets that, less base, are ones of bits to the front, and returns their
// number. The bits of the bytes count in their order. The rest of offsets is changed. The bytes are
// a multiple of eight, at most 2^28.
func KeepOffsets(offsets []uint32, bits []byte, base uint32) (n int) {
	return keepOffsets(offsets, bits[:min(len(bits), 1<<28)&^7], base)
}

func keepOffsetsGeneric(offsets []uint32, bits []byte, base uint32) (n int) {
	if len(bits) == 0 {
		return 0
	}
	last := uint64(len(bits))*8 - 1
	for _, x := range offsets {
		d := uint64(x - base)
		at := min(d, last)
		offsets[n] = x
		n += swar.AtMost(d, last) & int(bits[at>>3]>>(at&7)) // which cannot be guessed
	}
	return n
}

// FastOffsets reports whether decoding and comparing offsets is done by vectors: else there is no
// gain in them.
func FastOffsets() bool { return cpu.Active != cpu.Generic }
