// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareMeets compares two functions that count what a short list and a longer one have in common.
// Both stand beside memory that must not be touched, with bytes before them that make them eight at
// least. Valid blocks have all lengths, and an upper part of one word or two. Others are no blocks.
func compareMeets(t *testing.T, got, want func(few, many *Packed, fewUpper, manyUpper int) int) {
	r := rand.New(rand.NewPCG(135, 1))
	memory := [2]*kerneltest.Arena{kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4*4096)}
	counted, given, common := 0, 0, 0
	for i := range 40000 {
		width := 1 + r.IntN(40)
		draw := func() uint64 { return r.Uint64() >> (64 - width) }
		lists := [2][]uint64{kerneltest.Ascending(1+r.IntN(1<<(i%5)), draw), kerneltest.Ascending(1+r.IntN(1<<(i%10)),
			draw)}
		for range r.IntN(8) {
			x := lists[0][r.IntN(len(lists[0]))]
			lists[1] = kerneltest.SortedSet(append(lists[1], x, x^1<<r.IntN(width)))
		}
		// beyond all of the longer list, what is like one of its values but for as many buckets as
		// a word has bits
		if i%8 == 3 {
			low := LowWidth(len(lists[1]), lists[1][len(lists[1])-1])
			for range 1 + r.IntN(3) {
				lists[0] = append(lists[0], lists[1][r.IntN(len(lists[1]))]+64<<(low+uint(r.IntN(3))))
			}
			lists[0] = kerneltest.SortedSet(lists[0])
		}
		valid := i%5 != 0
		var blocks [2]Packed
		for j, values := range lists {
			low := LowWidth(len(values), values[len(values)-1]) + uint(r.IntN(3))
			block := appendPacked(nil, values, low)
			for k := 0; k < len(block) && !valid; k++ {
				block[k] ^= byte(r.Uint32() & r.Uint32() & r.Uint32())
			}
			head := max(8-len(block), 0)
			b := memory[j].Put(head+len(block), []int{kerneltest.AtEnd, kerneltest.AtBegin, 8 * r.IntN(8)}[i%3],
				append(make([]byte, head), block...))
			blocks[j] = Packed{Block: b[head:], N: len(values), Low: low}
		}
		few, many := &blocks[0], &blocks[1]
		if few.upper() > 2*meetWord || few.upper() == 0 || max(few.Low, many.Low) > maxGatherLow {
			continue
		}
		n := got(few, many, few.upper(), many.upper())
		switch expected := want(few, many, few.upper(), many.upper()); {
		case n == -1:
			given++
		case valid && n != expected || n < 0 || n > few.N:
			t.Fatalf("%d values %v and %d values: got %d, want %d", few.N, lists[0], many.N, n, expected)
		default:
			counted++
			common += n
		}
		if !memory[0].Intact() || !memory[1].Intact() {
			t.Fatalf("%d and %d values: memory was changed", few.N, many.N)
		}
	}
	if counted < 20*given || common < 20000 {
		t.Fatalf("%d pairs were counted, with %d values, and %d left", counted, common, given)
	}
}

// TestPackedMeetLen counts what lists of few values have in common with others: of all shapes, of
// bytes that are no block, and in either order.
func TestPackedMeetLen(t *testing.T) {
	r := rand.New(rand.NewPCG(136, 1))
	tried, found, pairs := 0, 0, 0
	for range 4000 {
		bits, shift := 1+r.IntN(50), r.IntN(14)
		draw := func() uint64 { return r.Uint64N(1<<bits) << shift }
		a, b := kerneltest.Ascending(1+r.IntN(1<<r.IntN(6)), draw), kerneltest.Ascending(1+r.IntN(1<<r.IntN(11)), draw)
		b = kerneltest.SortedSet(append(b, kerneltest.Ascending(r.IntN(4),
			func() uint64 { return a[r.IntN(len(a))] })...))
		p, q := packOf(a, LowWidth(len(a), a[len(a)-1])), packOf(b, LowWidth(len(b), b[len(b)-1]))
		if r.IntN(2) == 0 {
			p, q = q, p
		}
		tried++
		if n, ok := PairLen(&p, &q, 0); ok {
			pairs++
			if want := len(kerneltest.InBoth(a, b)); n != want || max(p.upper(), q.upper()) > meetWord ||
				min(len(p.Block), len(q.Block)) < 8 {
				t.Fatalf("%d and %d values below 2^%d, as a pair: got %d in common, want %d", len(a), len(b),
					bits+shift, n, want)
			}
		}
		n, ok := MeetLen(&p, &q, 0)
		if ok {
			found++
		}
		if want := len(kerneltest.InBoth(a, b)); ok && n != want {
			t.Fatalf("%d and %d values below 2^%d: got %d in common, want %d", len(a), len(b), bits+shift, n, want)
		}
		if short := slices.Min([]int{len(p.Block), len(q.Block)}) < 8; short && n > 0 {
			t.Fatalf("blocks of %d and %d bytes: eight were read, or it was guessed", len(p.Block), len(q.Block))
		}
	}
	if found < tried/8 {
		t.Fatalf("found the answer for %d of %d pairs of lists, want an eighth of them at least", found, tried)
	}
	if cpu.Active >= cpu.AVX2 && cpu.Active != cpu.NEON && pairs < 500 {
		t.Fatalf("%d pairs were compared at once, want 500 at least", pairs)
	}
}

// TestPackedPairLenOfWideLists counts what lists whose lower parts may take more than eight bytes
// have in common: four to eight values of all 64 bits.
func TestPackedPairLenOfWideLists(t *testing.T) {
	r := rand.New(rand.NewPCG(137, 1))
	wide, others := 0, 0
	for range 4000 {
		shift := r.IntN(8)
		draw := func() uint64 { return r.Uint64() >> shift }
		a, b := kerneltest.Ascending(6-r.IntN(3), draw), kerneltest.Ascending(3, draw)
		b = kerneltest.SortedSet(append(b, a[:len(a)-1]...))
		p, q := packOf(a, LowWidth(len(a), a[len(a)-1])), packOf(b, LowWidth(len(b), b[len(b)-1]))
		n, ok := PairLen(&p, &q, 0)
		if want := len(kerneltest.InBoth(a, b)); ok && n != want {
			t.Fatalf("lists of low widths %d and %d: got %d in common, want %d", p.Low, q.Low, n, want)
		}
		if max(p.Low, q.Low) > maxGatherLow {
			wide++
		} else if ok {
			others++
		}
	}
	if wide < 1000 || cpu.Active >= cpu.AVX2 && cpu.Active != cpu.NEON && others < 100 {
		t.Fatalf("%d pairs of wide lists and %d of others, want 1000 and 100 at least", wide, others)
	}
}
