// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"encoding/binary"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// unfold appends the containers of v as blocks, which are faster to walk than a cursor is:
// everything that can be checked of them has been checked. ok is false if there are too many, if
// one is packed, or if keys are out of order.
func unfold(v *view.View, dst []container.Block) (blocks []container.Block, ok bool) {
	if v.Count() > maxUnfolded || v.Form() == view.FormList {
		return dst, false
	}
	var t view.CompactDir
	if !view.ReadCompactDir(v, &t) {
		for i := range v.Count() {
			if v.KindAt(i) == container.Packed {
				return dst, false
			}
			dst = append(dst, v.BlockAt(i))
			if i > 0 && dst[len(dst)-1].Key <= dst[len(dst)-2].Key {
				return dst, false
			}
		}
		return dst, true
	}
	start, next := uint64(0), uint64(0)
	for i := range t.Count {
		key, end := t.Key(i), t.End(i)
		if end&3 == container.Packed || key < next {
			return dst, false
		}
		next = key + 1
		dst = append(dst, container.Block{})
		t.ReadBlock(&dst[len(dst)-1], i, key, start, end)
		start = end >> 2
	}
	return dst, true
}

// unfold is View.unfold that cuts short lists into arrays, too: another operand is walked by its
// blocks then. There is one list at most: two are merged value by value.
func (c *result) unfold(dst []container.Block, v *view.View) (blocks []container.Block, ok bool) {
	if v.Form() != view.FormList || !Sparse(v) || v.ListLen() > maxUnfolded {
		return unfold(v, dst)
	}
	values := AppendShort(v, c.lists[0][:0])
	c.lists[0] = values
	c.lows = slices.Grow(c.lows[:0], 2*len(values))[:2*len(values)]
	for i, at := 0, 0; i < len(values); at = i {
		key := values[i] >> 16
		for ; i < len(values) && values[i]>>16 == key; i++ {
			if i > 0 && values[i] <= values[i-1] {
				return dst, false // not valid
			}
			binary.LittleEndian.PutUint16(c.lows[2*i:2*i+2], uint16(values[i]))
		}
		if i < len(values) && values[i]>>16 < key || i-at > container.MaxArray {
			return dst, false
		}
		dst = append(dst, container.ArrayBlock(key, c.lows[2*at:2*i]))
	}
	return dst, true
}

// Short reports whether v is empty, one value or a list, with at most 64 values in a chunk.
func Short(v *view.View) bool { return v.Count() == 0 || Sparse(v) }

// AppendShort appends the values of a short set.
func AppendShort(v *view.View, dst []uint64) []uint64 {
	switch {
	case v.Count() == 0:
		return dst
	case v.Form() == view.FormSingle:
		return append(dst, v.Single())
	}
	n := len(dst)
	dst = append(dst, make([]uint64, v.Values())...)
	if v.IsFixed() {
		list, width := v.Fixed()
		return dst[:n+sorted.FixedValues(dst[n:], list, width)]
	}
	var it eliasfano.Iter
	view.IterList(v, &it)
	return dst[:n+it.Values(dst[n:], 0)]
}

// mergeValues combines two ascending lists; dst must have room for both.
//
// Advancing by comparisons without branches costs the same for any values.
func mergeValues(op container.Op, dst, a, b []uint64) []uint64 {
	dst = dst[:len(a)+len(b)]
	switch op {
	case container.And:
		return dst[:sorted.ValuesAnd(dst[:min(len(a), len(b))], a, b)]
	case container.AndNot:
		both := dst[len(a):]
		return without(dst[:len(a)], a, both[:sorted.ValuesAnd(both[:min(len(a), len(b))], a, b)])
	}
	i, j, n := 0, 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		inA, inB := 0, 0
		if x <= y {
			inA = 1
		}
		if y <= x {
			inB = 1
		}
		dst[n] = min(x, y)
		n += int(op >> (2*inA + inB) & 1)
		i += inA
		j += inB
	}
	if op>>2&1 == 1 {
		n += copy(dst[n:], a[i:])
	}
	if op>>1&1 == 1 {
		n += copy(dst[n:], b[j:])
	}
	return dst[:n]
}

// without writes the values of a that gone lacks to dst. The values of a ascend; gone is a part of
// them.
func without(dst, a, gone []uint64) []uint64 {
	n := 0
	for _, x := range gone {
		for ; len(a) > 0 && a[0] < x; a = a[1:] {
			dst[n] = a[0]
			n++
		}
		if len(a) > 0 {
			a = a[1:]
		}
	}
	return dst[:n+copy(dst[n:], a)]
}
