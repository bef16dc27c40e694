// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"
	"math"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// fixedFew is the number of values up to which clearing memory for them on the stack is cheap.
const fixedFew = 16

// fixedAndLen returns how many values two lists have in common. At least one of them is fixed. ok
// is false if other ways are faster.
func fixedAndLen(a, b *view.View) (n int, ok bool) {
	switch {
	case int64(a.Code()&b.Code()) >= 0:
		if b.IsFixed() {
			a, b = b, a
		}
		return fixedAndCoded(a, b)
	case max(a.ListLen(), b.ListLen()) > view.MaxFixed:
		return 0, false
	}
	few := max(a.ListLen(), b.ListLen()) <= fixedFew
	if a.Kw() == b.Kw() {
		p, width := a.Fixed()
		q, _ := b.Fixed()
		switch {
		case width == sorted.FixedLeast && sorted.FixedDisjoint(p, q):
			return 0, true
		case width == sorted.FixedLeast:
			return sorted.FixedAndLen(p, q), true
		case few || !sorted.FastOffsets():
			return sorted.FixedCommonLen(p, q, width), true
		}
	}
	if few {
		var xs, ys [fixedFew]uint64
		return fixedValuesLen(a, b, xs[:], ys[:]), true
	}
	var xs, ys [view.MaxFixed]uint64
	return fixedValuesLen(a, b, xs[:], ys[:]), true
}

// fixedValuesLen counts what two fixed lists have in common by their values. Behind them stand
// numbers that no value is, so that vectors compare whole blocks to the end.
func fixedValuesLen(a, b *view.View, xs, ys []uint64) (n int) {
	p, width := a.Fixed()
	q, other := b.Fixed()
	k, m := sorted.FixedValues(xs, p, width), sorted.FixedValues(ys, q, other)
	xs, ys = xs[:(k+sorted.Block-1)&^(sorted.Block-1)], ys[:(m+sorted.Block-1)&^(sorted.Block-1)]
	for i := range xs[k:] {
		xs[k+i] = math.MaxUint64
	}
	for i := range ys[m:] {
		ys[m+i] = math.MaxUint64 - 1
	}
	n, _, _ = sorted.ValuesAndLen(xs, ys)
	return n
}

// fixedCommon is common of two fixed lists of at most view.MaxFixed values each. dst has room for
// the shorter one.
func fixedCommon(dst []uint64, a, b *view.View) (n int) {
	if max(a.ListLen(), b.ListLen()) <= fixedFew {
		var xs, ys [fixedFew]uint64
		return fixedValuesAnd(dst, a, b, xs[:], ys[:])
	}
	var xs, ys [view.MaxFixed]uint64
	return fixedValuesAnd(dst, a, b, xs[:], ys[:])
}

// fixedValuesAnd writes what two fixed lists have in common to dst. The others have room for the
// values of both.
func fixedValuesAnd(dst []uint64, a, b *view.View, xs, ys []uint64) (n int) {
	p, width := a.Fixed()
	q, other := b.Fixed()
	return sorted.ValuesAnd(dst, xs[:sorted.FixedValues(xs, p, width)], ys[:sorted.FixedValues(ys, q, other)])
}

// fixedAndCoded is fixedAndLen of a fixed list and one that is not: its values are written out as a
// fixed list. To look values up in a fixed list by its upper part, as is done otherwise, is slow:
// that says nothing.
func fixedAndCoded(fixed, coded *view.View) (n int, ok bool) {
	if fixed.Kw() != 8*sorted.FixedLeast || 2*fixed.ListLen() < coded.ListLen() ||
		max(fixed.ListLen(), coded.ListLen()) > view.MaxFixed {
		return 0, false
	}
	var values [view.MaxFixed]uint64
	var list [view.MaxFixed * sorted.FixedLeast]byte
	var it eliasfano.Iter
	view.IterList(coded, &it)
	k := 0
	for _, x := range values[:it.Values(values[:], 0)] {
		if x>>32 != 0 {
			break
		}
		binary.LittleEndian.PutUint32(list[4*k:4*k+4], uint32(x))
		k++
	}
	p, _ := fixed.Fixed()
	return sorted.FixedAndLen(p, list[:4*k]), true
}

