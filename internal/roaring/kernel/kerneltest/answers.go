// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kerneltest

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// answer is what a kernel says of some operands.
type answer struct {
	kernel  string
	ordered bool // it says the same on all paths only of arrays that ascend
	said    []any
}

// Answers are what kernels say of the same operands, one after the other.
type Answers []answer

// Of adds what a kernel says of operands that may be anything.
func (all *Answers) Of(kernel string, said ...any) {
	*all = append(*all, answer{kernel, false, said})
}

// OfOrdered adds what a kernel says of arrays that should ascend.
func (all *Answers) OfOrdered(kernel string, said ...any) {
	*all = append(*all, answer{kernel, true, said})
}

// onEachPath compares the answers on all paths. Of arrays that do not ascend only those are
// compared that look at one value at a time.
func onEachPath(t *testing.T, a, b []byte, low uint, answersOf func(a, b []byte, low uint) Answers) {
	taken := cpu.Active
	defer cpu.Use(taken)
	ordered := bytes.Equal(a, InOrder(a)) && bytes.Equal(b, InOrder(b))
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

// FuzzPaths gives the same operands to the kernels that answersOf asks, on every path: as they are,
// and in ascending order. What they say must be the same.
func FuzzPaths(f *testing.F, answersOf func(a, b []byte, low uint) Answers) {
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
		onEachPath(t, a, b, uint(low)%64, answersOf)
		onEachPath(t, InOrder(a), InOrder(b), uint(low)%64, answersOf)
	})
}

// seedDirectory returns bytes that the answers of packed lists read as a directory of count arrays.
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
