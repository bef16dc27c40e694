// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// The forms of short lists have limits: the bits of an upper part and of a lower part, the number
// of values, and the bytes of a block. The functions that choose a form check these limits. The
// tests ask them at each limit and next to it. Beyond a limit a form loses the last value, or reads
// before the block.
var (
	limitUppers = []int{63, 64, 65, 66, 127, 128, 129, 130, 511, 512, 513}    // bits
	limitSizes  = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 127, 128, 129} // bytes
	limitLows   = []uint{0, 1, 2, 3, 7, 8, 16, 17, 24, 25, 26, 27, 32, 55, 56, 57, 58, 63}
	limitCounts = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 18, 31, 32, 33}
)

// onLimits calls f with lists at the limits. The last value is one of the last eight bits of its
// upper part, so that a form can leave out none of these.
func onLimits(t *testing.T, r *rand.Rand, f func(values []uint64, low uint)) {
	lists := 0
	for _, n := range limitCounts {
		for _, low := range limitLows {
			var sizes []int
			for _, upper := range limitUppers {
				if whole := upper + n*int(low); whole%8 == 0 {
					sizes = append(sizes, whole/8)
				}
			}
			for _, size := range append(sizes, limitSizes...) {
				upper := 8*size - n*int(low)
				for pad := range 8 {
					if high := upper - n - pad; high >= 0 && upper <= 520 && (pad < 2 || r.IntN(4) == 0) &&
						bits.Len(uint(high))+int(low) <= 64 {
						if values := listUpTo(r, n, uint64(high)<<low|r.Uint64()>>1&(1<<low-1)); len(values) == n {
							f(values, low)
							lists++
						}
					}
				}
			}
		}
	}
	if lists < 4000 {
		t.Fatalf("%d lists: this tests little", lists)
	}
}

// listUpTo returns up to n values that end with last. Some are near to it or to each other, others
// anywhere. There are fewer if last is too small.
func listUpTo(r *rand.Rand, n int, last uint64) (values []uint64) {
	values = []uint64{last}
	for range 4 * n {
		x := values[r.IntN(len(values))] ^ 1<<r.IntN(64)
		if r.IntN(2) == 0 {
			x = r.Uint64() >> r.IntN(64)
		}
		if x <= last && len(values) < n {
			values = kerneltest.SortedSet(append(values, x))
		}
	}
	for x := last; x > 0 && len(values) < n; {
		x--
		values = kerneltest.SortedSet(append(values, x))
	}
	return values
}

// paddedPacked returns the block of values in an arena. The head bytes before it may be read.
func paddedPacked(at *kerneltest.Arena, where, head int, values []uint64, low uint) Packed {
	block := packOf(values, low).Block
	b := at.Put(head+len(block), where, append(make([]byte, head), block...))
	return Packed{Block: b[head:], N: len(values), Low: low}
}

// headsOf returns how many bytes may stand before a block: as many as make seven, eight and nine
// with it, and none.
func headsOf(size int) (heads []int) {
	for head := 7 - size; head <= 9-size; head++ {
		if head > 0 {
			heads = append(heads, head)
		}
	}
	return append(heads, 0)
}

// TestFindLimits looks values up in lists at the limits.
func TestFindLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(301, 1))
	memory := kerneltest.NewArena(t, 4096)
	onLimits(t, r, func(values []uint64, low uint) {
		n := len(values)
		last := values[n-1]
		asked := []uint64{0, last - 1, last, last + 1, last + 1<<low, last ^ 64<<low, last + 128<<low, 1<<64 - 1}
		for _, i := range []int{0, n / 2, max(n-2, 0)} {
			asked = append(asked, values[i], values[i]+1)
		}
		for _, head := range headsOf(len(packOf(values, low).Block)) {
			for _, where := range []int{kerneltest.AtBegin, kerneltest.AtEnd} {
				p := paddedPacked(memory, where, head, values, low)
				for i, want := range values {
					if d, ok := p.AtPadded(head, i); !ok || d != want {
						t.Fatalf("value %d of %d, low width %d, upper part of %d bits, %d bytes behind %d: got %d, "+
							"%t, want %d", i, n, low, p.upper(), len(p.Block), head, d, ok, want)
					}
				}
				for _, d := range asked {
					i, found := p.FindPadded(head, d)
					has := p.HasPadded(head, d)
					if want, wantFound := slices.BinarySearch(values, d); i != want || found != wantFound ||
						has != wantFound {
						t.Fatalf("%d in %v, low width %d, upper part of %d bits, %d bytes behind %d: got %d, %t, "+
							"%t, want %d, %t", d, values, low, p.upper(), len(p.Block), head, i, found, has, want,
							wantFound)
					}
				}
				probe := p.probe()
				slices.Sort(asked)
				kept := make([]uint64, len(asked))
				kept = kept[:probe.Keep(kept, asked, 0)]
				if want := slices.DeleteFunc(slices.Clone(asked), func(d uint64) bool {
					return !slices.Contains(values, d)
				}); !slices.Equal(kept, want) {
					t.Fatalf("%v of %v, low width %d, %d bytes: got %v, want %v", asked, values, low, len(p.Block),
						kept, want)
				}
			}
		}
	})
}