// fixedInDirectory returns how many values of a fixed list a compact directory has. All of them lie
// within bounds. ok is false if these are not such sets, or the list has many more values than the
// directory has containers.
func fixedInDirectory(a, b *view.View, least, most uint64) (n uint64, ok bool) {
	if b.Form() == view.FormList {
		a, b = b, a
	}
	var t view.CompactDir
	switch {
	case !asksDirectory(a, b) || !view.ReadCompactDir(b, &t):
		return 0, false
	case a.ListLen() <= fixedFew:
		var values [fixedFew]uint64 // of memory on the stack, which is cleared each time
		kept, ok := keepFixed(&t, a, values[:])
		return uint64(len(kept)), ok
	}
	var values [view.MaxFixed]uint64
	if bits, base := denseSpan(b); bits != nil && a.ListLen() >= denseFrom {
		list, width := a.Fixed()
		return uint64(sorted.ContainedLen(values[:sorted.FixedValues(values[:], list, width)], bits, base)), true
	}
	kept, ok := keepFixed(&t, a, values[:])
	return uint64(len(kept)), ok
}

// andFixedInDirectory is fixedInDirectory that returns what both have in common.
func andFixedInDirectory(a, b *view.View) (m *mutable.Bitmap, ok bool) {
	if b.Form() == view.FormList {
		a, b = b, a
	}
	var t view.CompactDir
	if !asksDirectory(a, b) || !view.ReadCompactDir(b, &t) {
		return nil, false
	}
	var values [view.MaxFixed]uint64
	kept, ok := keepFixed(&t, a, values[:])
	switch {
	case !ok:
		return nil, false
	case len(kept) == 0:
		return new(mutable.Bitmap), true
	}
	c := BorrowResult()
	defer c.Release()
	return c.ofValues(kept), true
}

// asksDirectory reports whether the values of a fixed list are looked up in a directory one by one.
func asksDirectory(list, in *view.View) bool {
	return list.Form() == view.FormList && list.IsFixed() && in.Form() == view.FormCompact &&
		list.ListLen() <= view.MaxFixed &&
		list.ListLen() <= max(in.Count()+in.Count()/4, askedOnly)
}

// keepFixed returns the values of a fixed list that the containers have. It looks them up one by
// one. values has room for the list. ok is false if a packed container is in the way.
func keepFixed(t *view.CompactDir, v *view.View, values []uint64) (kept []uint64, ok bool) {
	list, width := v.Fixed()
	n, _, ok := t.KeepAll(values[:sorted.FixedValues(values, list, width)], 0)
	return values[:n], ok
}

// fixedInFewChunks is inFewChunks of a fixed list: where a chunk begins is how many values are
// before it.
func fixedInFewChunks(dst []uint64, v, in *view.View) (n int, ok bool) {
	list, width := v.Fixed()
	at := 0 // which never goes back, as keys that are not valid might
	for i := range in.Count() {
		key, kind, data := in.PayloadAt(i)
		if kind == container.Packed {
			return 0, false
		}
		if key > 0 {
			at = max(at, sorted.FixedRank(list, width, key<<16-1))
		}
		for ; at < v.ListLen(); at++ {
			x := sorted.FixedAt(list, width, at)
			if x>>16 != key {
				break
			}
			if view.Holds(kind, data, uint16(x)) {
				if dst != nil {
					dst[n] = x
				}
				n++
			}
		}
	}
	return n, true
}

// askedOnly is the number of values of a list up to which each is asked for by itself: to keep the
// place in the other set costs more than it saves, but in packed containers.
const askedOnly = 12
