// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// plainFew is the number of values up to which memory for them on the stack, which is cleared each
// time, is small.
const plainFew = 16

// plainAndLen returns how many values two lists have in common of which one is plain at least. ok
// is false if that is found out faster in other ways.
func plainAndLen(a, b *view.View) (n int, ok bool) {
	switch {
	case int64(a.Code()&b.Code()) >= 0:
		if b.IsPlain() {
			a, b = b, a
		}
		return plainAndCoded(a, b)
	case max(a.SoloLen(), b.SoloLen()) > view.MaxPlain:
		return 0, false
	case a.Kw() == 8*sorted.PlainLeast && b.Kw() == 8*sorted.PlainLeast:
		p, _ := a.Plain()
		q, _ := b.Plain()
		if sorted.PlainApart(p, q) {
			return 0, true
		}
		return sorted.PlainAndLen(p, q), true
	case max(a.SoloLen(), b.SoloLen()) <= plainFew:
		return plainCommon(nil, a, b), true
	}
	return plainValuesLen(a, b), true
}

// plainValuesLen counts what two plain lists have in common by their values.
func plainValuesLen(a, b *view.View) (n int) {
	var xs, ys [view.MaxPlain]uint64
	p, width := a.Plain()
	q, other := b.Plain()
	n, _, _ = sorted.ValuesAndLen(xs[:sorted.PlainValues(xs[:], p, width)], ys[:sorted.PlainValues(ys[:], q, other)])
	return n
}

// plainCommon is common of two plain lists of at most plainFew values each.
func plainCommon(dst []uint64, a, b *view.View) (n int) {
	var xs, ys [plainFew]uint64
	p, width := a.Plain()
	q, other := b.Plain()
	x, y := xs[:sorted.PlainValues(xs[:], p, width)], ys[:sorted.PlainValues(ys[:], q, other)]
	if dst == nil {
		n, _, _ = sorted.ValuesAndLen(x, y)
		return n
	}
	return sorted.ValuesAnd(dst, x, y)
}

// plainAndCoded is plainAndLen of a plain list and one that is not: its values are written out as a
// plain list. To look values up in a plain list by its upper part, as is done otherwise, is slow:
// that says nothing.
func plainAndCoded(plain, coded *view.View) (n int, ok bool) {
	if view.IsFewest(plain) && view.IsFewest(coded) {
		return fewestAndLen(plain, coded), true
	}
	if plain.Kw() != 8*sorted.PlainLeast || 2*plain.SoloLen() < coded.SoloLen() ||
		max(plain.SoloLen(), coded.SoloLen()) > view.MaxPlain {
		return 0, false
	}
	var values [view.MaxPlain]uint64
	var list [view.MaxPlain * sorted.PlainLeast]byte
	var it eliasfano.Iter
	view.IterSolo(coded, &it)
	k := 0
	for _, x := range values[:it.Values(values[:], 0)] {
		if x>>32 != 0 {
			break
		}
		binary.LittleEndian.PutUint32(list[4*k:4*k+4], uint32(x))
		k++
	}
	p, _ := plain.Plain()
	return sorted.PlainAndLen(p, list[:4*k]), true
}

// plainInDirectory returns how many values of a plain list a compact directory has. ok is false if
// these are not such sets, or the list has much more values than there are containers.
func plainInDirectory(a, b *view.View) (n uint64, ok bool) {
	if b.Form() == view.FormSolo {
		a, b = b, a
	}
	var t view.CompactDir
	switch {
	case !asksDirectory(a, b) || !view.ReadCompactDir(b, &t):
		return 0, false
	case a.SoloLen() <= plainFew:
		var values [plainFew]uint64 // of memory on the stack, which is cleared each time
		kept, ok := keepPlain(&t, a, values[:])
		return uint64(len(kept)), ok
	}
	var values [view.MaxPlain]uint64
	kept, ok := keepPlain(&t, a, values[:])
	return uint64(len(kept)), ok
}

// andPlainInDirectory is plainInDirectory that returns what both have in common.
func andPlainInDirectory(a, b *view.View) (m *mutable.Bitmap, ok bool) {
	if b.Form() == view.FormSolo {
		a, b = b, a
	}
	var t view.CompactDir
	if !asksDirectory(a, b) || !view.ReadCompactDir(b, &t) {
		return nil, false
	}
	var values [view.MaxPlain]uint64
	kept, ok := keepPlain(&t, a, values[:])
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

// asksDirectory reports whether the values of a plain list are looked up in a directory one by one.
func asksDirectory(list, in *view.View) bool {
	return list.Form() == view.FormSolo && list.IsPlain() && in.Form() == view.FormCompact &&
		list.SoloLen() <= view.MaxPlain &&
		list.SoloLen() <= max(in.Count()+in.Count()/4, askedOnly)
}

// keepPlain returns those values of a plain list that the containers have, one by one, in memory
// that has room for the list. ok is false if one of these is packed.
func keepPlain(t *view.CompactDir, v *view.View, values []uint64) (kept []uint64, ok bool) {
	list, width := v.Plain()
	n, _, ok := t.KeepAll(values[:sorted.PlainValues(values, list, width)], 0)
	return values[:n], ok
}

// plainInFewChunks is inFewChunks of a plain list: where a chunk begins is how many values are
// before it.
func plainInFewChunks(dst []uint64, v, in *view.View) (n int, ok bool) {
	list, width := v.Plain()
	at := 0 // which never goes back, as keys that are not valid might
	for i := range in.Count() {
		key, kind, data := in.PayloadAt(i)
		if kind == container.Packed {
			return 0, false
		}
		if key > 0 {
			at = max(at, sorted.PlainRank(list, width, key<<16-1))
		}
		for ; at < v.SoloLen(); at++ {
			x := sorted.PlainAt(list, width, at)
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
