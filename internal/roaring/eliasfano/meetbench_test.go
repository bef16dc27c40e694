// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
)

// drawPacked draws lists of n values below a limit, and packs them in the low width that sets use.
func drawPacked(r *rand.Rand, n int, limit uint64) (lists [kerneltest.BenchLists][]uint64,
	blocks [kerneltest.BenchLists]Packed) {
	for i := range lists {
		lists[i] = kerneltest.DrawList(r, n, limit)
		blocks[i] = packOf(lists[i], LowWidth(len(lists[i]), lists[i][len(lists[i])-1]))
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
	var all [2]bitset.Words
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
			blocks[i] = packOf(kerneltest.DrawList(r, n, 1<<16), blocks[0].Low)
		}
		var arrays [kerneltest.BenchLists][]byte
		for i := range arrays {
			arrays[i], _ = kerneltest.RandomLows(r, n, 1<<16)
		}
		name, i := fmt.Sprintf("/n=%d/low=%d", n, blocks[0].Low), 0
		kerneltest.OnPaths(b, "same-len"+name, 2*n, "ns/value", func() {
			i++
			f, g := blocks[i%kerneltest.BenchLists].Iter(), blocks[i*5%kerneltest.BenchLists].Iter()
			if FastSame() {
				SameAndLen(&f, &g, 0, 0, math.MaxUint64)
			} else {
				array.AndLen(x[:2*f.Lows(x[:], 0)], y[:2*g.Lows(y[:], 0)])
			}
		})
		kerneltest.OnPaths(b, "same"+name, 2*n, "ns/value", func() {
			i++
			f, g := blocks[i%kerneltest.BenchLists].Iter(), blocks[i*5%kerneltest.BenchLists].Iter()
			if FastSame() {
				SameAnd(offsets[:n], &f, &g, 0, 0, math.MaxUint64)
			} else {
				array.And(dst[:], x[:2*f.Lows(x[:], 0)], y[:2*g.Lows(y[:], 0)])
			}
		})
		kerneltest.OnPaths(b, "array-len"+name, 2*n, "ns/value", func() {
			i++
			if it := blocks[i%kerneltest.BenchLists].Iter(); it.FitArray() {
				it.InArray(arrays[i*5%kerneltest.BenchLists], 0)
			} else {
				array.AndLen(x[:2*it.Lows(x[:], 0)], arrays[i*5%kerneltest.BenchLists])
			}
		})
		kerneltest.OnPaths(b, "array"+name, 2*n, "ns/value", func() {
			i++
			if it := blocks[i%kerneltest.BenchLists].Iter(); it.FitArray() {
				it.LowsInArray(dst[:], arrays[i*5%kerneltest.BenchLists], 0)
			} else {
				array.And(dst[:], x[:2*it.Lows(x[:], 0)], arrays[i*5%kerneltest.BenchLists])
			}
		})
		kerneltest.OnPaths(b, "bits-len"+name, n, "ns/value", func() {
			i++
			if it := blocks[i%kerneltest.BenchLists].Iter(); it.FitBits() {
				it.InBits(w[:], 0)
			} else {
				array.BitsetAndLen(x[:2*it.Lows(x[:], 0)], w)
			}
		})
		kerneltest.OnPaths(b, "bits"+name, n, "ns/value", func() {
			i++
			if it := blocks[i%kerneltest.BenchLists].Iter(); it.FitBits() {
				it.LowsInBits(dst[:], w, 0)
			} else {
				array.BitsetAnd(dst[:], x[:2*it.Lows(x[:], 0)], w)
			}
		})
	}
}

// BenchmarkLookups is the time of a value of a list that is looked up in a longer one: in the table
// of that one, by paths that have none with a Probe, and with a Probe.
func BenchmarkLookups(b *testing.B) {
	r := rand.New(rand.NewPCG(221, 1))
	for _, c := range []struct {
		few, many int
		limit     uint64
	}{{30, 3000, 5_500_000}, {100, 10_000, 1 << 20}, {100, 10_000, 5_500_000}, {1000, 10_000, 5_500_000}} {
		lists, _ := drawPacked(r, c.few, c.limit)
		_, blocks := drawPacked(r, c.many, c.limit)
		var offsets [kerneltest.BenchLists][]uint32
		for i, list := range lists {
			offsets[i] = kerneltest.OffsetsOf(list)
		}
		name, i := fmt.Sprintf("/n=%d,%d/below=%d", c.few, c.many, c.limit), 0
		var few [1000]uint32
		var values [1000]uint64
		kerneltest.OnPaths(b, "table"+name, c.few, "ns/value", func() {
			i++
			list, p := i%kerneltest.BenchLists, &blocks[i*5%kerneltest.BenchLists]
			if p.KeepsOffsets(len(lists[list])) {
				KeepOffsets(few[:copy(few[:], offsets[list])], p)
			} else {
				q := p.probe()
				q.Keep(values[:], lists[list], 0)
			}
		})
		kerneltest.OnPaths(b, "probe"+name, c.few, "ns/value", func() {
			i++
			q := blocks[i*5%kerneltest.BenchLists].probe()
			q.Keep(values[:], lists[i%kerneltest.BenchLists], 0)
		})
	}
}

// BenchmarkMeetings is the time of a pair of lists below 2^25 of different lengths. Where
// MeetLen does not find out, both are read and compared.
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
		kerneltest.OnPaths(b, fmt.Sprintf("n=%d,%d", n[0], n[1]), 1, "ns/pair", func() {
			i++
			p, q := &few[i%kerneltest.BenchLists], &many[i*5%kerneltest.BenchLists]
			if _, ok := MeetLen(p, q, head); !ok {
				f, g := p.Iter(), q.Iter()
				sorted.ValuesAndLen(x[:f.Values(x[:], 0)], y[:g.Values(y[:], 0)])
			}
		})
	}
}

// BenchmarkLocate measures the time of finding the place of a value in a payload that changes. Its
// low width is 16.
func BenchmarkLocate(b *testing.B) {
	r := rand.New(rand.NewPCG(223, 1))
	for _, n := range []int{20, 100, 400} {
		var payloads [kerneltest.BenchLists][]byte
		var sizes [kerneltest.BenchLists]int
		for i := range payloads {
			payloads[i] = append([]byte{shortLow}, appendPacked(nil, kerneltest.DrawList(r, n, 5_500_000), shortLow)...)
			sizes[i] = len(payloads[i])
			payloads[i] = append(payloads[i], make([]byte, max(-len(payloads[i])&7, 64-len(payloads[i])))...)
			payloads[i] = payloads[i][:len(payloads[i])&^7]
		}
		var asked [64]uint64
		for i := range asked {
			asked[i] = r.Uint64N(5_500_000)
		}
		i := 0
		kerneltest.OnPaths(b, fmt.Sprintf("n=%d", n), len(asked), "ns/value", func() {
			i++
			for _, d := range asked {
				Locate(payloads[i%kerneltest.BenchLists], sizes[i%kerneltest.BenchLists], n, d)
			}
		})
	}
}
