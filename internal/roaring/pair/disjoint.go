// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Half of all pairs of small sets that stand for rare things have no range in common. What follows
// finds that out in the time of a few loads, before anything is made ready to look for values: from
// the first and the last key of a directory, and from the first and the last one of a list's upper
// part.

// ends returns bounds of the values of a list: none is less than least, and none divided by 2^low
// is more than high, low being the low width of the list. Of bytes that are not valid it returns
// any numbers.
func ends(v *view.View) (least, high uint64) {
	body, head, low, n := v.Raw(), int(v.Ow()), int(v.Kw()), v.ListLen()
	if len(body) < 8 {
		ones := swar.TailWord(body[head:]) & (1<<(8*(len(body)-head)-n*low&63) - 1)
		return uint64(bits.TrailingZeros64(ones)) << (low & 63), uint64(bits.Len64(ones) - n)
	}
	// The first one is in the upper part of every valid block, whatever follows that part.
	at := min(head, len(body)-8)
	first := binary.LittleEndian.Uint64(body[at:]) >> (8 * (head - at) & 63)
	least = uint64(bits.TrailingZeros64(first)) << (low & 63)
	// The last one is in the last eight bytes of the upper part. The bits behind it are shifted
	// out.
	upper := 8*(len(body)-head) - n*low
	at = max(head+(upper+7)>>3-8, 0)
	last := binary.LittleEndian.Uint64(body[at:]) << ((64 - upper - 8*(head-at)) & 63)
	return least, uint64(upper - n - bits.LeadingZeros64(last))
}

// bounds returns bounds of the values of v: none is less than least or larger than most. Without
// values, least may exceed most. Of invalid bytes it returns any numbers.
func bounds(v *view.View) (least, most uint64) {
	switch v.Form() {
	case view.FormEmpty:
		return math.MaxUint64, 0
	case view.FormSingle:
		return v.Single(), v.Single()
	case view.FormList:
		if v.IsFixed() {
			list, width := v.Fixed()
			return sorted.FixedAt(list, width, 0), sorted.FixedAt(list, width, v.ListLen()-1)
		}
		least, high := ends(v)
		if low := v.Kw(); high < math.MaxUint64>>low {
			return least, (high+1)<<low - 1
		}
		return least, math.MaxUint64
	}
	count, body, kw := v.Count(), v.Raw(), int(v.Kw())
	// what follows, without asking each time which form it is
	if v.Form() == view.FormCompact && 2+kw*count+8 <= len(body) {
		mask := view.WidthMasks[kw&7]
		least = binary.LittleEndian.Uint64(body[2+kw:]) & mask << 16
		if most = binary.LittleEndian.Uint64(body[2+kw*count:])&mask<<16 |
			0xFFFF; body[view.Payloads(v)-int(v.Ow())]&3 == container.Packed {
			most = math.MaxUint64
		}
		return least, most
	}
	switch {
	case count == 0:
		return math.MaxUint64, 0
	case v.KindAt(count-1) == container.Packed:
		return v.KeyAt(0) << 16, math.MaxUint64
	}
	return v.KeyAt(0) << 16, v.KeyAt(count-1)<<16 | 0xFFFF
}

// keysDisjoint reports whether the chunks of one compact directory all precede those of the other.
// It may be false of directories of a few bytes.
func keysDisjoint(a, b *view.View) bool {
	p, q, kw, other := a.Raw(), b.Raw(), int(a.Kw()), int(b.Kw())
	last, most := 2+kw*a.Count(), 2+other*b.Count() // where their last keys stand
	if last+8 > len(p) || most+8 > len(q) {
		return false
	}
	mask, otherMask := view.WidthMasks[kw&7], view.WidthMasks[other&7]
	if binary.LittleEndian.Uint64(p[last:])&mask < binary.LittleEndian.Uint64(q[2+other:])&otherMask {
		return p[view.Payloads(a)-int(a.Ow())]&3 != container.Packed
	}
	return binary.LittleEndian.Uint64(q[most:])&otherMask < binary.LittleEndian.Uint64(p[2+kw:])&mask &&
		q[view.Payloads(b)-int(b.Ow())]&3 != container.Packed
}

// overlap returns bounds of what two sets may have in common: nothing if the first is the larger
// one.
func overlap(a, b *view.View) (least, most uint64) {
	least, most = bounds(a)
	otherLeast, otherMost := bounds(b)
	return max(least, otherLeast), min(most, otherMost)
}

// rangesDisjoint reports whether the values of one set are known to be less than those of the
// other. It looks only at bounds.
func rangesDisjoint(a, b *view.View) bool {
	if a.Form() == view.FormCompact && b.Form() == view.FormCompact {
		return keysDisjoint(a, b)
	}
	least, most := overlap(a, b)
	return least > most
}

// clip returns those of the values, which ascend, that lie within bounds: what is outside stands
// at the ends.
func clip(values []uint64, least, most uint64) []uint64 {
	for len(values) > 0 && values[0] < least {
		values = values[1:]
	}
	for len(values) > 0 && values[len(values)-1] > most {
		values = values[:len(values)-1]
	}
	return values
}

// outside reports whether x is known to lie outside the range of a list. It looks only at upper
// parts.
func outside(v *view.View, x uint64) bool {
	least, high := ends(v)
	return x < least || x>>v.Kw() > high
}

// meets returns whether v has x, as a number of values: 0 or 1. x may lie outside the range of v.
func meets(v *view.View, x uint64) (n uint64) {
	found := false
	switch v.Form() {
	case view.FormSingle:
		found = v.Single() == x
	case view.FormList:
		if v.IsFixed() {
			list, width := v.Fixed()
			found = sorted.FixedHas(list, width, x)
			break
		}
		found = (eliasfano.FastHas() || !outside(v, x)) && view.ListHas(v, x)
	default:
		found = v.Has(x)
	}
	if found {
		n = 1
	}
	return n
}
