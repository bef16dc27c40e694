// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

const (
	// an array that shrinks to this many values becomes packed, so that it may join its neighbours
	arrayToPacked = 15
	packedToArray = 20 // a packed container of one chunk with more values becomes an array
	// a packed container of several chunks that would have as many values a chunk is split: they
	// would be arrays soon
	denseChunk = 24
	// an array that would have more values becomes a bitset when it is written to: they would own
	// as many bytes
	arrayToBitset = 3072
	bitsetToArray = 2304 // a bitset that shrinks to this many values becomes an array
	// a packed container of several chunks that would have more values is split when it is written
	// to
	maxLoosePacked = 160
	// an array of as many values becomes runs when it grows, where these are far smaller: it is
	// looked at for each eighth more
	minRuns         = 32
	runsEvery       = 512 // and a bitset at each multiple of this many values
	runsBelow       = 2   // runs are far smaller when they take this part of the bytes or less
	joinPackedBelow = 64  // a packed container that shrinks below this many values may join a neighbour
)

// Remove takes x out of the set and reports whether it was there. It costs what Add costs.
func (b *Bitmap) Remove(x uint64) bool {
	if !b.writable {
		if !b.Contains(x) {
			return false
		}
		makeWritable(b)
	}
	b.edits++
	key, low := x>>16, uint16(x)
	i := b.search(key)
	var removed bool
	switch e := entryOrNone(b, i); {
	case e.Data == nil:
	case e.Kind == container.Packed:
		removed = removePacked(b, i, &e, x)
	case e.Key != key:
	case e.Kind == container.Array:
		removed = removeArray(b, i, &e, low)
	case e.Kind == container.Bitset:
		removed = removeBitset(b, i, &e, low)
	default:
		removed = removeRun(b, i, &e, low)
	}
	if removed {
		compact(b)
	}
	return removed
}

// entryOrNone returns container i, none if i is -1.
func entryOrNone(b *Bitmap, i int) view.Entry {
	if i < 0 {
		return view.Entry{}
	}
	return b.entryAt(i)
}

func removeArray(b *Bitmap, i int, e *view.Entry, low uint16) bool {
	at := array.Search(e.Data, low)
	if at == e.N || array.Low(e.Data, at) != low {
		return false
	}
	if e.N == 1 {
		discard(b, i)
		return true
	}
	off, size := payloadAt(b, i)
	b.moved += uint64(copy(e.Data[2*at:], e.Data[2*at+2:]))
	off = resize(b, off, size, size-2)
	record(b, i, e.Key, container.Array, e.N-1, off, size-2)
	if e.N-1 <= arrayToPacked {
		repack(b, i)
	}
	return true
}

func removeBitset(b *Bitmap, i int, e *view.Entry, low uint16) bool {
	bit := byte(1) << (low & 7)
	if e.Data[low>>3]&bit == 0 {
		return false
	}
	if e.N == 1 {
		discard(b, i)
		return true
	}
	e.Data[low>>3] &^= bit
	off, size := payloadAt(b, i)
	record(b, i, e.Key, container.Bitset, e.N-1, off, size)
	if e.N-1 <= bitsetToArray {
		rewrite(b, i)
	}
	return true
}

// addRun adds to runs, and turns them into an array or bitset if that is smaller then.
func addRun(b *Bitmap, i int, x uint64) bool {
	e, low := b.entryAt(i), uint16(x)
	r := run.Search(e.Data, low) // the runs before it begin at or before low
	joinsLeft, joinsRight := false, false
	if r > 0 {
		_, hi := run.At(e.Data, r-1)
		if int(low) < hi {
			return false
		}
		joinsLeft = int(low) == hi
	}
	if 4*r < len(e.Data) {
		lo, _ := run.At(e.Data, r)
		joinsRight = int(low)+1 == lo
	}
	switch {
	case joinsLeft && joinsRight:
		_, hi := run.At(e.Data, r)
		setRunEnd(e.Data, r-1, hi)
		shiftRuns(b, i, &e, r+1, -1)
		compact(b)
	case joinsLeft:
		setRunEnd(e.Data, r-1, int(low)+1)
	case joinsRight:
		_, hi := run.At(e.Data, r)
		setRun(e.Data, r, int(low), hi)
	default:
		if !runsMayGrow(b, i, &e, e.N+1) {
			compact(b)
			return b.Add(x)
		}
		shiftRuns(b, i, &e, r, 1)
		setRun(payload(b, i), r, int(low), int(low)+1)
		setCardinality(b, i, e.Key, e.N+1)
		compact(b)
		return true
	}
	setCardinality(b, i, e.Key, e.N+1)
	return true
}

// removeRun removes from runs, and turns them into an array or bitset if that is smaller then.
func removeRun(b *Bitmap, i int, e *view.Entry, low uint16) bool {
	r := run.Search(e.Data, low) - 1
	if r < 0 {
		return false
	}
	lo, hi := run.At(e.Data, r)
	switch x := int(low); {
	case x >= hi:
		return false
	case e.N == 1:
		discard(b, i)
		return true
	case lo+1 == hi:
		shiftRuns(b, i, e, r+1, -1)
	case x == lo:
		setRun(e.Data, r, lo+1, hi)
	case x == hi-1:
		setRunEnd(e.Data, r, hi-1)
	default:
		if !runsMayGrow(b, i, e, e.N-1) {
			return b.Remove(e.Key<<16 | uint64(low))
		}
		shiftRuns(b, i, e, r+1, 1)
		runs := payload(b, i)
		setRunEnd(runs, r, x)
		setRun(runs, r+1, x+1, hi)
	}
	setCardinality(b, i, e.Key, e.N-1)
	if kind, _ := pack.SmallestKind(e.N-1, len(payload(b, i))/4); kind != container.Run {
		rewrite(b, i)
	}
	return true
}

// runsMayGrow reports whether one run more is still the smallest for n values. If not, it makes the
// container an array or a bitset.
func runsMayGrow(b *Bitmap, i int, e *view.Entry, n int) bool {
	if kind, _ := pack.SmallestKind(n, len(e.Data)/4+1); kind == container.Run {
		return true
	}
	rewrite(b, i)
	return false
}

// shiftRuns makes room for a run before run r, or takes away the run before it.
func shiftRuns(b *Bitmap, i int, e *view.Entry, r, by int) {
	off, size := payloadAt(b, i)
	if by < 0 {
		b.moved += uint64(copy(e.Data[4*r-4:], e.Data[4*r:]))
		off = resize(b, off, size, size-4)
	} else {
		off = resize(b, off, size, size+4)
		runs := b.body()[off : off+uint64(size)+4]
		b.moved += uint64(copy(runs[4*r+4:], runs[4*r:size]))
	}
	record(b, i, e.Key, container.Run, e.N, off, size+4*by)
}

// setCardinality writes the cardinality of container i.
func setCardinality(b *Bitmap, i int, key uint64, n int) {
	binary.LittleEndian.PutUint64(entryBytesAt(b, i), key<<16|uint64(n-1))
}

// setRun writes run r as [lo, hi).
func setRun(runs []byte, r, lo, hi int) {
	binary.LittleEndian.PutUint16(runs[4*r:], uint16(lo))
	binary.LittleEndian.PutUint16(runs[4*r+2:], uint16(hi-1-lo))
}

// setRunEnd moves the end of run r.
func setRunEnd(runs []byte, r, hi int) {
	lo, _ := run.At(runs, r)
	setRun(runs, r, lo, hi)
}
