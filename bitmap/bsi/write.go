// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// writer builds the sets of bit-sliced integers.
type writer struct {
	records *pack.Builder
	slices  []*pack.Builder
	base    int64
}

// newWriter returns an empty writer, to be released.
func newWriter(base int64, width int) *writer {
	r := &writer{records: pack.BorrowBuilder(), slices: make([]*pack.Builder, width), base: base}
	for i := range r.slices {
		r.slices[i] = pack.BorrowBuilder()
	}
	return r
}

// release gives the builders back.
func (r *writer) release() {
	r.records.Release()
	for _, b := range r.slices {
		b.Release()
	}
}

// rewriting returns a writer with the integers of v, as width slices from another base on. The
// slices must be able to express all of them.
//
// The new distances are the old ones plus a constant, modulo 2^64; the sum is computed slice by
// slice as a ripple-carry adder does it, on blocks.
func rewriting(v View, base int64, width int) *writer {
	r := newWriter(base, width)
	more := uint64(v.base) - uint64(base)
	w := v.walk()
	defer w.release()
	for w.next() {
		r.records.AppendBlock(w.all)
		carry := container.Block{Key: w.all.Key} // lives in high
		for i, to := range r.slices {
			bit := container.Block{Key: w.all.Key}
			if i < int(v.width) {
				bit = w.step.And(w.all, w.slice(i))
			}
			if carry.IsEmpty() && more>>i&1 == 0 {
				to.AppendBlock(bit)
				continue
			}
			// Of bit, carry and the constant's bit: the sum is one if one or three of them are, the
			// carry if two or three are.
			sum := ownCopy(&w.low, w.low.Xor(bit, carry))
			if more>>i&1 != 0 {
				sum = w.low.AndNot(w.all, sum)
				carry = ownCopy(&w.high, w.high.Or(bit, carry))
			} else {
				carry = ownCopy(&w.high, w.high.And(bit, carry))
			}
			to.AppendBlock(sum)
		}
	}
	return r
}

// integers returns the integers as sets of their own.
func (r *writer) integers(layout pack.Layout) *Integers {
	s := &Integers{base: r.base, slices: make([]mutable.Bitmap, len(r.slices))}
	mutable.BuildInto(r.records, &s.records, layout)
	for i, b := range r.slices {
		mutable.BuildInto(b, &s.slices[i], layout)
	}
	return s
}

// append appends the serialized form.
func (r *writer) append(dst []byte, layout pack.Layout, flags byte) []byte {
	start, size := len(dst), 0
	shapes := make([]pack.Shape, 1, 1+maxSlices)
	shapes[0] = r.records.LayOut(layout)
	for _, b := range r.slices {
		shapes = append(shapes, b.LayOut(layout))
	}
	for _, s := range shapes {
		size += s.Size
	}
	width := pack.EnvelopeWidth(size)
	dst = slices.Grow(dst, headBytes+len(shapes)<<width+size+checksumBytes)
	dst = append(dst, magic, version|width<<widthShift|flags, byte(len(r.slices)), 0)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.base))
	end := uint64(0)
	for _, s := range shapes {
		end += uint64(s.Size)
		var field [8]byte
		binary.LittleEndian.PutUint64(field[:], end)
		dst = append(dst, field[:1<<width]...)
	}
	dst = r.records.Write(dst, shapes[0])
	for i, b := range r.slices {
		dst = b.Write(dst, shapes[i+1])
	}
	if flags&flagChecksum != 0 {
		dst = binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
	}
	return dst
}

// Append appends the serialized form of the integers to dst and returns the longer slice. If there
// is a filter, it writes only the integers in it. [Open] opens the result. The base and the number
// of slices suit the integers; the layout is that of every set. Append holds the sets in memory
// meanwhile. It validates bytes from outside first; of invalid ones it writes what can be read.
func (v View) Append(dst []byte, layout bitmap.Layout) []byte {
	r := rewriting(v.framed())
	defer r.release()
	return r.append(dst, pack.Layout(layout), 0)
}

// AppendChecked is Append with a checksum at the end, which [View.Validate] verifies.
func (v View) AppendChecked(dst []byte, layout bitmap.Layout) []byte {
	r := rewriting(v.framed())
	defer r.release()
	return r.append(dst, pack.Layout(layout), flagChecksum)
}

// Clone returns the integers as an Integers of its own; with a filter, only the integers in it. The
// result is valid whatever the bytes: see [View.Append].
func (v View) Clone() *Integers {
	r := rewriting(v.framed())
	defer r.release()
	return r.integers(pack.Fastest)
}

// framed returns v, or what can be read of it. It also returns the base and number of slices that
// suit its integers.
func (v View) framed() (sound View, base int64, width int) {
	v = v.sound()
	base, width = v.frame()
	return v, base, width
}

// Of returns the integers of records, from pairs whose IDs should ascend. Of several pairs with one
// ID the last counts. Pairs that do not ascend are sorted, in a copy. The sets are packed as
// [Fastest].
//
// It costs a step for each bit of an integer that is one, beside the sets.
func Of(pairs []Pair) *Integers {
	if len(pairs) == 0 {
		return new(Integers)
	}
	byID := func(a, b Pair) int {
		switch {
		case a.ID < b.ID:
			return -1
		case a.ID > b.ID:
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(pairs, byID) {
		pairs = slices.Clone(pairs)
		slices.SortStableFunc(pairs, byID)
	}
	lo, hi := pairs[0].Value, pairs[0].Value
	for _, p := range pairs {
		lo, hi = min(lo, p.Value), max(hi, p.Value)
	}
	r := newWriter(lo, bits.Len64(uint64(hi)-uint64(lo)))
	defer r.release()
	for i, p := range pairs {
		if i+1 < len(pairs) && pairs[i+1].ID == p.ID {
			continue
		}
		r.records.Append(p.ID)
		for u := uint64(p.Value) - uint64(lo); u != 0; u &= u - 1 {
			r.slices[bits.TrailingZeros64(u)].Append(p.ID)
		}
	}
	return r.integers(pack.Fastest)
}
