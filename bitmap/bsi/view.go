// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math/bits"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// View is a signed 64-bit integer for each of a set of records, over bytes that someone else
// owns: serialized bytes ([Open]) or a [Integers]. All questions are asked of it; with
// [View.Within] they are about the records of a filter alone.
//
// It is a small value, made to be passed and kept by value; the zero value has no records. It may
// be used from any number of goroutines as long as nobody changes the bytes. A question walks the
// slices chunk by chunk (65 536 record IDs) and computes in memory from a pool: 100 KB, 16 KB for
// each slice with packed containers, and 512 KB where integers are put together. Beside its result
// it allocates nothing once the pool is warm.
type View struct {
	owner    *Integers // nil over serialized bytes
	bodies   []byte    // serialized: the bodies, one after the other
	ends     []byte    // serialized: the ends of the bodies
	sums     []byte    // serialized, with a checksum: all bytes
	filter   view.View
	base     int64
	width    uint8 // number of slices
	endWidth uint8 // bytes of an end
	filtered bool
}

// Within returns the integers of those records alone that the filter has as well. It replaces a
// filter given before; to filter by two sets, intersect them. It costs nothing: the filter is
// applied chunk by chunk when a question is asked.
func (v View) Within(filter bitmap.View) View {
	v.filter, v.filtered = view.View(filter), true
	return v
}

// Records returns the set of records that have an integer, whether in the filter or not.
func (v View) Records() bitmap.View { return bitmap.View(v.records()) }

func (v *View) records() view.View {
	if v.owner != nil {
		return v.owner.records.View()
	}
	if v.endWidth == 0 {
		return view.View{}
	}
	return v.open(0)
}

// slice returns the set of records whose distance from the base has bit i.
func (v *View) slice(i int) view.View {
	if v.owner != nil {
		return v.owner.slices[i].View()
	}
	return v.open(i + 1)
}

// open returns serialized body i, which has been opened before.
func (v *View) open(i int) view.View {
	from, to := uint64(0), view.LoadUint(v.ends, i*int(v.endWidth), v.endWidth)
	if i > 0 {
		from = view.LoadUint(v.ends, (i-1)*int(v.endWidth), v.endWidth)
	}
	set, _ := view.OpenBody(v.bodies[from:to:to])
	return set
}

// Len returns the number of records that have an integer, and are in the filter.
func (v View) Len() uint64 {
	if v.filtered {
		return pair.AndLen(v.records(), v.filter)
	}
	return v.Records().Len()
}

// Value returns the integer of a record. ok is false if it has none or is not in the filter. It
// costs a Contains per slice.
func (v View) Value(id uint64) (value int64, ok bool) {
	if v.filtered && !v.filter.Contains(id) || !v.Records().Contains(id) {
		return 0, false
	}
	u := uint64(0)
	for i := range int(v.width) {
		if v.slice(i).Contains(id) {
			u |= 1 << i
		}
	}
	return v.value(u), true
}

// value returns the integer at a distance from the base.
func (v *View) value(u uint64) int64 { return int64(uint64(v.base) + u) }

// largest returns the largest distance that the slices can express.
func (v *View) largest() uint64 { return 1<<v.width - 1 }

// frame returns the base and number of slices that suit the integers best.
func (v View) frame() (base int64, width int) {
	lo, ok := v.Min()
	if !ok {
		return 0, 0
	}
	hi, _ := v.Max()
	return lo, bits.Len64(uint64(hi) - uint64(lo))
}

const maxSlices = 64

// Integers holds a signed 64-bit integer for each of a set of records. It is a bit-sliced index
// (O'Neil & Quass 1997): one set of record IDs for each bit of the integers. Questions about all
// records, such as which have at least 100 or what the sum is, read a set per bit instead of a
// number per record.
//
// An integer is stored as its distance from a common base, in as many bits as the largest distance
// needs: 1 000 timestamps of one day take 17 slices. An Integers changes in place: Set and Clear
// add to and remove from its sets. Questions are asked of its [Integers.View]; what is written once
// and read often is better kept in serialized form: see [View.Append].
//
// The zero value has no records and is ready for use. An Integers may be read from any number of
// goroutines as long as nobody changes it; views taken from it are valid until the next change. It
// must not be copied once it is in use.
type Integers struct {
	records mutable.Bitmap   // the records that have an integer
	slices  []mutable.Bitmap // slice i: the records whose distance from base has bit i; a subset of records
	base    int64            // no integer is less
}

// Pair is a record and its integer.
type Pair struct {
	ID    uint64
	Value int64
}
