// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
)

// Short sets are asked without a directory, a cursor or memory for blocks: what is decided for
// larger ones takes longer than the answer. Two forms are short, and each is told by a compare or
// two: a list in a word, and a directory of one array.

// wordList is a list whose packed block has at most eight bytes, so that one word holds it.
type wordList struct {
	word uint64 // the block
	Ones uint64 // its upper part: a one for each value that is left
	low  uint   // width of a lower part
	at   uint   // bit of the next lower part
	i    int    // values read
}

// IsWordList reports whether v is a wordList.
func IsWordList(v *View) bool {
	return v.Form() == FormList && len(v.bytes) <= HeaderList+8 && v.Ow() == HeaderList && !v.IsFixed()
}

// WordList returns v, for which IsWordList holds, as a wordList.
func WordList(v *View) (l wordList) {
	body := v.bytes
	size := len(body) - HeaderList
	switch {
	case len(body) >= 8:
		l.word = binary.LittleEndian.Uint64(body[len(body)-8:]) >> ((64 - 8*uint(size)) & 63)
	case len(body) >= 4:
		front, back := binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[len(body)-4:])
		l.word = (uint64(front) | uint64(back)<<(8*uint(len(body)-4)&63)) >> (8 * HeaderList)
	case size > 0:
		l.word = uint64(body[HeaderList])
	}
	l.low = uint(v.Kw())
	n := uint(v.ListLen())
	l.at = 8*uint(size) - n*l.low
	l.Ones = l.word & (1<<(l.at&127) - 1)
	return l
}

// next returns the next value; ok is false at the end.
func (l *wordList) next() (x uint64, ok bool) {
	if l.Ones == 0 {
		return 0, false
	}
	high := bits.TrailingZeros64(l.Ones) - l.i
	x = uint64(high)<<(l.low&63) | l.word>>(l.at&63)&(1<<(l.low&63)-1)
	l.Ones &= l.Ones - 1
	l.at += l.low
	l.i++
	return x, true
}

// has reports whether x is a value.
func (l *wordList) has(x uint64) bool {
	for y, ok := l.next(); ok && y <= x; y, ok = l.next() {
		if y == x {
			return true
		}
	}
	return false
}

// rank returns the number of values ≤ x.
func (l *wordList) rank(x uint64) (n uint64) {
	for y, ok := l.next(); ok && y <= x; y, ok = l.next() {
		n++
	}
	return n
}

// OneArray returns the key and the values of a compact directory of one array. Of anything else,
// lows is nil.
func OneArray(v *View) (key uint64, lows []byte) {
	if v.code>>NumberShift != 1 || v.Form() != FormCompact {
		return 0, nil
	}
	kw, ow := int(v.Kw()), int(v.Ow())
	card := 2 + 2*kw
	ends := card + 2
	lows = v.bytes[ends+ow:]
	n := int(binary.LittleEndian.Uint16(v.bytes[card:])) + 1
	if v.bytes[ends]&3 != container.Array || len(lows) != 2*n || len(lows) > container.MaxPayload {
		return 0, nil
	}
	return LoadUint(v.bytes, 2+kw, uint8(kw)), lows
}

// Fewest is the number of values of a list that is written out, to be compared value by value.
const Fewest = 8

// IsFewest reports whether v is a list of at most fewest values that is written out soon.
func IsFewest(v *View) bool {
	return v.Form() == FormList && v.ListLen() <= Fewest && (v.IsFixed() || IsWordList(v))
}

// FewestOf returns the values of v, for which IsFewest holds, in dst.
func FewestOf(v *View, dst *[Fewest]uint64) []uint64 {
	if v.IsFixed() {
		list, width := v.Fixed()
		return dst[:sorted.FixedValues(dst[:], list, width)]
	}
	l, n := WordList(v), 0
	for ones, at := l.Ones, l.at; ones != 0 && n < Fewest; ones &= ones - 1 {
		high := uint64(bits.TrailingZeros64(ones) - n)
		dst[n] = high<<(l.low&63) | l.word>>(at&63)&(1<<(l.low&63)-1)
		at += l.low
		n++
	}
	return dst[:n]
}