// TestMeetLimits counts what lists at the limits have in common with others: with such as have most
// of their values, and with such as have what would be one of these but for 64 buckets.
func TestMeetLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(302, 1))
	memory := [2]*kerneltest.Arena{kerneltest.NewArena(t, 4096), kerneltest.NewArena(t, 4096)}
	pairs, meets, inArrays := 0, 0, 0
	onLimits(t, r, func(values []uint64, low uint) {
		last := values[len(values)-1]
		for range 10 {
			n := limitCounts[r.IntN(len(limitCounts))]
			other := kerneltest.SortedSet(append(listUpTo(r, n, last), values[r.IntN(len(values)):]...))
			other = other[max(len(other)-n, 0):]
			if r.IntN(4) == 0 {
				for i := range other {
					other[i] ^= 64 << low
				}
				slices.Sort(other)
			}
			otherLow := LowWidth(len(other), other[len(other)-1]) + uint(r.IntN(2))
			if r.IntN(2) == 0 && other[len(other)-1]>>low < 500 {
				otherLow = low
			}
			want := len(kerneltest.InBoth(values, other))
			size := min(Bytes(len(values), last, low), Bytes(len(other), other[len(other)-1], otherLow))
			for _, head := range headsOf(size) {
				where := []int{kerneltest.AtBegin, kerneltest.AtEnd}[r.IntN(2)]
				p, q := paddedPacked(memory[0], where, head, values, low),
					paddedPacked(memory[1], where, head, other, otherLow)
				a := arraysOf(other)
				for _, c := range []struct {
					name  string
					ask   func() (int, bool)
					count *int
				}{
					{"PairLen", func() (int, bool) { return PairLen(&p, &q, head) }, &pairs},
					{"PairLen, turned", func() (int, bool) { return PairLen(&q, &p, head) }, &pairs},
					{"MeetLen", func() (int, bool) { return MeetLen(&p, &q, head) }, &meets},
					{"MeetLen, turned", func() (int, bool) { return MeetLen(&q, &p, head) }, &meets},
					{"InArraysLen", func() (int, bool) { return InArraysLen(&p, &a) }, &inArrays},
					{"ValuesInArraysLen", func() (int, bool) { return ValuesInArraysLen(values, &a) }, &inArrays},
				} {
					got, ok := c.ask()
					if ok && got != want {
						t.Fatalf(
							"%s of %v (low width %d, upper part of %d bits, %d bytes) and %v (%d, %d, %d) behind "+
								"%d: got %d, want %d",
							c.name, values, low, p.upper(), len(p.Block), other, otherLow, q.upper(), len(q.Block),
							head, got, want)
					}
					*c.count += swar.One(ok)
				}
			}
		}
	})
	if cpu.Active >= cpu.AVX2 && cpu.Active != cpu.NEON && min(pairs, meets) < 10_000 ||
		cpu.Active == cpu.AVX512 && inArrays < 10_000 {
		t.Fatalf("%d pairs, %d lists and %d directories were compared: this tests little", pairs, meets, inArrays)
	}
}

// TestInArraysReadsNothingOfTheRegister: what stands in the lanes behind the values of a list is
// none of them, where it looks like a value that the other list has: a lane without a one has, of 0
// less its number, as many bits as lanes have.
func TestInArraysReadsNothingOfTheRegister(t *testing.T) {
	for low := uint(1); low < 29; low++ { // eight bytes behind the last lane are in a register of 64
		for n := 1; n < listMost; n++ {
			var list []uint64
			for i := range n {
				list = append(list, uint64(i+1)<<low)
			}
			p := packOf(list, low)
			for lane := n; lane < listMost; lane++ {
				a := arraysOf(kerneltest.SortedSet([]uint64{0, -uint64(lane << low)}))
				got, ok := InArraysLen(&p, &a)
				had, known := ValuesInArraysLen(list, &a)
				if got != 0 || had != 0 || cpu.Active == cpu.AVX512 && !(ok && known) {
					t.Fatalf("%v (low width %d) in a directory of 0 and lane %d: got %d, %t, and as values %d, %t, "+
						"want none", list, low, lane, got, ok, had, known)
				}
			}
		}
	}
}
