// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
)

// answers returns what the kernels that have several paths say of two arrays, which need not ascend, and of the bitsets and packed blocks made of them.
func answers(a, b []byte, low uint) (all []any) {
	add := func(x ...any) { all = append(all, x...) }
	dst := make([]byte, len(a)+len(b))
	array := func(f func(dst, a, b []byte) int, room int) {
		n := f(dst[:room:room], a, b)
		add(n, bytes.Clone(dst[:2*n]))
	}
	add(ArrayAndLen(a, b))
	array(ArrayAnd, min(len(a), len(b)))
	array(ArrayAndNot, len(a))
	array(ArrayOr, len(a)+len(b))
	array(ArrayXor, len(a)+len(b))
	half := asLows(bytes.Clone(b[:len(b)/4*2]))
	array(func(dst, a, b []byte) int { return Patch(dst, a, half, asLows(bytes.Clone(b[len(b)/4*2:]))) }, len(a)+len(b))
	var x, y, z Words
	Scatter(&x, a)
	Scatter(&y, b)
	for _, f := range []func(dst, a, b *Words) int{BitsetAnd, BitsetOr, BitsetAndNot, BitsetXor} {
		add(f(&z, &x, &y), bytes.Clone(z[:]))
	}
	for _, f := range []func(dst, a *Words){OrInto, XorInto, AndNotInto} {
		f(&z, &y)
		add(bytes.Clone(z[:]))
	}
	add(BitsetLen(&x), BitsetAndLen(&x, &y), ArrayBitsetAndLen(a, &y), RangeLen(&x, min(len(b), 30000), 60000), BitsetRank(&x, uint16(7*len(a)), BitsetLen(&x)))
	bits := func(f func(dst, lows []byte, a *Words) int) {
		n := f(dst[:len(a):len(a)], a, &y)
		add(n, bytes.Clone(dst[:2*n]))
	}
	bits(ArrayBitsetAnd)
	bits(ArrayBitsetAndNot)
	n := BitsetToArray(dst[:len(a):len(a)], &x)
	add(n, bytes.Clone(dst[:2*n]))
	room := make([]uint16, len(a)/2)
	n = BitsetLows(room, &x)
	add(n, slices.Clone(room[:n]))
	values := make([]uint64, len(a)/2)
	ArrayValues(values, a, 1<<40)
	add(slices.Clone(values))
	n, next := BitsetValuesFrom(values, &x, len(b), 1<<40)
	add(n, next, slices.Clone(values[:n]))
	// A block of any bytes, whose values may be any, and a block of the values of b, further apart.
	readPacked(Packed{Block: b, N: len(b) * 8 / (int(low) + 3), Low: low}, dst[:len(a)], values)
	var spread []uint64
	for lows := inOrder(b); len(lows) > 0; lows = lows[2:] {
		spread = append(spread, uint64(load16(lows, 0))<<(low%24))
	}
	if len(spread) > 0 {
		width := PackedLow(len(spread), spread[len(spread)-1])
		add(readPacked(Packed{Block: appendPacked(nil, spread, width), N: len(spread), Low: width}, dst[:len(a)], values)...)
	}
	return all
}

// readPacked decodes a block in parts, as lows and as values.
func readPacked(p Packed, dst []byte, values []uint64) (all []any) {
	it := p.Iter()
	for range 6 {
		d, ok := it.Peek()
		n := it.Lows(dst, d>>16)
		all = append(all, ok, n, bytes.Clone(dst[:2*n]), it.Index())
		n = it.Values(values[:len(values)/2], 5)
		all = append(all, n, slices.Clone(values[:n]), it.Index())
	}
	probe, asked := p.Probe(), make([]uint64, 0, 64)
	for i := range uint64(cap(asked)) {
		asked = append(asked, i*i*i)
	}
	return append(all, asked[:probe.Keep(asked, asked, 0)])
}

// onEachPath compares the answers on all paths. Of arrays that do not ascend only those are compared that look at one value at a time.
func onEachPath(t *testing.T, a, b []byte, low uint) {
	taken := Taken()
	defer Use(taken)
	ascend := func(lows []byte) bool {
		_, ok := ArrayShape(lows)
		return ok && len(lows)%2 == 0
	}
	first := 0
	if !ascend(a) || !ascend(b) {
		first = 11
	}
	Use(Generic)
	want := answers(a, b, low)
	for _, p := range Paths() {
		Use(p)
		got := answers(a, b, low)
		for i := first; i < len(want); i++ {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%v, answer %d of %d and %d bytes, low width %d: got %v, want %v", p, i, len(a), len(b), low, got[i], want[i])
			}
		}
	}
}

// FuzzPaths gives the same operands to the kernels on every path: as they are, and in ascending order.
func FuzzPaths(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint8(0))
	f.Add([]byte{0, 0, 1, 0, 0xFF, 0xFF}, []byte{0, 0, 0xFF, 0xFF}, uint8(3))
	long := make([]byte, 3000)
	for i := range long {
		long[i] = byte(i * i >> 5)
	}
	f.Add(long, long[500:1500], uint8(7))
	f.Add(long[:700], long[20:], uint8(31))
	f.Fuzz(func(t *testing.T, a, b []byte, low uint8) {
		a, b = a[:min(len(a), 8192)], b[:min(len(b), 8192)]
		onEachPath(t, a, b, uint(low)%64)
		onEachPath(t, inOrder(a), inOrder(b), uint(low)%64)
	})
}

// inOrder returns the values of lows in ascending order.
func inOrder(lows []byte) []byte {
	var xs []uint16
	for ; len(lows) >= 2; lows = lows[2:] {
		xs = append(xs, binary.LittleEndian.Uint16(lows))
	}
	slices.Sort(xs)
	var b []byte
	for _, x := range slices.Compact(xs) {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}
