// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// benchLists is the number of operands of each size that benchmarks take in turn, so that jumps
// cannot be learned.
const benchLists = 16

// drawList draws n values below a limit.
func drawList(r *rand.Rand, n int, limit uint64) (list []uint64) {
	for len(list) < n {
		list = sortedSet(append(list, ascending(n-len(list), func() uint64 { return r.Uint64N(limit) })...))
	}
	return list
}

// drawPacked draws lists of n values below a limit, with the low width that their sets have, and
// blocks of them.
func drawPacked(r *rand.Rand, n int, limit uint64) (lists [benchLists][]uint64, blocks [benchLists]Packed) {
	for i := range lists {
		lists[i] = drawList(r, n, limit)
		blocks[i] = packOf(lists[i], PackedLow(len(lists[i]), lists[i][len(lists[i])-1]))
	}
	return lists, blocks
}

// BenchmarkMet is the time of a value of blocks of one chunk that are met as they are decoded: of
// both blocks, of a block and an array, and of a block that is looked up in bits. Paths without
// such a form decode to arrays and compare these.
func BenchmarkMet(b *testing.B) {
	r := rand.New(rand.NewPCG(220, 1))
	// a masked load beside a page that has no memory yet takes a processor hundreds of cycles: the
	// second ones stand behind the first
	var all [2]Words
	for i := range all {
		for j := range all[i] {
			all[i][j] = byte(r.Uint32())
		}
	}
	w := &all[0]
	var offsets [1 << 14]uint32
	var x, y, dst [1 << 14]byte
	for _, n := range []int{3750, 715} {
		_, blocks := drawPacked(r, n, 1<<16)
		for i := range blocks { // of the same low width
			blocks[i] = packOf(drawList(r, n, 1<<16), blocks[0].Low)
		}
		var arrays [benchLists][]byte
		for i := range arrays {
			arrays[i], _ = randomLows(r, n, 1<<16)
		}
		name, i := fmt.Sprintf("/n=%d/low=%d", n, blocks[0].Low), 0
		onPaths(b, "same-len"+name, 2*n, "ns/value", func() {
			i++
			f, g := blocks[i%benchLists].Iter(), blocks[i*5%benchLists].Iter()
			if FastSame() {
				PackedSameAndLen(&f, &g, 0, 0, math.MaxUint64)
			} else {
				ArrayAndLen(x[:2*f.Lows(x[:], 0)], y[:2*g.Lows(y[:], 0)])
			}
		})
		onPaths(b, "same"+name, 2*n, "ns/value", func() {
			i++
			f, g := blocks[i%benchLists].Iter(), blocks[i*5%benchLists].Iter()
			if FastSame() {
				PackedSameAnd(offsets[:n], &f, &g, 0, 0, math.MaxUint64)
			} else {
				ArrayAnd(dst[:], x[:2*f.Lows(x[:], 0)], y[:2*g.Lows(y[:], 0)])
			}
		})
		onPaths(b, "array-len"+name, 2*n, "ns/value", func() {
			i++
			if it := blocks[i%benchLists].Iter(); it.FitArray() {
				it.InArray(arrays[i*5%benchLists], 0)
			} else {
				ArrayAndLen(x[:2*it.Lows(x[:], 0)], arrays[i*5%benchLists])
			}
		})
		onPaths(b, "array"+name, 2*n, "ns/value", func() {
			i++
			if it := blocks[i%benchLists].Iter(); it.FitArray() {
				it.LowsInArray(dst[:], arrays[i*5%benchLists], 0)
			} else {
				ArrayAnd(dst[:], x[:2*it.Lows(x[:], 0)], arrays[i*5%benchLists])
			}
		})
		onPaths(b, "bits-len"+name, n, "ns/value", func() {
			i++
			if it := blocks[i%benchLists].Iter(); it.FitBits() {
				it.InBits(w[:], 0)
			} else {
				ArrayBitsetAndLen(x[:2*it.Lows(x[:], 0)], w)
			}
		})
		onPaths(b, "bits"+name, n, "ns/value", func() {
			i++
			if it := blocks[i%benchLists].Iter(); it.FitBits() {
				it.LowsInBits(dst[:], w, 0)
			} else {
				ArrayBitsetAnd(dst[:], x[:2*it.Lows(x[:], 0)], w)
			}
		})
	}
}

