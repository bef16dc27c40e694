// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
)

// plainFew is the number of values up to which memory for them on the stack, which is cleared each
// time, is small.
const plainFew = 16

// plainAndLen returns how many values two lists have in common of which one is plain at least. ok
// is false if that is found out faster in other ways.
func plainAndLen(a, b *View) (n int, ok bool) {
	switch {
	case int64(a.code&b.code) >= 0:
		if b.isPlain() {
			a, b = b, a
		}
		return plainAndCoded(a, b)
	case max(a.soloLen(), b.soloLen()) > maxPlain:
		return 0, false
	case a.kw() == 8*kernel.PlainLeast && b.kw() == 8*kernel.PlainLeast:
		p, _ := a.plain()
		q, _ := b.plain()
		if kernel.PlainApart(p, q) {
			return 0, true
		}
		return kernel.PlainAndLen(p, q), true
	case max(a.soloLen(), b.soloLen()) <= plainFew:
		if kernel.PlainPairs(max(len(a.body), len(b.body)) - headPlain) {
			return 0, false
		}
		return plainCommon(nil, a, b), true
	}
	return plainValuesLen(a, b), true
}

// plainValuesLen counts what two plain lists have in common by their values.
func plainValuesLen(a, b *View) (n int) {
	var xs, ys [maxPlain]uint64
	p, width := a.plain()
	q, other := b.plain()
	n, _, _ = kernel.ValuesAndLen(xs[:kernel.PlainValues(xs[:], p, width)], ys[:kernel.PlainValues(ys[:], q, other)])
	return n
}

// plainCommon is common of two plain lists of at most plainFew values each.
func plainCommon(dst []uint64, a, b *View) (n int) {
	var xs, ys [plainFew]uint64
	p, width := a.plain()
	q, other := b.plain()
	x, y := xs[:kernel.PlainValues(xs[:], p, width)], ys[:kernel.PlainValues(ys[:], q, other)]
	if dst == nil {
		n, _, _ = kernel.ValuesAndLen(x, y)
		return n
	}
	return kernel.ValuesAnd(dst, x, y)
}

// plainAndCoded is plainAndLen of a plain list and one that is not: its values are written out as a
// plain list. To look values up in a plain list by its upper part, as is done otherwise, is slow:
// that says nothing.
func plainAndCoded(plain, coded *View) (n int, ok bool) {
	if plain.isFewest() && coded.isFewest() {
		return fewestAndLen(plain, coded), true
	}
	if plain.kw() != 8*kernel.PlainLeast || 2*plain.soloLen() < coded.soloLen() ||
		max(plain.soloLen(), coded.soloLen()) > maxPlain {
		return 0, false
	}
	var values [maxPlain]uint64
	var list [maxPlain * kernel.PlainLeast]byte
	var it kernel.PackedIter
	coded.iterSolo(&it)
	k := 0
	for _, x := range values[:it.Values(values[:], 0)] {
		if x>>32 != 0 {
			break
		}
		binary.LittleEndian.PutUint32(list[4*k:4*k+4], uint32(x))
		k++
	}
	p, _ := plain.plain()
	return kernel.PlainAndLen(p, list[:4*k]), true
}

// plainInDirectory returns how many values of a plain list a compact directory has. ok is false if
// these are not such sets, or the list has much more values than there are containers.
func plainInDirectory(a, b *View) (n uint64, ok bool) {
	if b.form() == formSolo {
		a, b = b, a
	}
	var t compactDir
	switch {
	case !asksDirectory(a, b) || !b.readCompactDir(&t):
		return 0, false
	case a.soloLen() <= plainFew:
		var values [plainFew]uint64 // of memory on the stack, which is cleared each time
		kept, ok := t.keepPlain(a, values[:])
		return uint64(len(kept)), ok
	}
	var values [maxPlain]uint64
	kept, ok := t.keepPlain(a, values[:])
	return uint64(len(kept)), ok
}

// andPlainInDirectory is plainInDirectory that returns what both have in common.
func andPlainInDirectory(a, b *View) (m *Bitmap, ok bool) {
	if b.form() == formSolo {
		a, b = b, a
	}
	var t compactDir
	if !asksDirectory(a, b) || !b.readCompactDir(&t) {
		return nil, false
	}
	var values [maxPlain]uint64
	kept, ok := t.keepPlain(a, values[:])
	switch {
	case !ok:
		return nil, false
	case len(kept) == 0:
		return new(Bitmap), true
	}
	c := borrowResult()
	defer c.release()
	return c.ofValues(kept), true
}

// asksDirectory reports whether the values of a plain list are looked up in a directory one by one.
func asksDirectory(list, in *View) bool {
	return list.form() == formSolo && list.isPlain() && in.form() == formCompact && list.soloLen() <= maxPlain &&
		list.soloLen() <= max(in.count()+in.count()/4, askedOnly)
}

// keepPlain returns those values of a plain list that the containers have, one by one, in memory
// that has room for the list. ok is false if one of these is packed.
func (t *compactDir) keepPlain(v *View, values []uint64) (kept []uint64, ok bool) {
	list, width := v.plain()
	n, _, ok := t.keepAll(values[:kernel.PlainValues(values, list, width)], 0)
	return values[:n], ok
}

// plainInFewChunks is inFewChunks of a plain list: where a chunk begins is how many values are
// before it.
func plainInFewChunks(dst []uint64, v, in *View) (n int, ok bool) {
	list, width := v.plain()
	at := 0 // which never goes back, as keys that are not valid might
	for i := range in.count() {
		key, kind, data := in.payloadAt(i)
		if kind == container.Packed {
			return 0, false
		}
		if key > 0 {
			at = max(at, kernel.PlainRank(list, width, key<<16-1))
		}
		for ; at < v.soloLen(); at++ {
			x := kernel.PlainAt(list, width, at)
			if x>>16 != key {
				break
			}
			if holds(kind, data, uint16(x)) {
				if dst != nil {
					dst[n] = x
				}
				n++
			}
		}
	}
	return n, true
}
