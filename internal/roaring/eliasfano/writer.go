// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// Size returns the size in bytes and the low width of the smallest packed block of n values. last
// is the last value, and low is at most maxLow. Of two widths with the same size it takes the
// larger, which leaves fewer upper bits to scan.
//
// Sums are saturated: blocks too large to exist have a size beyond any limit.
func Size(n int, last uint64, maxLow uint) (size int, low uint) {
	if n <= 0 {
		return 0, 0
	}
	// n·l + last>>l has its minimum where last>>l is about n: a step to l+1 adds n bits and saves
	// half of last>>l.
	guess := max(bits.Len64(last/uint64(n)), 1) - 1
	from, to := min(uint(max(guess-1, 0)), maxLow), min(uint(guess+1), maxLow, 63)
	for l := from; l <= to; l++ {
		if s := Bytes(n, last, l); l == from || s <= size {
			size, low = s, l
		}
	}
	return size, low
}

// LowWidth returns the low width that gives the upper part n − 1 to 2·n − 1 zeros. It is
// ⌊log2(last/n)⌋, at least 0. No other width makes a block of fewer bits. n must be at least 1, and
// last at least n − 1.
func LowWidth(n int, last uint64) uint {
	return uint(max(bits.Len64(last/uint64(n)), 1) - 1)
}

// tooManyBytes is the size of blocks too large to exist: twice as many are an int everywhere.
const tooManyBytes = 1 << 30

// Bytes returns the size of a packed block of n values with a given low width. last is the last
// value. It saturates as Size does.
func Bytes(n int, last uint64, low uint) int {
	upper := min(last>>low, 1<<40)
	return int(min((uint64(n)*uint64(low+1)+upper+7)/8, tooManyBytes))
}

// Writer writes a packed block, value by value. It borrows the block until Close. It writes
// within the block whatever the values are.
type Writer struct {
	block []byte
	acc   uint64 // lower bits not yet written
	fill  uint   // how many
	at    int    // byte at which they will stand
	i, n  int    // values so far, and in all
	low   uint
}

// Reset makes w a writer of n values into block, which must have the size of the block: Size.
// It clears it.
func (w *Writer) Reset(block []byte, n int, low uint) {
	clear(block)
	off := max(8*len(block)-n*int(low), 0)
	w.block, w.acc, w.fill, w.at, w.i, w.n, w.low = block, 0, uint(off&7), off>>3, 0, n, low
}

// Put writes the next value, which must be larger than the one before. A value that has no place,
// because it is one too many or larger than the size of the block allows, is dropped.
func (w *Writer) Put(d uint64) {
	up := d>>w.low + uint64(w.i)
	if up>>3 >= uint64(len(w.block)) || w.i >= w.n {
		return
	}
	w.block[up>>3] |= 1 << (up & 7)
	w.i++
	x := d & (1<<w.low - 1)
	w.acc |= x << w.fill
	if w.fill += w.low; w.fill >= 64 && w.at+8 <= len(w.block) {
		b := w.block[w.at : w.at+8]
		// The first byte may also hold the last upper bits.
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)|w.acc)
		w.at += 8
		w.fill -= 64
		w.acc = x >> (w.low - w.fill)
	}
}

// Close writes what is left. All n values must have been put.
func (w *Writer) Close() {
	for at := w.at; at < len(w.block); at++ {
		w.block[at] |= byte(w.acc)
		w.acc >>= 8
	}
}

// PutArray writes the values of an array, each plus base.
func (w *Writer) PutArray(lows []byte, base uint64) {
	for i := 0; i+1 < len(lows); i += 2 {
		w.Put(base + uint64(swar.Uint16(lows, i)))
	}
}

// PutBitset writes the values of a bitset, each plus base.
func (w *Writer) PutBitset(words *bitset.Words, base uint64) {
	for at := 0; at < len(words); at += 8 {
		for x := swar.Load(words, at); x != 0; x &= x - 1 {
			w.Put(base + uint64(8*at+bits.TrailingZeros64(x)))
		}
	}
}

// PutRuns writes the values of runs, each plus base. Runs that overlap, which are not valid, cost
// no more than the whole chunk.
func (w *Writer) PutRuns(runs []byte, base uint64) {
	next := 0
	for i := range len(runs) / 4 {
		lo, hi := run.From(runs, i, next)
		next = max(next, hi)
		for ; lo < hi && w.i < w.n; lo++ {
			w.Put(base + uint64(lo))
		}
	}
}
