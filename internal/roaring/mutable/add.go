// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Add puts x into the set and reports whether it was not there.
//
// It changes one container: 20 to 200 ns for most kinds and sizes. The first change of a packed set
// copies it, so that containers can grow in place. It compacts the set once holes are a tenth of
// its bytes, at an amortised cost that does not depend on the size of the set. A new container,
// which a value far from all others makes, moves the directory entries behind its own, 16 bytes
// each: some 5 µs for 10 000 of them; [Bitmap.AddMany] moves them once.
func (b *Bitmap) Add(x uint64) bool {
	if !b.writable {
		if b.form() == view.FormEmpty {
			addFirst(b, x)
			return true
		}
		if b.Contains(x) {
			return false
		}
		makeWritable(b)
	}
	b.edits++
	i := find(b, x>>16)
	if i < 0 {
		return addChunk(b, i, x)
	}
	// What follows is entryAt without its checks: a body that is writable is valid.
	body, low := b.body(), uint16(x)
	e := (*[view.EntryBytes]byte)(body[b.at+uint64(i*view.EntryBytes):])
	first, second := binary.LittleEndian.Uint64(e[:]), binary.LittleEndian.Uint64(e[8:])
	off, size := second>>16, int(second&0x1FFF)+1
	switch kind := uint8(second >> 14 & 3); {
	case kind == container.Packed:
		return addPacked(b, i, e, x)
	case first>>16 != x>>16:
		return addChunk(b, i, x)
	case kind == container.Bitset:
		at := &body[off:][:container.MaxPayload][low>>3]
		bit := byte(1) << (low & 7)
		if *at&bit != 0 {
			return false
		}
		*at |= bit
		binary.LittleEndian.PutUint64(e[:], first+1)
		if uint16(first+2)%runsEvery == 0 { // the cardinality that it has now
			lookForRuns(b, i)
		}
		return true
	case kind == container.Run:
		return addRun(b, i, x)
	default:
		lows := body[off : off+uint64(size)]
		at := 2 * array.Search(lows, low)
		if at < size && binary.LittleEndian.Uint16(lows[at:]) == low {
			return false
		}
		if size >= 2*arrayToBitset {
			outgrow(b, i)
			return b.Add(x)
		}
		if uint64(size) == view.RoomFor(uint64(size)) {
			addInLarger(b, i, at, low)
			return true
		}
		lows = body[off : off+uint64(size)+2]
		b.moved += uint64(copy(lows[at+2:], lows[at:size]) + 2)
		binary.LittleEndian.PutUint16(lows[at:], low)
		binary.LittleEndian.PutUint64(e[:], first+1)
		binary.LittleEndian.PutUint64(e[8:], second+2)
		if n := size / 2; n >= minRuns && n&runsMask(n) == 0 && joins(lows, at) {
			lookForRuns(b, i)
		}
		return true
	}
}

// addInLarger puts low at byte at of the array i, in the next larger size.
func addInLarger(b *Bitmap, i, at int, low uint16) {
	off, size := payloadAt(b, i)
	off = resize(b, off, size, size+2)
	e := entryBytesAt(b, i)
	first, second := binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint64(e[8:])
	lows := b.body()[off : off+uint64(size)+2]
	b.moved += uint64(copy(lows[at+2:], lows[at:size]) + 2)
	binary.LittleEndian.PutUint16(lows[at:], low)
	binary.LittleEndian.PutUint64(e, first+1)
	binary.LittleEndian.PutUint64(e[8:], (second&0xFFFF|off<<16)+2)
	if n := size / 2; n >= minRuns && n&runsMask(n) == 0 && joins(lows, at) {
		lookForRuns(b, i)
	}
	compact(b)
}

// addFirst makes the empty set, which is not writable yet, that of x.
func addFirst(b *Bitmap, x uint64) {
	b.edits++
	looseIn(b, b.buf, 0, 0)
	b.writable, b.sound = true, true
	insertOne(b, 0, x)
}

