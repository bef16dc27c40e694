// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container_test

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// blocksOf returns a set of lows as a block of each kind that can hold it.
func blocksOf(key uint64, lows []uint64) (out []container.Block) {
	if len(lows) == 0 {
		return []container.Block{{Key: key}}
	}
	for _, kind := range []uint8{container.Array, container.Bitset, container.Run} {
		c := roaringtest.Container{Kind: kind, Values: lows}
		if p := c.Payload(); len(p) <= container.MaxPayload {
			out = append(out, container.Block{Key: key, Data: p, N: int32(len(lows)), Kind: kind})
		}
	}
	return out
}

// table is a set of lows for the model.
type table [1 << 16]bool

func tableOf(lows []uint64) *table {
	var t table
	for _, x := range lows {
		t[x&0xFFFF] = true
	}
	return &t
}

func (t *table) lows() (out []uint64) {
	for i, in := range t {
		if in {
			out = append(out, uint64(i))
		}
	}
	return out
}

// combine is the model of the four operations.
func combine(a, b *table, f func(a, b bool) bool) []uint64 {
	var t table
	for i := range t {
		t[i] = f(a[i], b[i])
	}
	return t.lows()
}

type blockOp struct {
	name string
	f    func(a, b bool) bool
	do   func(s *container.Scratch, a, b container.Block) container.Block
	n    func(a, b container.Block) int
}

var blockOps = []blockOp{
	{"and", func(a, b bool) bool { return a && b }, (*container.Scratch).And, container.Block.AndLen},
	{"or", func(a, b bool) bool { return a || b }, (*container.Scratch).Or, container.Block.OrLen},
	{"andnot", func(a, b bool) bool { return a && !b }, (*container.Scratch).AndNot, container.Block.AndNotLen},
	{"xor", func(a, b bool) bool { return a != b }, (*container.Scratch).Xor, container.Block.XorLen},
}

// checkBlock compares a computed block with a sorted list of lows. Its payload must be valid.
func checkBlock(t *testing.T, what string, got container.Block, key uint64, want []uint64) {
	t.Helper()
	if got.Key != key || got.Len() != len(want) {
		t.Fatalf("%s: got %d values under key %d, want %d under %d", what, got.Len(), got.Key, len(want), key)
	}
	values := got.AppendTo(nil)
	for i, x := range values {
		values[i] = x - key<<16
	}
	if !slices.Equal(values, want) {
		t.Fatalf("%s: wrong values", what)
	}
	switch {
	case len(want) == 0 && (got.Kind != container.Array || len(got.Data) != 0):
		t.Fatalf("%s: an empty block of kind %d", what, got.Kind)
	case got.Kind == container.Array && len(want) > container.MaxArray, len(got.Data) > container.MaxPayload:
		t.Fatalf("%s: kind %d of %d values in %d bytes", what, got.Kind, len(want), len(got.Data))
	}
	checkPayload(t, what, got)
}

// checkPayload fails unless the payload of a block is one that a directory may hold: values that
// ascend, as many as the block says, and runs that do not touch.
func checkPayload(t *testing.T, what string, b container.Block) {
	t.Helper()
	switch b.Kind {
	case container.Array:
		if len(b.Data) != 2*b.Len() {
			t.Fatalf("%s: got an array of %d bytes, want 2 for each of %d values", what, len(b.Data), b.Len())
		}
		for i := 2; i < len(b.Data); i += 2 {
			before, low := binary.LittleEndian.Uint16(b.Data[i-2:]), binary.LittleEndian.Uint16(b.Data[i:])
			if low <= before {
				t.Fatalf("%s: got %d after %d in an array, want more", what, low, before)
			}
		}
	case container.Bitset:
		ones := 0
		for _, x := range b.Data {
			ones += bits.OnesCount8(x)
		}
		if len(b.Data) != container.MaxPayload || ones != b.Len() {
			t.Fatalf("%s: got a bitset of %d bytes with %d ones, want %d with %d", what, len(b.Data), ones,
				container.MaxPayload, b.Len())
		}
	case container.Run:
		sum, end := 0, -2
		for i := 0; i < len(b.Data); i += 4 {
			first := int(binary.LittleEndian.Uint16(b.Data[i:]))
			last := first + int(binary.LittleEndian.Uint16(b.Data[i+2:]))
			if first < end+2 || last >= container.ChunkValues {
				t.Fatalf("%s: got a run from %d to %d behind one to %d", what, first, last, end)
			}
			sum, end = sum+last-first+1, last
		}
		if len(b.Data)%4 != 0 || sum != b.Len() {
			t.Fatalf("%s: got runs of %d values in %d bytes, want %d", what, sum, len(b.Data), b.Len())
		}
	default:
		t.Fatalf("%s: got kind %d, want an array, a bitset or runs", what, b.Kind)
	}
}

