// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareProbes compares two functions that look up values in packed blocks. Blocks and values
// stand beside memory that must not be touched. Valid blocks have all lengths to beyond some words,
// and some are longer; other bytes are no block. Where the function under test stops, Go looks up
// the value.
func compareProbes(t *testing.T, got, want func(dst, values []uint64, base uint64, p *Probe) (n, read int)) {
	r := rand.New(rand.NewPCG(133, 1))
	list, memory := kerneltest.NewArena(t, 8*512), kerneltest.NewArena(t, 4*4096)
	stopped, passed, kept := 0, 0, 0
	for i := range 20000 {
		n := 1 + r.IntN(1<<(i%11))
		width := r.IntN(40)
		values := kerneltest.Ascending(n, func() uint64 { return r.Uint64() >> (63 - width) })
		low := LowWidth(len(values), values[len(values)-1]) + uint(r.IntN(3))
		block := appendPacked(nil, values, low)
		if i%5 == 0 {
			for j := range block {
				block[j] ^= byte(r.Uint32() & r.Uint32() & r.Uint32())
			}
		}
		if len(block) < 8 || len(block) > memory.Size() || low > maxGatherLow {
			continue
		}
		where := []int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(8)}[i%3]
		p := Packed{Block: memory.Put(len(block), where, block), N: len(values), Low: low}
		asked, base := questions(r, values, 1+r.IntN(1<<(i%9))), r.Uint64()
		for j := range asked {
			asked[j] += base
		}
		expected := make([]uint64, len(asked))
		probe := p.probe()
		k, _ := want(expected, asked, base, &probe)
		b := list.Put(8*len(asked), where, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(asked))),
			8*len(asked)))
		placed := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(asked))
		probe = p.probe()
		m := 0
		for from := 0; from < len(placed); from++ {
			c, read := got(placed[m:], placed[from:], base, &probe)
			m += c
			passed += read
			if from += read; from == len(placed) {
				break
			}
			stopped++
			x := placed[from]
			placed[m] = x
			if probe.Has(x - base) {
				m++
			}
		}
		if !slices.Equal(placed[:m], expected[:k]) {
			t.Fatalf("%d of %d values, low width %d: got %v, want %v", len(asked), len(values), low, placed[:m],
				expected[:k])
		}
		if !list.Intact() || !memory.Intact() {
			t.Fatalf("%d of %d values, low width %d: memory was changed", len(asked), len(values), low)
		}
		kept += m
	}
	if kept < 10000 || passed < stopped {
		t.Fatalf("%d values were found; of those asked for, %d were looked up and %d left to Go", kept, passed, stopped)
	}
}
