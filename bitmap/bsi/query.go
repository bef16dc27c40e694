// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// Equal returns the set of records whose integer is value.
//
// It and the comparisons below walk each chunk's slices once, from the highest bit on, and leave a
// chunk as soon as no record can decide differently (O'Neil & Quass 1997). They build nothing but
// the result. The forms that end in Len count and build nothing at all.
func (v View) Equal(value int64) *bitmap.Bitmap { return v.Between(value, value) }

// Less returns the set of records whose integer is less than value.
func (v View) Less(value int64) *bitmap.Bitmap {
	if value == math.MinInt64 {
		return new(bitmap.Bitmap)
	}
	return v.Between(math.MinInt64, value-1)
}

// LessEqual returns the set of records whose integer is at most value.
func (v View) LessEqual(value int64) *bitmap.Bitmap { return v.Between(math.MinInt64, value) }

// Greater returns the set of records whose integer is more than value.
func (v View) Greater(value int64) *bitmap.Bitmap {
	if value == math.MaxInt64 {
		return new(bitmap.Bitmap)
	}
	return v.Between(value+1, math.MaxInt64)
}

// GreaterEqual returns the set of records whose integer is at least value.
func (v View) GreaterEqual(value int64) *bitmap.Bitmap { return v.Between(value, math.MaxInt64) }

// Between returns the set of records whose integer is at least lo and at most hi. Both bounds are
// tested in one walk.
func (v View) Between(lo, hi int64) *bitmap.Bitmap {
	from, to, ok := v.distances(lo, hi)
	if !ok {
		return new(bitmap.Bitmap)
	}
	m := pack.BorrowBuilder()
	defer m.Release()
	m.Layout = pack.AsTheyAre
	w := v.walk()
	defer w.release()
	for w.next() {
		m.AppendBlock(w.between(from, to))
	}
	return (*bitmap.Bitmap)(mutable.NewBitmap(m, pack.AsTheyAre))
}

// EqualLen returns the number of records whose integer is value. See [View.Equal].
func (v View) EqualLen(value int64) uint64 { return v.BetweenLen(value, value) }

// LessLen returns the number of records whose integer is less than value.
func (v View) LessLen(value int64) uint64 {
	if value == math.MinInt64 {
		return 0
	}
	return v.BetweenLen(math.MinInt64, value-1)
}

// LessEqualLen returns the number of records whose integer is at most value.
func (v View) LessEqualLen(value int64) uint64 { return v.BetweenLen(math.MinInt64, value) }

// GreaterLen returns the number of records whose integer is more than value.
func (v View) GreaterLen(value int64) uint64 {
	if value == math.MaxInt64 {
		return 0
	}
	return v.BetweenLen(value+1, math.MaxInt64)
}

// GreaterEqualLen returns the number of records whose integer is at least value.
func (v View) GreaterEqualLen(value int64) uint64 { return v.BetweenLen(value, math.MaxInt64) }

// BetweenLen returns the number of records whose integer is at least lo and at most hi.
func (v View) BetweenLen(lo, hi int64) uint64 {
	from, to, ok := v.distances(lo, hi)
	switch {
	case !ok:
		return 0
	case from == 0 && to == v.largest():
		return v.Len()
	}
	w := v.walk()
	defer w.release()
	return w.count(from, to)
}

// distances turns bounds of integers into bounds of what the slices can express. ok is false if no
// integer can lie between them.
func (v *View) distances(lo, hi int64) (from, to uint64, ok bool) {
	if lo > hi || hi < v.base {
		return 0, 0, false
	}
	if lo > v.base {
		from = uint64(lo) - uint64(v.base)
	}
	to = min(uint64(hi)-uint64(v.base), v.largest())
	return from, to, from <= to
}

// count returns the number of records from the next chunk on whose distance is in [from, to].
func (w *walk) count(from, to uint64) (n uint64) {
	for w.next() {
		n += uint64(max(w.betweenLen(from, to), 0))
	}
	return n
}

// ones returns a number whose lowest n bits are ones.
func ones(n int) uint64 { return 1<<n - 1 }

// prefix narrows the chunk's records by the bits that both bounds share. It returns the records
// that are left and the number of undecided bits. The highest of these is 0 in from and 1 in to. If
// none is undecided, no record is left, or all that are left lie between the bounds.
func (w *walk) prefix(from, to uint64) (same container.Block, undecided int) {
	same = w.all
	for i := int(w.view.width); i > 0; i-- {
		if same.IsEmpty() || from&ones(i) == 0 && to&ones(i) == ones(i) {
			return same, 0
		}
		if (from^to)>>(i-1)&1 != 0 {
			return same, i
		}
		same = w.having(&w.low, same, i-1, to>>(i-1))
	}
	return same, 0
}

// between returns the records of the chunk whose distance is in [from, to]. The block is valid
// until the next question of the chunk.
func (w *walk) between(from, to uint64) (result container.Block) {
	same, i := w.prefix(from, to)
	if i == 0 {
		return same
	}
	// low has the records that share all bits so far with from; high has the same for to.
	i--
	result.Key = w.all.Key
	high := ownCopy(&w.high, w.having(&w.high, same, i, 1))
	low := w.having(&w.low, same, i, 0)
	for ; ; i-- {
		if !low.IsEmpty() && from&ones(i) == 0 {
			result, low = w.collect(result, low), container.Block{}
		}
		if !high.IsEmpty() && to&ones(i) == ones(i) {
			result, high = w.collect(result, high), container.Block{}
		}
		if low.IsEmpty() && high.IsEmpty() {
			return result
		}
		if !low.IsEmpty() {
			if from>>(i-1)&1 == 0 {
				result = w.collect(result, w.having(&w.step, low, i-1, 1))
			}
			low = w.having(&w.low, low, i-1, from>>(i-1))
		}
		if !high.IsEmpty() {
			if to>>(i-1)&1 != 0 {
				result = w.collect(result, w.having(&w.step, high, i-1, 0))
			}
			high = w.having(&w.high, high, i-1, to>>(i-1))
		}
	}
}

// betweenLen returns the number of records of the chunk whose distance is in [from, to].
func (w *walk) betweenLen(from, to uint64) (n int) {
	same, i := w.prefix(from, to)
	if i == 0 {
		return same.Len()
	}
	i--
	high := ownCopy(&w.high, w.having(&w.high, same, i, 1))
	low := w.having(&w.low, same, i, 0)
	for ; ; i-- {
		if !low.IsEmpty() && from&ones(i) == 0 {
			n, low = n+low.Len(), container.Block{}
		}
		if !high.IsEmpty() && to&ones(i) == ones(i) {
			n, high = n+high.Len(), container.Block{}
		}
		if low.IsEmpty() && high.IsEmpty() {
			return n
		}
		// What a bit takes from the candidates is counted if it is on the right side of the bound.
		if before := low.Len(); before > 0 {
			low = w.having(&w.low, low, i-1, from>>(i-1))
			if from>>(i-1)&1 == 0 {
				n += before - low.Len()
			}
		}
		if before := high.Len(); before > 0 {
			high = w.having(&w.high, high, i-1, to>>(i-1))
			if to>>(i-1)&1 != 0 {
				n += before - high.Len()
			}
		}
	}
}
