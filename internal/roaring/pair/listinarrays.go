// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// A short list and a directory of a few values in arrays are decoded as a whole, on the stack, and
// compared: what else could be asked before takes as long. Values are offsets of 32 bits if those
// of the list are.

// readArrays makes a, which is the zero value, what kernels read of a compact directory, where it
// stays.
func readArrays(v *view.View, a *eliasfano.Arrays) {
	kw, ow, count := int(v.Kw()), int(v.Ow()), int(v.Code()>>view.NumberShift)
	ends := 2 + kw + count*(kw+2)
	a.Body, a.Keys, a.Ends, a.Payloads, a.KeyBytes, a.EndBytes, a.Count = v.Raw(), 2+kw, ends, ends+count*ow, kw, ow,
		count
}

// kindsAsked is the number of containers looked at before a directory is taken for one of arrays.
// Finding another kind with half of it decoded costs more.
const kindsAsked = 8

// maybeArrays reports whether v is a compact directory that begins with arrays, and arrays are read
// fast here.
func maybeArrays(v *view.View) bool {
	if v.Form() != view.FormCompact || !eliasfano.FastArrays() {
		return false
	}
	ow, count := int(v.Ow()), v.Count()
	refs := v.Raw()[view.Payloads(v)-count*ow:]
	for i := range min(count, kindsAsked) {
		if refs[i*ow]&3 != container.Array {
			return false
		}
	}
	return true
}

// listInArraysLen returns how many values a list and a directory have in common. ok is false unless
// both have few values, and the directory has them in arrays.
func listInArraysLen(list, in *view.View) (n int, ok bool) {
	longer := max(list.ListLen(), offsetsOf(in))
	if longer > fewOffsets || !maybeArrays(in) {
		return 0, false
	}
	var b eliasfano.Packed
	view.ReadList(list, &b)
	var a eliasfano.Arrays
	readArrays(in, &a)
	if n, ok = eliasfano.InArraysLen(&b, &a); ok {
		return n, true
	}
	short := longer <= fewOffsets/4 // memory on the stack is cleared each time
	switch fit := b.FitOffsets(); {
	case fit && short:
		var p, q [fewOffsets / 4]uint32
		return offsetsInArrays(nil, &b, &a, p[:], q[:])
	case fit:
		var p, q [fewOffsets]uint32
		return offsetsInArrays(nil, &b, &a, p[:], q[:])
	case short:
		var p, q [fewOffsets / 4]uint64
		return valuesInArrays(nil, &b, &a, p[:], q[:])
	default:
		var p, q [fewOffsets]uint64
		return valuesInArrays(nil, &b, &a, p[:], q[:])
	}
}

// andListInArrays is listInArraysLen that returns what both have in common.
func (c *result) andListInArrays(list, in *view.View) (m *mutable.Bitmap, ok bool) {
	if max(list.ListLen(), offsetsOf(in)) > fewOffsets || !maybeArrays(in) {
		return nil, false
	}
	var b eliasfano.Packed
	view.ReadList(list, &b)
	var a eliasfano.Arrays
	readArrays(in, &a)
	if n, ok := eliasfano.InArraysLen(&b, &a); ok && n == 0 { // which most have in common
		return new(mutable.Bitmap), true
	}
	if b.FitOffsets() {
		all := c.offsetsFor(3 * fewOffsets)
		n, ok := offsetsInArrays(all[2*fewOffsets:], &b, &a, all[:fewOffsets], all[fewOffsets:2*fewOffsets])
		if !ok {
			return nil, false
		}
		c.lists[0] = appendOffsets(c.lists[0][:0], all[2*fewOffsets:][:n])
		return c.ofValues(c.lists[0]), true
	}
	for i := range c.lists {
		c.lists[i] = slices.Grow(c.lists[i][:0], fewOffsets)[:fewOffsets]
	}
	n, ok := valuesInArrays(c.lists[2], &b, &a, c.lists[0], c.lists[1])
	if !ok {
		return nil, false
	}
	return c.ofValues(c.lists[2][:n]), true
}

// offsetsInArrays decodes a block to p and a directory to q, and returns how many values they
// share. It writes the values to dst unless that is nil. p and q have room for both unless the
// directory is invalid. ok is false if the directory holds anything but arrays.
func offsetsInArrays(dst []uint32, list *eliasfano.Packed, in *eliasfano.Arrays, p, q []uint32) (n int, ok bool) {
	m, next := eliasfano.ArraysOffsets(q, in, 0)
	// else what follows is beyond all offsets; of the smallest directory, which is not read, there
	// is no key to ask for
	if next == 0 || next < in.Count && in.Key(next) < 1<<16 {
		return 0, false
	}
	var it eliasfano.Iter
	it.Reset(list)
	p, q = p[:it.Offsets(p)], q[:m]
	if dst == nil {
		n, _, _ = sorted.OffsetsAndLen(p, q)
	} else {
		n, _, _ = sorted.OffsetsAnd(dst, p, q)
	}
	return n, true
}

// valuesInArrays is offsetsInArrays for lists of larger values.
func valuesInArrays(dst []uint64, list *eliasfano.Packed, in *eliasfano.Arrays, p, q []uint64) (n int, ok bool) {
	var it eliasfano.Iter
	it.Reset(list)
	p = p[:it.Values(p, 0)]
	if n, ok = eliasfano.ValuesInArraysLen(p, in); ok && (dst == nil || n == 0) {
		return n, true
	}
	m, next := eliasfano.ArraysValues(q, in, 0)
	if next < in.Count {
		return 0, false
	}
	if q = q[:m]; dst == nil {
		n, _, _ = sorted.ValuesAndLen(p, q)
	} else {
		n = sorted.ValuesAnd(dst, p, q)
	}
	return n, true
}
