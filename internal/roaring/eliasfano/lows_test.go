// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestPackedLanes decodes stretches of blocks, of every density and from any position, by lanes and
// bit by bit.
func TestPackedLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 3000 {
		chunks := 1 + r.Uint64N(1<<r.IntN(4))
		values := kerneltest.Ascending(1+r.IntN(1<<(1+r.IntN(13))), func() uint64 { return r.Uint64N(chunks << 16) })
		_, low := Size(len(values), values[len(values)-1], 63)
		low = max(low, uint(r.IntN(4))) - uint(r.IntN(2))&low
		block := naiveBlock(values, low)
		it := Packed{Block: block[:len(block):len(block)], N: len(values), Low: low}.Iter()
		at := r.IntN(len(values))
		it.Skip(at)
		for range 4 {
			if at == len(values) {
				break
			}
			d, ok := it.Peek()
			if !ok || d != values[at] {
				t.Fatalf("value %d of %d with low width %d: got %d, %v, want %d", at, len(values), low, d, ok,
					values[at])
			}
			chunk := d >> 16
			inChunk := at
			for inChunk < len(values) && values[inChunk]>>16 == chunk {
				inChunk++
			}
			if got := it.ChunkLen(chunk); got != inChunk-at {
				t.Fatalf("ChunkLen at %d with low width %d: got %d, want %d", at, low, got, inChunk-at)
			}
			room := 1 + r.IntN(1<<(1+r.IntN(12)))
			if r.IntN(2) == 0 {
				dst := make([]uint64, room)
				n := it.Values(dst, 5<<40)
				want := relativeTo(values[at:min(at+room, len(values))], -(5 << 40))
				if !slices.Equal(dst[:n], want) {
					t.Fatalf("%d Values from %d of %d with low width %d: got %d, want %d", room, at, len(values), low,
						dst[:n], want)
				}
				at += n
				continue
			}
			dst := make([]byte, 2*room)
			n := it.Lows(dst, chunk)
			var want []byte
			for _, x := range values[at:min(at+room, inChunk)] {
				want = append(want, byte(x), byte(x>>8))
			}
			if !slices.Equal(dst[:2*n], want) {
				t.Fatalf("%d Lows from %d of %d with low width %d: got %d, want %d", room, at, len(values), low,
					dst[:2*n], want)
			}
			at += n
		}
		if it.Index() != at {
			t.Fatalf("index: got %d, want %d", it.Index(), at)
		}
	}
}

func relativeTo(values []uint64, base int64) (out []uint64) {
	for _, x := range values {
		out = append(out, x-uint64(base))
	}
	return out
}

// TestPackedLanesHostile decodes random bytes, which may claim anything: nothing is read or written
// out of bounds, and no more than N values come.
func TestPackedLanesHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range 20000 {
		block := make([]byte, r.IntN(300))
		for i := range block {
			if block[i] = byte(r.Uint32()); r.IntN(3) == 0 {
				block[i] &= byte(r.Uint32()) >> 1
			}
		}
		p := Packed{Block: block, N: r.IntN(1500), Low: uint(r.IntN(20))}
		for range 2 {
			it := p.Iter()
			chunk := uint64(r.IntN(3))
			if d, ok := it.Peek(); ok && r.IntN(2) == 0 {
				chunk = d >> 16
			}
			total := 0
			for range 5 {
				dst := make([]byte, 2*r.IntN(400))
				total += it.Lows(dst, chunk)
				wide := make([]uint64, r.IntN(400))
				total += it.Values(wide, 0)
			}
			if total > max(p.N, 0) {
				t.Fatalf("got %d values, want at most %d", total, p.N)
			}
		}
	}
}

// TestChunkLenOfFewerOnes walks the chunks of a block that claims more values than its upper part
// has ones: what the chunks are said to have is not much more than the claim in all, so that nobody
// makes room for that again and again.
func TestChunkLenOfFewerOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(163, 1))
	for range 20 {
		values := kerneltest.Ascending(9000, func() uint64 { return r.Uint64N(1 << 30) })
		p := packOf(values, LowWidth(len(values), values[len(values)-1]))
		for i := range p.upper()/8 - 1 {
			p.Block[i] &= byte(r.Uint32() | r.Uint32())
		}
		chunks, sum := 0, 0
		it := p.Iter()
		for d, ok := it.Peek(); ok; d, ok = it.Peek() {
			chunks++
			sum += it.ChunkLen(d >> 16)
			it.Seek((d>>16 + 1) << 16)
		}
		if chunks < 1000 || sum > 2*p.N {
			t.Fatalf("%d chunks of %d values: %d in all", chunks, p.N, sum)
		}
	}
}