// insertOne puts a packed container of x alone before container i. In the low width of 16, the one
// that most will have when they have grown, its payload is a number of four bytes; the least size
// is larger.
func insertOne(b *Bitmap, i int, x uint64) {
	var payload [4]byte
	binary.LittleEndian.PutUint32(payload[:], 16|1<<8|uint32(x&0xFFFF)<<16)
	insert(b, i, x>>16, container.Packed, 1, payload[:])
}

// runsMask returns a mask that one in an eighth to a sixteenth of n values passes.
func runsMask(n int) int { return 1<<(bits.Len(uint(n))-4) - 1 }

// joins reports whether the value at byte at of an array has a neighbour. That is the value before
// it, less one, or the value behind it, plus one.
func joins(lows []byte, at int) bool {
	low := binary.LittleEndian.Uint16(lows[at:])
	return at > 0 && binary.LittleEndian.Uint16(lows[at-2:])+1 == low ||
		at+2 < len(lows) && binary.LittleEndian.Uint16(lows[at+2:]) == low+1
}

// fewEntries is the number of containers up to which find counts keys instead of guessing. It still
// guesses that no chunk before the key is empty: any other guess would be wrong too often.
const fewEntries = 16

// find returns the last container whose key is at most key, -1 if there is none: the one found
// last, or that which it would be if no chunk before it were empty, or by halving.
func find(b *Bitmap, key uint64) int {
	count := b.count
	directory := b.body()[b.at:][:count*view.EntryBytes]
	if count <= fewEntries {
		if count > 0 {
			if d := key - entryKey(directory, 0); d < uint64(count) && entryKey(directory, int(d)) == key {
				return int(d)
			}
		}
		// An entry begins with its key and sixteen bits more: it is at most last if its key is at
		// most key.
		last, n, at := key<<16|0xFFFF, 0, 0
		for ; at+4*view.EntryBytes <= len(directory); at += 4 * view.EntryBytes {
			four := directory[at : at+4*view.EntryBytes]
			n += notAbove(four, last) + notAbove(four[view.EntryBytes:], last) +
				notAbove(four[2*view.EntryBytes:], last) +
				notAbove(four[3*view.EntryBytes:], last)
		}
		for ; at+view.EntryBytes <= len(directory); at += view.EntryBytes {
			n += notAbove(directory[at:at+view.EntryBytes], last)
		}
		return n - 1
	}
	if h := b.found; h < count && entryKey(directory, h) <= key && (h+1 == count || key < entryKey(directory, h+1)) {
		return h
	}
	least := entryKey(directory, 0)
	if key < least {
		return -1
	}
	n := count
	if d := key - least; d < uint64(n) {
		if n = int(d) + 1; entryKey(directory, n-1) == key {
			b.found = n - 1
			return n - 1
		}
	}
	lo := 0
	for n > 1 { // without a branch that depends on keys
		half := n >> 1
		lo += int(^(int64(key-entryKey(directory, lo+half)) >> 63)) & half
		n -= half
	}
	b.found = lo
	return lo
}

// notAbove returns 1 if the number that an entry begins with is at most x, else 0.
func notAbove(entry []byte, x uint64) (one int) {
	if binary.LittleEndian.Uint64(entry) <= x {
		one = 1
	}
	return one
}

// entryKey returns the key of entry i of a loose directory.
func entryKey(directory []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(directory[i*view.EntryBytes:i*view.EntryBytes+8]) >> 16
}

// outgrow makes the full array i a bitset, or runs if they are far smaller.
func outgrow(b *Bitmap, i int) {
	if lookForRuns(b, i) {
		return
	}
	e := b.entryAt(i)
	words := new(bitset.Words)
	bitset.Scatter(words, e.Data)
	replace(b, i, e.Key, container.Bitset, e.N, words[:])
	compact(b)
}

// lookForRuns makes runs of the array or bitset i if they are far smaller, and reports whether they
// are.
func lookForRuns(b *Bitmap, i int) bool {
	e := b.entryAt(i)
	runs := 0
	if e.Kind == container.Array {
		runs = array.Runs(e.Data)
	} else {
		_, runs = bitset.Shape((*bitset.Words)(e.Data))
	}
	if 4*runs > len(e.Data)/runsBelow {
		return false
	}
	toRuns(b, i, &e, runs)
	compact(b)
	return true
}
