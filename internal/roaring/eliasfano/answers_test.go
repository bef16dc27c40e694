// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"bytes"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// answers are what the kernels of this package say.
type answers struct{ kerneltest.Answers }

// answersOf returns what the kernels that have several paths say of packed blocks: of any
// bytes, and of the values of two arrays.
// TestAssemblyIsFuzzed reads which kernels are asked.
func answersOf(a, b []byte, low uint) kerneltest.Answers {
	var all answers
	all.packed(a, b, low)
	all.shortLists(a, b, low)
	all.payload(a, b, low)
	return all.Answers
}

// packed asks the kernels of packed blocks: of any bytes, whose values may be any, and of the
// values of b, further apart.
func (all *answers) packed(a, b []byte, low uint) {
	lows, values := make([]byte, len(a)), make([]uint64, len(a)/2)
	var unspecified answers
	unspecified.block(Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low}, lows, values)
	if list := kerneltest.Spread(b, low%24); len(list) > 0 {
		all.block(blockOf(list), lows, values)
	}
	all.offsets(a, b, low)
}

// blockOf returns the smallest block of some values.
func blockOf(values []uint64) Packed {
	low := LowWidth(len(values), values[len(values)-1])
	return Packed{Block: appendPacked(nil, values, low), N: len(values), Low: low}
}

// block decodes a block in parts, as lows and as values, and looks values up in it.
func (all *answers) block(p Packed, dst []byte, values []uint64) {
	it := p.Iter()
	for range 6 {
		d, ok := it.Peek()
		n := it.Lows(dst, d>>16)
		all.Of("Iter.Lows", ok, n, bytes.Clone(dst[:2*n]), it.Index())
		n = it.Values(values[:len(values)/2], 5)
		all.Of("Iter.Values", n, slices.Clone(values[:n]), it.Index())
	}
	probe, asked := p.probe(), make([]uint64, 0, 64)
	for i := range uint64(cap(asked)) {
		asked = append(asked, i*i*i)
	}
	all.Of("Probe.Keep", asked[:probe.Keep(asked, asked, 0)])
	all.values(p, 40)
}

// values asks for some values of a block, by their places, and for the places of these and others.
func (all *answers) values(p Packed, some int) {
	for i := 0; i < p.N; i += 1 + p.N/some {
		d, ok := p.At(i)
		all.Of("Packed.At", d, ok)
		for _, x := range []uint64{d - 1, d, d + 1, d ^ 1<<p.Low} {
			at, found := p.Find(x)
			all.Of("Packed.HasPadded", p.HasPadded(0, x) == found)
			all.Of("Packed.Find", x, at, found)
		}
	}
}

// shortLists intersects short lists of the values of a with lists of the values of b. It takes
// pairs of all lengths that a kernel takes, and each short one with all of the other list.
func (all *answers) shortLists(a, b []byte, low uint) {
	x, y := kerneltest.Spread(a, low%44), kerneltest.Spread(b, low%44)
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
	n, ok := PairLen(p, q, 0)
	all.Of("PairLen", !ok || n == want)
	n, ok = MeetLen(p, q, 0)
	all.Of("MeetLen", !ok || n == want)
}

// payload looks the values of a up in a payload of those of b whose low width is 16.
func (all *answers) payload(a, b []byte, low uint) {
	list := kerneltest.Spread(b, low%9)
	if len(list) == 0 {
		return
	}
	whole := append([]byte{shortLow}, appendPacked(nil, list, shortLow)...)
	room := padded(append(whole, make([]byte, shortFrom)...))
	asked := append(kerneltest.Spread(a, low%8), list...)
	for _, d := range asked[:min(len(asked), 100)] {
		i, found := Locate(room, len(whole), len(list), d)
		all.Of("Locate", d, i, found)
	}
}

// offsets asks the kernels of offsets: of any bytes as a block, whose values may be any, and of the
// values of a and b, further apart.
func (all *answers) offsets(a, b []byte, low uint) {
	dst := make([]uint32, len(a)+len(b))
	var unspecified answers
	unspecified.bucketsOf(Packed{Block: a, N: len(a) * 8 / (int(low) + 3), Low: low % 9},
		Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low % 9}, a)
	unspecified.decoded(Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low}, dst)
	all.directory(a, b, low)
	x, y := kerneltest.Spread(a, low%17), kerneltest.Spread(b, low%17)
	if len(x) == 0 || len(y) == 0 {
		return
	}
	all.decoded(blockOf(x), dst)
	all.buckets(x, y, b, low)
	all.lookedUp(kerneltest.OffsetsOf(x), blockOf(y))
}

