// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "slices"

// offsets asks the kernels of offsets: of any bytes as a block, whose values may be any, and of the values of a and b, further apart.
func (all *answers) offsets(a, b []byte, low uint) {
	dst := make([]uint32, len(a)+len(b))
	var unspecified answers
	unspecified.decoded(Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low}, dst)
	all.kept(a, b, low)
	x, y := spread(a, low%17), spread(b, low%17)
	if len(x) == 0 || len(y) == 0 {
		return
	}
	all.decoded(blockOf(x), dst)
	p, q := offsetsOf(x), offsetsOf(y)
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

// kept widens the values of a, and looks them up in b as bits.
func (all *answers) kept(a, b []byte, low uint) {
	dst, base := make([]uint32, len(a)/2), uint32(low)<<16
	n := ArrayOffsets(dst, a, base)
	all.of("ArrayOffsets", n, slices.Clone(dst))
	n = KeepOffsets(dst[:n], b, base)
	all.of("KeepOffsets", n, slices.Clone(dst[:n]))
}

// offsetsOf returns values as offsets.
func offsetsOf(values []uint64) (offsets []uint32) {
	for _, x := range values {
		offsets = append(offsets, uint32(x))
	}
	return offsets
}
