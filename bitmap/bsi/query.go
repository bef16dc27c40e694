// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// Equal returns the set of records whose integer is value.
//
// It and the comparisons below walk each chunk's slices once, from the highest bit on, and leave a
// chunk as soon as no record can decide differently (O'Neil & Quass 1997). They build nothing but
// the result. The forms that end in Len count and build nothing at all.
func (v View) Equal(value int64) *bitmap.Bitmap {
	return (*bitmap.Bitmap)(roaring.SlicedView(v).Equal(value))
}

// Less returns the set of records whose integer is less than value.
func (v View) Less(value int64) *bitmap.Bitmap {
	return (*bitmap.Bitmap)(roaring.SlicedView(v).Less(value))
}

// LessEqual returns the set of records whose integer is at most value.
func (v View) LessEqual(value int64) *bitmap.Bitmap {
	return (*bitmap.Bitmap)(roaring.SlicedView(v).LessEqual(value))
}

// Greater returns the set of records whose integer is more than value.
func (v View) Greater(value int64) *bitmap.Bitmap {
	return (*bitmap.Bitmap)(roaring.SlicedView(v).Greater(value))
}

// GreaterEqual returns the set of records whose integer is at least value.
func (v View) GreaterEqual(value int64) *bitmap.Bitmap {
	return (*bitmap.Bitmap)(roaring.SlicedView(v).GreaterEqual(value))
}

// Between returns the set of records whose integer is at least lo and at most hi. Both bounds are
// tested in one walk.
func (v View) Between(lo, hi int64) *bitmap.Bitmap {
	return (*bitmap.Bitmap)(roaring.SlicedView(v).Between(lo, hi))
}

// EqualLen returns the number of records whose integer is value. See [View.Equal].
func (v View) EqualLen(value int64) uint64 { return roaring.SlicedView(v).EqualLen(value) }

// LessLen returns the number of records whose integer is less than value.
func (v View) LessLen(value int64) uint64 { return roaring.SlicedView(v).LessLen(value) }

// LessEqualLen returns the number of records whose integer is at most value.
func (v View) LessEqualLen(value int64) uint64 {
	return roaring.SlicedView(v).LessEqualLen(value)
}

// GreaterLen returns the number of records whose integer is more than value.
func (v View) GreaterLen(value int64) uint64 { return roaring.SlicedView(v).GreaterLen(value) }

// GreaterEqualLen returns the number of records whose integer is at least value.
func (v View) GreaterEqualLen(value int64) uint64 {
	return roaring.SlicedView(v).GreaterEqualLen(value)
}

// BetweenLen returns the number of records whose integer is at least lo and at most hi.
func (v View) BetweenLen(lo, hi int64) uint64 { return roaring.SlicedView(v).BetweenLen(lo, hi) }