// decoded decodes a block in parts.
func (all *answers) decoded(p Packed, dst []uint32) {
	if !p.FitOffsets() {
		return
	}
	it := p.Iter()
	for size := 1; size < len(dst); size += size {
		n := it.Offsets(dst[:size])
		all.Of("Iter.Offsets", n, slices.Clone(dst[:n]), it.Index())
	}
}

// directory reads b as a directory, whatever its fields are. Then it looks up a list of the values
// of a in it.
func (all *answers) directory(a, b []byte, low uint) {
	dir := Arrays{Body: b, Keys: 2, KeyBytes: 1 + int(low)%6, EndBytes: 2 + int(low)%3, Count: len(b) / 24}
	dir.Ends = dir.Keys + dir.Count*(dir.KeyBytes+2)
	dir.Payloads = dir.Ends + dir.Count*dir.EndBytes
	for _, room := range []int{len(b), len(b) / 5} { // for all values, and for less than most have
		offsets, values := make([]uint32, room), make([]uint64, room)
		n, next := ArraysOffsets(offsets, &dir, 0)
		all.Of("ArraysOffsets", n, next, slices.Clone(offsets[:n]))
		n, next = ArraysValues(values, &dir, 0)
		all.Of("ArraysValues", n, next, slices.Clone(values[:n]))
	}
	few := kerneltest.Spread(a, low%17)
	few = few[:min(len(few), listMost)]
	if len(few) == 0 || !dir.fit() {
		return
	}
	want, p := valuesInArraysGeneric(few, &dir), blockOf(few)
	n, ok := InArraysLen(&p, &dir)
	all.Of("InArraysLen", !ok || n == want)
	n, ok = ValuesInArraysLen(few, &dir)
	all.Of("ValuesInArraysLen", !ok || n == want)
}

// lookedUp looks offsets up in a list. Which lists a path takes for that is its own affair.
func (all *answers) lookedUp(offsets []uint32, p Packed) {
	var n int
	if p.KeepsOffsets(len(offsets)) {
		n = KeepOffsets(offsets, &p)
	} else {
		n, _ = packedKeepOffsetsGeneric(offsets, &p, p.upper())
	}
	all.Of("KeepOffsets", n, offsets[:n])
}

// buckets compares blocks of two lists bucket by bucket. It also looks up the values of the first
// in bits while they are decoded.
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

// bucketsOf intersects two blocks of the same low width, and the first block with bits. Each path
// chooses itself which blocks it compares, so that is not asked.
func (all *answers) bucketsOf(p, q Packed, bits []byte) {
	a, b := p.Iter(), q.Iter()
	want, _, _, _ := packedSameGeneric(nil, &a, &b, 0, 0, 100)
	n, _, ok := SameAndLen(&a, &b, 0, 0, 100)
	all.Of("SameAndLen", !ok || n == want)
	it, lows := p.Iter(), make([]byte, 2*max(p.N, 0)+BitsRoom)
	n = it.InBits(bits, 0)
	all.Of("Iter.InBits", n, it.Index())
	var words bitset.Words
	copy(words[:], bits)
	it = p.Iter()
	n = it.LowsInBits(lows, &words, 0)
	all.Of("Iter.LowsInBits", n, slices.Clone(lows[:2*n]), it.Index())
	array := kerneltest.InOrder(bits)
	it, lows = p.Iter(), make([]byte, len(array)+BitsRoom)
	n = it.InArray(array, 0)
	all.Of("Iter.InArray", n, it.Index())
	it = p.Iter()
	n = it.LowsInArray(lows, array, 0)
	all.Of("Iter.LowsInArray", n, slices.Clone(lows[:2*n]), it.Index())
}

// upToLimit returns how many values are below a limit.
func upToLimit(values []uint64, limit uint64) int {
	n, _ := slices.BinarySearch(values, limit)
	return n
}
