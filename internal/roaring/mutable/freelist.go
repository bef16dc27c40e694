// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Where payloads lie in a loose body, and the holes between them. A payload owns one of the sizes
// of view.RoomFor, so that it can grow. The body itself says only how many bytes the holes have.
// Where they are is known only to the Bitmap that made them: a copy starts with an empty free list.

const (
	// bytes of the envelope of a Bitmap while it changes: eight for the length, so that growth
	// never moves the body
	looseHeader = 10
	sizeClasses = 20
	// bytes of a body up to which its memory is doubled when it is full; beyond, it grows by half,
	// or by so much
	growBelow  = 2048
	shiftBelow = 4096 // bytes behind a payload up to which they are moved for it to grow where it lies
	shiftCount = 64   // containers up to which this is done, as the entry of each is looked at
)

// freeList knows the holes of a body by size.
type freeList struct {
	// offsets; nil as long as there are none: a set that does not change does not pay for them
	free *[sizeClasses][]uint64
	// The hole that the last payload left by becoming smaller. If it grows again, it takes this
	// hole back first: values that come and go at the boundary of a size do not move it each time.
	spareAt, spare uint64
}

// sizeClass returns the number of a size of payloads: 8, 16, 24, 32, 48, 64, 96, … bytes are 0, 1,
// 2, 3, 4, 5, 6, …
func sizeClass(n uint64) int {
	if n <= 8 {
		return 0
	}
	power := bits.Len64(n) - 1
	return 2*(power-4) + 1 + int(n>>(power-1)&1)
}

// classBytes is the inverse of sizeClass.
func classBytes(class int) uint64 {
	if class == 0 {
		return 8
	}
	return (2 + uint64(class-1)&1) << ((class-1)/2 + 3)
}

// body returns the body while it is loose.
func (b *Bitmap) body() []byte { return b.buf[looseHeader:] }

func holes(b *Bitmap) uint64 { return binary.LittleEndian.Uint64(b.body()[view.LooseHolesAt:]) }

func addHoles(b *Bitmap, n uint64) {
	at := b.body()[view.LooseHolesAt:]
	binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)+n)
}

// resizeBody makes the body n bytes long.
func resizeBody(b *Bitmap, n int) {
	if n += looseHeader; n > cap(b.buf) {
		b.buf = slices.Grow(b.buf, max(n-len(b.buf), min(len(b.buf), max(growBelow, len(b.buf)/2))))
	}
	b.buf = b.buf[:n]
	binary.LittleEndian.PutUint64(b.buf[2:], uint64(n-looseHeader))
}

// occupy returns the offset of n bytes that are free now, in a hole or at the end. n is one of the
// sizes of payloads.
func occupy(b *Bitmap, n uint64) uint64 {
	if holes(b) >= n {
		for class := sizeClass(n); class < sizeClasses; class++ {
			if last := b.list.count(class) - 1; last >= 0 {
				at := b.list.free[class][last]
				b.list.free[class] = b.list.free[class][:last]
				size := classBytes(class)
				addHoles(b, -size)
				vacate(b, at+n, size-n)
				return at
			}
		}
	}
	at := uint64(len(b.body()))
	resizeBody(b, int(at+n))
	return at
}

// vacate makes a hole of n bytes, a multiple of 8. At the end of the body it shortens it.
func vacate(b *Bitmap, at, n uint64) {
	if n == 0 {
		return
	}
	if at+n == uint64(len(b.body())) {
		resizeBody(b, int(at))
		return
	}
	addHoles(b, n)
	b.list.add(at, n)
}

// count returns the number of holes of a class.
func (l *freeList) count(class int) int {
	if l.free == nil {
		return 0
	}
	return len(l.free[class])
}

// clear forgets all holes.
func (l *freeList) clear() {
	if l.free != nil {
		for i := range l.free {
			l.free[i] = l.free[i][:0]
		}
	}
	l.spareAt, l.spare = 0, 0
}

// add notes a hole of n bytes, in pieces of the sizes of payloads. n is a multiple of 8, and the
// hole is counted already.
func (l *freeList) add(at, n uint64) {
	for n > 0 {
		class := sizeClass(min(n, container.MaxPayload))
		size := classBytes(class)
		if l.free == nil {
			l.free = new([sizeClasses][]uint64)
		}
		l.free[class] = append(l.free[class], at)
		at += size
		n -= size
	}
}

// resize makes the payload of oldSize bytes at off one of newSize bytes. It moves the payload if it
// must, and returns where it lies.
func resize(b *Bitmap, off uint64, oldSize, newSize int) uint64 {
	from, to := view.RoomFor(uint64(oldSize)), view.RoomFor(uint64(newSize))
	end := uint64(len(b.body()))
	switch {
	case from == to:
	case to < from && off+from < end:
		dropSpare(b)
		b.list.spareAt, b.list.spare = off+to, from-to
		addHoles(b, from-to)
	case to < from:
		resizeBody(b, int(off+to))
	case off+from == end:
		resizeBody(b, int(off+to))
	case b.list.spareAt == off+from && b.list.spare >= to-from:
		b.list.spareAt += to - from
		b.list.spare -= to - from
		addHoles(b, from-to)
	case mayShift(b, off+from):
		shift(b, off+from, to-from)
	default:
		at := occupy(b, to)
		body := b.body()
		b.moved += uint64(copy(body[at:], body[off:off+uint64(min(oldSize, newSize))]))
		vacate(b, off, from)
		return at
	}
	return off
}

// mayShift reports whether what lies from at on is little enough to be moved, so that what lies
// before it can grow without leaving a hole. A rewriting has entries that a shift would not see.
func mayShift(b *Bitmap, at uint64) bool {
	return uint64(len(b.body()))-at <= shiftBelow && b.count <= shiftCount && !b.rewritten
}

// shift inserts n bytes at an offset, where a payload ends, by moving what lies behind.
func shift(b *Bitmap, at, n uint64) {
	old := uint64(len(b.body()))
	resizeBody(b, int(old+n))
	body := b.body()
	b.moved += uint64(copy(body[at+n:], body[at:old]))
	if b.at >= at {
		b.at += n
		binary.LittleEndian.PutUint64(body[view.LooseAt:], b.at)
	}
	directory := body[b.at:][:b.count*view.EntryBytes]
	for ; len(directory) >= view.EntryBytes; directory = directory[view.EntryBytes:] {
		if second := binary.LittleEndian.Uint64(directory[8:]); second>>16 >= at {
			binary.LittleEndian.PutUint64(directory[8:], second+n<<16)
		}
	}
	b.list.shift(at, n)
}

// shift adds n to the offsets of holes from at on.
func (l *freeList) shift(at, n uint64) {
	if l.spareAt >= at {
		l.spareAt += n
	}
	if l.free == nil {
		return
	}
	for _, holes := range l.free {
		for i, hole := range holes {
			if hole >= at {
				holes[i] += n
			}
		}
	}
}

// dropSpare makes the spare hole an ordinary one.
func dropSpare(b *Bitmap) {
	b.list.add(b.list.spareAt, b.list.spare)
	b.list.spareAt, b.list.spare = 0, 0
}
