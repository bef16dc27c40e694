// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"slices"
)

// packed asks the kernels of packed blocks: of any bytes, whose values may be any, and of the
// values of b, further apart.
func (all *answers) packed(a, b []byte, low uint) {
	lows, values := make([]byte, len(a)), make([]uint64, len(a)/2)
	var unspecified answers
	unspecified.block(Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low}, lows, values)
	if list := spread(b, low%24); len(list) > 0 {
		all.block(blockOf(list), lows, values)
	}
	all.offsets(a, b, low)
}

// blockOf returns the smallest block of some values.
func blockOf(values []uint64) Packed {
	low := PackedLow(len(values), values[len(values)-1])
	return Packed{Block: appendPacked(nil, values, low), N: len(values), Low: low}
}

// block decodes a block in parts, as lows and as values, and looks values up in it.
func (all *answers) block(p Packed, dst []byte, values []uint64) {
	it := p.Iter()
	for range 6 {
		d, ok := it.Peek()
		n := it.Lows(dst, d>>16)
		all.of("PackedIter.Lows", ok, n, bytes.Clone(dst[:2*n]), it.Index())
		n = it.Values(values[:len(values)/2], 5)
		all.of("PackedIter.Values", n, slices.Clone(values[:n]), it.Index())
	}
	probe, asked := p.Probe(), make([]uint64, 0, 64)
	for i := range uint64(cap(asked)) {
		asked = append(asked, i*i*i)
	}
	all.of("PackedProbe.Keep", asked[:probe.Keep(asked, asked, 0)])
	all.values(p, 40)
}

// values asks for some values of a block, by their places, and for the places of these and others.
func (all *answers) values(p Packed, some int) {
	for i := 0; i < p.N; i += 1 + p.N/some {
		d, ok := p.At(i)
		all.of("Packed.At", d, ok)
		for _, x := range []uint64{d - 1, d, d + 1, d ^ 1<<p.Low} {
			at, found := p.Find(x)
			all.of("HasBehind", p.HasBehind(0, x) == found)
			all.of("Packed.Find", x, at, found)
		}
	}
}

// shortLists asks for what short lists of the values of a and lists of those of b have in common:
// pairs of all lengths that a kernel takes, and a short one with all of the other.
func (all *answers) shortLists(a, b []byte, low uint) {
	x, y := spread(a, low%44), spread(b, low%44)
	if len(x) == 0 || len(y) == 0 {
		return
	}
	part := func(values []uint64, from, n int) Packed {
		from = min(from, len(values)-1)
		values = values[from:min(from+n, len(values))]
		return blockOf(values)
	}
	for n := 1; n <= listMost; n++ {
		p, q := part(x, n*n, n), part(y, n*n, min(n+n%5, listMost))
		all.meet(&p, &q)
		all.values(q, listMost)
		q = part(y, 0, len(y))
		all.meet(&p, &q)
	}
}

// meet asks how many values two blocks have in common. Which lists a path compares is its own
// affair, and not asked.
func (all *answers) meet(p, q *Packed) {
	want := packedMeetGeneric(p, q, 0, 0)
	n, ok := PackedPairLen(p, q, 0)
	all.of("PackedPairLen", !ok || n == want)
	n, ok = PackedMeetLen(p, q, 0)
	all.of("PackedMeetLen", !ok || n == want)
}

// payload looks the values of a up in a payload of those of b whose low width is 16.
func (all *answers) payload(a, b []byte, low uint) {
	list := spread(b, low%9)
	if len(list) == 0 {
		return
	}
	whole := append([]byte{shortLow}, appendPacked(nil, list, shortLow)...)
	room := padded(append(whole, make([]byte, shortFrom)...))
	asked := append(spread(a, low%8), list...)
	for _, d := range asked[:min(len(asked), 100)] {
		i, found := PackedPlace(room, len(whole), len(list), d)
		all.of("PackedPlace", d, i, found)
	}
}