// BenchmarkLookups is the time of a value of a list that is looked up in a longer one: in the table
// of that one, by paths that have none with a PackedProbe, and with a PackedProbe.
func BenchmarkLookups(b *testing.B) {
	r := rand.New(rand.NewPCG(221, 1))
	for _, c := range []struct {
		few, many int
		limit     uint64
	}{{30, 3000, 5_500_000}, {100, 10_000, 1 << 20}, {100, 10_000, 5_500_000}, {1000, 10_000, 5_500_000}} {
		lists, _ := drawPacked(r, c.few, c.limit)
		_, blocks := drawPacked(r, c.many, c.limit)
		var offsets [benchLists][]uint32
		for i, list := range lists {
			offsets[i] = offsetsOf(list)
		}
		name, i := fmt.Sprintf("/n=%d,%d/below=%d", c.few, c.many, c.limit), 0
		var few [1000]uint32
		var values [1000]uint64
		onPaths(b, "table"+name, c.few, "ns/value", func() {
			i++
			list, p := i%benchLists, &blocks[i*5%benchLists]
			if p.KeepsOffsets(len(lists[list])) {
				PackedKeepOffsets(few[:copy(few[:], offsets[list])], p)
			} else {
				q := p.Probe()
				q.Keep(values[:], lists[list], 0)
			}
		})
		onPaths(b, "probe"+name, c.few, "ns/value", func() {
			i++
			q := blocks[i*5%benchLists].Probe()
			q.Keep(values[:], lists[i%benchLists], 0)
		})
	}
}

// BenchmarkMeetings is the time of a pair of lists below 2^25 of different lengths. Where
// PackedMeetLen does not find out, both are read and compared.
func BenchmarkMeetings(b *testing.B) {
	r := rand.New(rand.NewPCG(222, 1))
	var x, y [128]uint64
	for _, n := range [][2]int{{2, 2}, {3, 12}, {5, 83}} {
		_, few := drawPacked(r, n[0], 1<<25)
		_, many := drawPacked(r, n[1], 1<<25)
		const head = 2 // bytes before the block of a set
		for i := range few {
			few[i].Block = append(make([]byte, head), few[i].Block...)[head:]
			many[i].Block = append(make([]byte, head), many[i].Block...)[head:]
		}
		i := 0
		onPaths(b, fmt.Sprintf("n=%d,%d", n[0], n[1]), 1, "ns/pair", func() {
			i++
			p, q := &few[i%benchLists], &many[i*5%benchLists]
			if _, ok := PackedMeetLen(p, q, head); !ok {
				f, g := p.Iter(), q.Iter()
				ValuesAndLen(x[:f.Values(x[:], 0)], y[:g.Values(y[:], 0)])
			}
		})
	}
}

// BenchmarkPackedPlace is the time of finding the place of a value in a payload of a low width of
// 16 that changes.
func BenchmarkPackedPlace(b *testing.B) {
	r := rand.New(rand.NewPCG(223, 1))
	for _, n := range []int{20, 100, 400} {
		var rooms [benchLists][]byte
		var sizes [benchLists]int
		for i := range rooms {
			rooms[i] = append([]byte{shortLow}, appendPacked(nil, drawList(r, n, 5_500_000), shortLow)...)
			sizes[i] = len(rooms[i])
			rooms[i] = append(rooms[i], make([]byte, max(-len(rooms[i])&7, 64-len(rooms[i])))...)
			rooms[i] = rooms[i][:len(rooms[i])&^7]
		}
		var asked [64]uint64
		for i := range asked {
			asked[i] = r.Uint64N(5_500_000)
		}
		i := 0
		onPaths(b, fmt.Sprintf("n=%d", n), len(asked), "ns/value", func() {
			i++
			for _, d := range asked {
				PackedPlace(rooms[i%benchLists], sizes[i%benchLists], n, d)
			}
		})
	}
}
