// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareFinds compares two functions that find values in packed blocks, which stand beside memory
// that must not be touched: in valid blocks of all lengths to beyond some words, by all values of
// them and others, and in bytes that are no block, where the answer must be a place in it.
func compareFinds(t *testing.T, got, want func(p *Packed, upper int, d uint64) (i int, found bool)) {
	had := 0
	onBlocks(t, func(r *rand.Rand, p *Packed, values []uint64, valid bool) {
		upper := p.upper()
		for _, d := range questions(r, values, 40) {
			i, found := got(p, upper, d)
			wantI, wantFound := want(p, upper, d)
			if valid && (i != wantI || found != wantFound) || i < 0 || i > p.N {
				t.Fatalf("%d in %d values %v, low width %d: got %d, %t, want %d, %t", d, p.N, values, p.Low, i, found,
					wantI, wantFound)
			}
			if found {
				had++
			}
		}
	})
	if had < 10000 {
		t.Fatalf("%d values were found", had)
	}
}

// compareAts compares two functions that return a value by its index, as compareFinds does.
func compareAts(t *testing.T, got, want func(p *Packed, upper, i int) (d uint64, ok bool)) {
	onBlocks(t, func(_ *rand.Rand, p *Packed, values []uint64, valid bool) {
		for i := range p.N {
			d, ok := got(p, p.upper(), i)
			wantD, wantOk := want(p, p.upper(), i)
			if ok != wantOk || ok && d != wantD || valid && (!ok || d != values[i]) {
				t.Fatalf("value %d of %d, low width %d: got %d, %t, want %d, %t", i, p.N, p.Low, d, ok, wantD, wantOk)
			}
		}
	})
}

// onBlocks calls f with packed blocks and the values that they have, if they are valid. As many
// bytes stand before them as make eight.
func onBlocks(t *testing.T, f func(r *rand.Rand, p *Packed, values []uint64, valid bool)) {
	r := rand.New(rand.NewPCG(137, 1))
	memory := kerneltest.NewArena(t, 4*4096)
	tried := 0
	for i := range 20000 {
		width := r.IntN(50)
		values := kerneltest.Ascending(1+r.IntN(1<<(i%9)), func() uint64 { return r.Uint64() >> (63 - width) })
		low := LowWidth(len(values), values[len(values)-1]) + uint(r.IntN(3))
		if i%16 == 7 { // few values; the last one is the last bit of a word
			n := 1 + r.IntN(3)
			low = 8 * uint(r.IntN(6))
			top := uint64(64*(1+r.IntN(9))-n) << low
			draw := func() uint64 { return r.Uint64N(top) }
			values = append(kerneltest.Ascending(n-1, draw), top+r.Uint64N(1<<low))
			for len(values) < n {
				values = append(kerneltest.Ascending(n-1, draw), values[len(values)-1])
			}
		}
		block := appendPacked(nil, values, low)
		valid := i%5 != 0
		for j := 0; j < len(block) && !valid; j++ {
			block[j] ^= byte(r.Uint32() & r.Uint32() & r.Uint32())
		}
		head := max(8-len(block), 0)
		b := memory.Put(head+len(block), []int{kerneltest.AtEnd, kerneltest.AtBegin, 1 + r.IntN(64)}[i%3],
			append(make([]byte, head), block...))
		p := Packed{Block: b[head:], N: len(values), Low: low}
		if p.upper() == 0 || low > maxGatherLow {
			continue
		}
		tried++
		f(r, &p, values, valid)
		if !memory.Intact() {
			t.Fatalf("%d values, low width %d: memory was changed", len(values), low)
		}
	}
	if tried < 10000 {
		t.Fatalf("%d blocks were tried", tried)
	}
}
