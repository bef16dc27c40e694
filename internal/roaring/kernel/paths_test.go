// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// answer is what a kernel says of some operands.
type answer struct {
	kernel  string
	ordered bool // it says the same on all paths only of arrays that ascend
	said    []any
}

// answers are what kernels say of the same operands, one after the other.
type answers []answer

// of adds what a kernel says of operands that may be anything.
func (all *answers) of(kernel string, said ...any) {
	*all = append(*all, answer{kernel, false, said})
}

// ofOrdered adds what a kernel says of arrays that should ascend.
func (all *answers) ofOrdered(kernel string, said ...any) {
	*all = append(*all, answer{kernel, true, said})
}

// answersOf returns what the kernels that have several paths say of two arrays, which need not
// ascend, and of what is made of them: bitsets, runs, counters, lists of 64 bits and packed blocks.
// TestAssemblyIsFuzzed reads which kernels are asked.
func answersOf(a, b []byte, low uint) (all answers) {
	all.arrays(a, b)
	all.searches(a, b)
	all.bitsets(a, b)
	all.runs(a, b)
	all.counters(a, b, low)
	all.lists(a, b, low)
	all.plain(a, b, low)
	all.packed(a, b, low)
	all.shortLists(a, b, low)
	all.payload(a, b, low)
	return all
}

// onEachPath compares the answers on all paths. Of arrays that do not ascend only those are
// compared that look at one value at a time.
func onEachPath(t *testing.T, a, b []byte, low uint) {
	taken := cpu.Active
	defer cpu.Use(taken)
	ascend := func(lows []byte) bool {
		_, ok := ArrayShape(lows)
		return ok && len(lows)%2 == 0
	}
	ordered := ascend(a) && ascend(b)
	cpu.Use(cpu.Generic)
	want := answersOf(a, b, low)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		got := answersOf(a, b, low)
		if len(got) != len(want) {
			t.Fatalf("%v, %d and %d bytes, low width %d: %d answers, want %d", p, len(a), len(b), low, len(got),
				len(want))
		}
		for i, w := range want {
			if (ordered || !w.ordered) && !reflect.DeepEqual(got[i], w) {
				t.Fatalf("%v, %s of %d and %d bytes, low width %d: got %v, want %v", p, w.kernel, len(a), len(b), low,
					got[i].said, w.said)
			}
		}
	}
}

// FuzzPaths gives the same operands to the kernels on every path: as they are, and in ascending
// order.
func FuzzPaths(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint8(0))
	f.Add([]byte{0, 0, 1, 0, 0xFF, 0xFF}, []byte{0, 0, 0xFF, 0xFF}, uint8(3))
	long := make([]byte, 3000)
	for i := range long {
		long[i] = byte(i * i >> 5)
	}
	f.Add(long, long[500:1500], uint8(7))
	f.Add(long[:700], long[20:], uint8(31))
	r := rand.New(rand.NewPCG(71, 72))
	random := make([]byte, 8192)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	f.Add(random, random[3000:], uint8(5))
	f.Add(random, random[:100], uint8(2))
	f.Add(random[:60], random[40:], uint8(17))
	for _, low := range []uint8{0, 2, 3, 10} {
		f.Add(random[:60], seedDirectory(40, low), low)
		f.Add(random[:8], seedDirectory(5, low), low)
	}
	f.Fuzz(func(t *testing.T, a, b []byte, low uint8) {
		a, b = a[:min(len(a), 4096)], b[:min(len(b), 4096)]
		onEachPath(t, a, b, uint(low)%64)
		onEachPath(t, inOrder(a), inOrder(b), uint(low)%64)
	})
}

// seedDirectory returns bytes that answers.directory reads as so many arrays.
func seedDirectory(count int, low uint8) []byte {
	keyBytes, endBytes := 1+int(low)%6, 2+int(low)%3
	b := make([]byte, 24*count)
	ends := 2 + count*(keyBytes+2)
	payloads := ends + count*endBytes
	size := (len(b) - payloads) / 2
	for i := range count {
		b[2+i*keyBytes] = byte(3 * i)
		end := 2 * (size * (i + 1) * (i + 1) / (count * count)) // longer and longer ones
		copy(b[ends+i*endBytes:][:endBytes], binary.LittleEndian.AppendUint32(nil, uint32(end)<<2))
	}
	for i := payloads; i < len(b); i++ {
		b[i] = byte(i * i >> 3)
	}
	return b
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

// spread returns the values of lows in ascending order, 2^shift times as far apart.
func spread(lows []byte, shift uint) (values []uint64) {
	for lows = inOrder(lows); len(lows) > 0; lows = lows[2:] {
		values = append(values, uint64(load16(lows, 0))<<shift)
	}
	return values
}