// pairOfChunks returns two sets of lows, often related.
func pairOfChunks(r *rand.Rand) (a, b []uint64) {
	a, b = roaringtest.RandomChunk(r), roaringtest.RandomChunk(r)
	switch r.IntN(6) {
	case 0:
		b = slices.Clone(a)
	case 1: // a subset, skewed
		b = nil
		for _, x := range a {
			if r.IntN(60) == 0 {
				b = append(b, x)
			}
		}
	case 2:
		a = nil
	}
	if r.IntN(2) == 0 {
		a, b = b, a
	}
	return a, b
}

func TestBlockAlgebra(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rounds := roaringtest.Paced(60, 16)
	var s container.Scratch
	for range rounds {
		x, y := pairOfChunks(r)
		tx, ty := tableOf(x), tableOf(y)
		for _, op := range blockOps {
			want := combine(tx, ty, op.f)
			for _, a := range blocksOf(9, x) {
				for _, b := range blocksOf(9, y) {
					what := fmt.Sprintf("%s of kinds %d (%d values) and %d (%d values)", op.name, a.Kind, a.N, b.Kind,
						b.N)
					aData, bData := slices.Clone(a.Data), slices.Clone(b.Data)
					checkBlock(t, what, op.do(&s, a, b), 9, want)
					if got := op.n(a, b); got != len(want) {
						t.Fatalf("length of %s: got %d, want %d", what, got, len(want))
					}
					// The last result as either operand of the next.
					for side := range 2 {
						checkBlock(t, what+", first in scratch", op.do(&s, copiedInto(&s, a, side), b), 9, want)
						checkBlock(t, what+", second in scratch", op.do(&s, a, copiedInto(&s, b, side)), 9, want)
					}
					if !slices.Equal(aData, a.Data) || !slices.Equal(bData, b.Data) {
						t.Fatalf("%s: an operand changed", what)
					}
				}
			}
		}
		for _, a := range blocksOf(9, x) {
			for _, b := range blocksOf(9, y) {
				common := len(combine(tx, ty, blockOps[0].f))
				if got := a.Intersects(b); got != (common > 0) {
					t.Fatalf("Intersects of kinds %d and %d: got %v", a.Kind, b.Kind, got)
				}
				if got := a.Equal(b); got != slices.Equal(x, y) {
					t.Fatalf("Equal of kinds %d and %d: got %v", a.Kind, b.Kind, got)
				}
			}
		}
	}
}

// copiedInto copies a block into a buffer of the scratch, like the result of the last operation.
func copiedInto(s *container.Scratch, b container.Block, side int) container.Block {
	if len(b.Data) > 0 {
		copy(s.Buf[side][:], b.Data)
		b.Data = s.Buf[side][:len(b.Data)]
	}
	return b
}

func TestBlockThatDescends(t *testing.T) {
	for _, lows := range [][]byte{{1, 0, 1, 0}, {2, 0, 1, 0}, {1, 0, 9, 0, 8, 0}, {0xFF, 0xFF, 0, 0}} {
		if container.ArrayBlock(0, lows).Ascends() {
			t.Errorf("%v: got values that ascend", lows)
		}
	}
}

