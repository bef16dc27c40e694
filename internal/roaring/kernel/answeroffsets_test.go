// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "slices"

// offsets asks the kernels of offsets: of any bytes as a block, whose values may be any, and of the
// values of a and b, further apart.
func (all *answers) offsets(a, b []byte, low uint) {
	dst := make([]uint32, len(a)+len(b))
	var unspecified answers
	unspecified.bucketsOf(Packed{Block: a, N: len(a) * 8 / (int(low) + 3), Low: low % 9},
		Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low % 9}, a)
	unspecified.decoded(Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low}, dst)
	all.kept(a, b, low)
	all.directory(a, b, low)
	x, y := spread(a, low%17), spread(b, low%17)
	if len(x) == 0 || len(y) == 0 {
		return
	}
	all.decoded(blockOf(x), dst)
	all.buckets(x, y, b, low)
	p, q := offsetsOf(x), offsetsOf(y)
	all.lookedUp(slices.Clone(p), blockOf(y))
	n, _, _ := OffsetsAnd(dst, p, q)
	k, _, _ := OffsetsAndLen(p, q)
	all.of("OffsetsAnd", n, k, slices.Clone(dst[:n]))
}

// decoded decodes a block in parts.
func (all *answers) decoded(p Packed, dst []uint32) {
	if !p.FitOffsets() {
		return
	}
	it := p.Iter()
	for size := 1; size < len(dst); size += size {
		n := it.Offsets(dst[:size])
		all.of("PackedIter.Offsets", n, slices.Clone(dst[:n]), it.Index())
	}
}

// directory reads b as a directory, whatever its fields are, and looks a list of the values of a up
// in it.
func (all *answers) directory(a, b []byte, low uint) {
	dir := Arrays{Body: b, Keys: 2, KeyBytes: 1 + int(low)%6, EndBytes: 2 + int(low)%3, Count: len(b) / 24}
	dir.Ends = dir.Keys + dir.Count*(dir.KeyBytes+2)
	dir.Payloads = dir.Ends + dir.Count*dir.EndBytes
	for _, room := range []int{len(b), len(b) / 5} { // for all values, and for less than most have
		offsets, values := make([]uint32, room), make([]uint64, room)
		n, next := ArraysOffsets(offsets, &dir, 0)
		all.of("ArraysOffsets", n, next, slices.Clone(offsets[:n]))
		n, next = ArraysValues(values, &dir, 0)
		all.of("ArraysValues", n, next, slices.Clone(values[:n]))
	}
	few := spread(a, low%17)
	few = few[:min(len(few), listMost)]
	if len(few) == 0 || !dir.fit() {
		return
	}
	want, p := valuesInArraysGeneric(few, &dir), blockOf(few)
	n, ok := PackedInArraysLen(&p, &dir)
	all.of("PackedInArraysLen", !ok || n == want)
	n, ok = ValuesInArraysLen(few, &dir)
	all.of("ValuesInArraysLen", !ok || n == want)
}

// lookedUp looks offsets up in a list. Which lists a path takes for that is its own affair.
func (all *answers) lookedUp(offsets []uint32, p Packed) {
	var n int
	if p.KeepsOffsets(len(offsets)) {
		n = PackedKeepOffsets(offsets, &p)
	} else {
		n, _ = packedKeepOffsetsGeneric(offsets, &p, p.upper())
	}
	all.of("PackedKeepOffsets", n, offsets[:n])
}

// kept widens the values of a, and looks them up in b as bits.
func (all *answers) kept(a, b []byte, low uint) {
	dst, base := make([]uint32, len(a)/2), uint32(low)<<16
	n := ArrayOffsets(dst, a, base)
	all.of("ArrayOffsets", n, slices.Clone(dst))
	n = KeepOffsets(dst[:n], b, base)
	all.of("KeepOffsets", n, slices.Clone(dst[:n]))
}

// buckets compares blocks of two lists bucket by bucket, and looks the values of the first up in
// bits as they are decoded.
func (all *answers) buckets(x, y []uint64, bits []byte, low uint) {
	low %= 9
	limit := uint64(1) << (low + 14) // of upper parts that are not too long
	x, y = x[:upToLimit(x, limit)], y[:upToLimit(y, limit)]
	if len(x) > 0 && len(y) > 0 {
		block := func(values []uint64) Packed {
			return Packed{Block: appendPacked(nil, values, low), N: len(values), Low: low}
		}
		all.bucketsOf(block(x), block(y), bits)
	}
}

// bucketsOf asks for what two blocks of the same low width have in common, and for the values of
// the first that bits have. Which blocks a path compares is its own affair, and not asked.
func (all *answers) bucketsOf(p, q Packed, bits []byte) {
	a, b := p.Iter(), q.Iter()
	want, _, _, _ := packedSameGeneric(nil, &a, &b, 0, 0, 100)
	n, _, ok := PackedSameAndLen(&a, &b, 0, 0, 100)
	all.of("PackedSameAndLen", !ok || n == want)
	it, lows := p.Iter(), make([]byte, 2*max(p.N, 0)+BitsRoom)
	n = it.InBits(bits, 0)
	all.of("PackedIter.InBits", n, it.Index())
	var words Words
	copy(words[:], bits)
	it = p.Iter()
	n = it.LowsInBits(lows, &words, 0)
	all.of("PackedIter.LowsInBits", n, slices.Clone(lows[:2*n]), it.Index())
	array := inOrder(bits)
	it, lows = p.Iter(), make([]byte, len(array)+BitsRoom)
	n = it.InArray(array, 0)
	all.of("PackedIter.InArray", n, it.Index())
	it = p.Iter()
	n = it.LowsInArray(lows, array, 0)
	all.of("PackedIter.LowsInArray", n, slices.Clone(lows[:2*n]), it.Index())
}

// upToLimit returns how many values are below a limit.
func upToLimit(values []uint64, limit uint64) int {
	n, _ := slices.BinarySearch(values, limit)
	return n
}

// offsetsOf returns values as offsets.
func offsetsOf(values []uint64) (offsets []uint32) {
	for _, x := range values {
		offsets = append(offsets, uint32(x))
	}
	return offsets
}