func TestBlockReads(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 40 {
		lows := roaringtest.RandomChunk(r)
		in := tableOf(lows)
		for _, b := range blocksOf(3, lows) {
			lo, ok := b.Min()
			if !ok || uint64(lo) != lows[0] {
				t.Fatalf("Min of kind %d: got %d", b.Kind, lo)
			}
			hi, ok := b.Max()
			if !ok || uint64(hi) != lows[len(lows)-1] {
				t.Fatalf("Max of kind %d: got %d", b.Kind, hi)
			}
			if !b.Ascends() {
				t.Fatalf("Ascends of kind %d: got false", b.Kind)
			}
			for i, low := range b.AppendLow(nil) {
				if uint64(low) != lows[i] {
					t.Fatalf("AppendLow of kind %d: value %d is %d", b.Kind, i, low)
				}
			}
			for _, x := range append(roaringtest.Asked(r, lows), 0, 65535) {
				x &= 0xFFFF
				if got := b.Contains(uint16(x)); got != in[x] {
					t.Fatalf("Contains(%d) of kind %d: got %v", x, b.Kind, got)
				}
				from, _ := slices.BinarySearch(lows, x)
				if got, ok := b.Next(uint16(x)); ok != (from < len(lows)) || ok && uint64(got) != lows[from] {
					t.Fatalf("Next(%d) of kind %d: got %d, %v", x, b.Kind, got, ok)
				}
				if got, want := b.Rank(uint16(x)), int(roaringtest.RankOf(lows, x)); got != want {
					t.Fatalf("Rank(%d) of kind %d: got %d, want %d", x, b.Kind, got, want)
				}
			}
			for _, i := range []int{-1, 0, len(lows) / 2, len(lows) - 1, len(lows)} {
				got, ok := b.Select(i)
				if ok != (i >= 0 && i < len(lows)) || ok && uint64(got) != lows[i] {
					t.Fatalf("Select(%d) of kind %d: got %d, %v", i, b.Kind, got, ok)
				}
			}
		}
	}
	var none container.Block
	if _, ok := none.Min(); ok || none.Len() != 0 || !none.IsEmpty() || none.Contains(0) || none.Rank(65535) != 0 {
		t.Fatal("the zero Block is not empty")
	}
	if _, ok := none.Next(0); ok {
		t.Fatal("the zero Block is not empty")
	}
	if _, ok := none.Max(); ok || len(none.AppendTo(nil)) != 0 || len(none.AppendLow(nil)) != 0 {
		t.Fatal("the zero Block is not empty")
	}
}

func TestPatch(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var s container.Scratch
	for range 60 {
		x, set := pairOfChunks(r)
		unset, _ := pairOfChunks(r)
		if r.IntN(3) > 0 {
			set, unset = set[:min(len(set), 30)], unset[:min(len(unset), 30)]
		}
		model := tableOf(x)
		for _, low := range unset {
			model[low] = false
		}
		for _, low := range set {
			model[low] = true
		}
		want := model.lows()
		for _, b := range blocksOf(4, x) {
			what := fmt.Sprintf("patch of kind %d (%d values): %d set, %d cleared", b.Kind, b.N, len(set), len(unset))
			checkBlock(t, what, s.Patch(b, lows16(set), lows16(unset)), 4, want)
			checkBlock(t, what+", in first buffer", s.Patch(copiedInto(&s, b, 0), lows16(set), lows16(unset)), 4, want)
			checkBlock(t, what+", in second buffer", s.Patch(copiedInto(&s, b, 1), lows16(set), lows16(unset)), 4, want)
		}
		for _, b := range blocksOf(4, x) {
			what := fmt.Sprintf("copy of kind %d (%d values)", b.Kind, b.N)
			c := s.Copy(b)
			checkBlock(t, what, c, 4, x)
			if c = s.Copy(c); len(c.Data) > 0 && &c.Data[0] == &b.Data[0] {
				t.Errorf("%s: got the same bytes, want others", what)
			}
			checkBlock(t, what+" of a copy", c, 4, x)
		}
		checkBlock(t, "BlockOf", container.OfLows(8, lows16(x), &s), 8, x)
	}
}

func lows16(lows []uint64) (out []uint16) {
	for _, x := range lows {
		out = append(out, uint16(x))
	}
	return out
}
