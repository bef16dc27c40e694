// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// onPaths runs a benchmark on every path of this processor; per is what one call does of what the
// metrics count: nanoseconds, and cycles. They are of the fastest of many slots of some 20 µs, so
// that other work on the machine counts little.
func onPaths(b *testing.B, name string, per int, unit string, f func()) {
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, p := range cpu.Paths() {
		cpu.Use(p)
		b.Run(name+"/"+p.String(), func(b *testing.B) {
			calls := 1
			for slot := time.Duration(0); slot < 20*time.Microsecond; calls *= 2 {
				start := time.Now()
				for range calls {
					f()
				}
				slot = time.Since(start)
			}
			fastest, chain := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				for range calls {
					f()
				}
				end := time.Now()
				fastest, chain = min(fastest, end.Sub(start)), min(chain, chainTime(end))
			}
			ns := float64(fastest.Nanoseconds()) / float64(calls) / float64(per)
			b.ReportMetric(ns, unit)
			b.ReportMetric(ns*chainCycles/float64(chain.Nanoseconds()), strings.Replace(unit, "ns", "cycles", 1))
			b.ReportMetric(0, "ns/op")
		})
	}
}

// A chain of chainSteps multiplications and additions, each of which waits for the one before,
// takes 3 cycles and one cycle for each: on Intel's processors since 2008, and on AMD's since 2017.
// That is how long a cycle is, whatever the clock is at; counters of the processor are seldom there
// in virtual machines.
const (
	chainSteps  = 1 << 12
	chainCycles = 4 * chainSteps
)

var chainEnd uint64 // so that the chain is not left out

// chainTime returns how long a chain takes that begins now.
func chainTime(now time.Time) time.Duration {
	x := chainEnd
	for range chainSteps {
		x = x*0x9E3779B97F4A7C15 + 12345
	}
	chainEnd = x
	return time.Since(now)
}

// BenchmarkBitset is the time of a word of 64 bits.
func BenchmarkBitset(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var x, y, dst Words
	for i := range x {
		x[i], y[i] = byte(r.Uint32()), byte(r.Uint32())
	}
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"len", func() { BitsetLen(&x) }},
		{"and-len", func() { BitsetAndLen(&x, &y) }},
		{"and", func() { BitsetAnd(&dst, &x, &y) }},
		{"or-into", func() { OrInto(&dst, &x) }},
		{"rank", func() { BitsetRank(&x, 16000, 32768) }},
	} {
		onPaths(b, c.name, 1024, "ns/word", c.f)
	}
}

// BenchmarkArrays is the time of a value of two arrays, of which half are in common.
func BenchmarkArrays(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, size := range [][2]int{{4, 4}, {12, 20}, {40, 50}, {300, 300}, {2000, 2000}, {100, 1500}, {20, 900},
		{30, 4000}} {
		const variants = 16 // so that jumps cannot be learned
		var xs, ys [variants][]byte
		var dst [16384]byte
		for i := range variants {
			limit := min(4*(size[0]+size[1]), 65536)
			xs[i], _ = randomLows(r, size[0], limit)
			ys[i], _ = randomLows(r, size[1], limit)
		}
		i := 0
		for _, c := range []struct {
			name string
			f    func(dst, a, b []byte) int
		}{
			{"and-len", func(_, a, b []byte) int {
				return ArrayAndLen(a, b)
			}}, {"and", ArrayAnd}, {"andnot", ArrayAndNot}, {"or", ArrayOr}, {"xor", ArrayXor},
		} {
			onPaths(b, fmt.Sprintf("%s/n=%d,%d", c.name, size[0], size[1]), size[0]+size[1], "ns/value", func() {
				i++
				c.f(dst[:], xs[i%variants], ys[i*5%variants])
			})
		}
	}
}

// BenchmarkPlaces is the time of a one of bitsets, that are written or that an array is looked up
// in.
func BenchmarkPlaces(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 1))
	var dst [1 << 17]byte
	var values [1 << 16]uint64
	for _, n := range []int{100, 1000, 4000, 30000} {
		lows, _ := randomLows(r, n, 65536)
		var w Words
		Scatter(&w, lows)
		onPaths(b, fmt.Sprintf("to-array/n=%d", n), n, "ns/value", func() { BitsetToArray(dst[:], &w) })
		onPaths(b, fmt.Sprintf("values/n=%d", n), n, "ns/value", func() { BitsetValues(values[:], &w, 1) })
	}
	var w Words
	for i := range w {
		w[i] = byte(r.Uint32())
	}
	for _, n := range []int{8, 16, 50, 500, 4000} {
		lows, _ := randomLows(r, n, 65536)
		onPaths(b, fmt.Sprintf("array-bitset-len/n=%d", n), n, "ns/value", func() { ArrayBitsetAndLen(lows, &w) })
		onPaths(b, fmt.Sprintf("array-bitset/n=%d", n), n, "ns/value", func() { ArrayBitsetAnd(dst[:], lows, &w) })
		onPaths(b, fmt.Sprintf("array-values/n=%d", n), n, "ns/value", func() { ArrayValues(values[:], lows, 1) })
		onPaths(b, fmt.Sprintf("scatter/n=%d", n), n, "ns/value", func() { Scatter(&w, lows) })
		onPaths(b, fmt.Sprintf("set-array/n=%d", n), n, "ns/value", func() { SetArray(&w, lows) })
	}
}

// runsApart returns n runs of at most the given number of values, or up to the next run.
func runsApart(r *rand.Rand, n, most int) []byte {
	_, starts := randomLows(r, n, 65536)
	runs := make([]byte, 4*n)
	for i, lo := range starts {
		next := 65536
		if i+1 < n {
			next = starts[i+1]
		}
		putRun(runs, 4*i, lo, lo+1+r.IntN(min(next-lo, most)))
	}
	return runs
}

// BenchmarkRunValues is the time of a value of runs of at most 12 or 100 values.
func BenchmarkRunValues(b *testing.B) {
	r := rand.New(rand.NewPCG(10, 10))
	var dst [65536]uint64
	for _, most := range []int{12, 100} {
		runs := runsApart(r, 100, most)
		onPaths(b, fmt.Sprintf("most=%d", most), RunLen(runs), "ns/value", func() { RunValues(dst[:], runs, 0, 0, 1) })
	}
}

// BenchmarkRunPairs is the time of a run of two lists.
func BenchmarkRunPairs(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, n := range [][2]int{{2, 8}, {7, 35}, {30, 30}, {120, 120}, {300, 300}, {40, 1000}} {
		const lists = 16
		var x, y [lists][]byte
		for i := range lists {
			x[i], y[i] = runsApart(r, n[0], 12), runsApart(r, n[1], 12)
		}
		dst := make([]byte, 8*(n[0]+n[1]))
		i := 0
		onPaths(b, fmt.Sprintf("and-len/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			RunAndLen(x[i%lists], y[i%lists])
		})
		onPaths(b, fmt.Sprintf("and/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			RunAnd(dst, x[i%lists], y[i%lists])
		})
		onPaths(b, fmt.Sprintf("or/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			RunOr(dst, x[i%lists], y[i%lists])
		})
		onPaths(b, fmt.Sprintf("andnot/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			RunAndNot(dst, x[i%lists], y[i%lists])
		})
		onPaths(b, fmt.Sprintf("xor/n=%d,%d", n[0], n[1]), n[0]+n[1], "ns/run", func() {
			i++
			RunXor(dst, x[i%lists], y[i%lists])
		})
	}
}

// BenchmarkFillRuns is the time of a run of at most 40 values, or up to the next run.
func BenchmarkFillRuns(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{25, 100, 1500} {
		runs := runsApart(r, n, 40)
		var w Words
		onPaths(b, fmt.Sprintf("n=%d", n), n, "ns/run", func() { FillRuns(&w, runs) })
	}
}

// BenchmarkPacked is the time of a value of packed blocks that are decoded: of one chunk, of thin
// chunks, and of next to one value in a chunk.
func BenchmarkPacked(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 1))
	var lows [1 << 17]byte
	var wide [1 << 14]uint64
	for _, c := range []struct {
		n     int
		width int
	}{{8, 16}, {20, 16}, {80, 16}, {300, 16}, {3000, 16}, {12000, 16}, {1000, 20}, {1000, 24}, {1000, 26}, {1000, 40}} {
		values := ascending(c.n, func() uint64 { return r.Uint64N(1 << c.width) })
		n := len(values)
		_, low := PackedSize(n, values[n-1], 63)
		p := Packed{Block: appendPacked(nil, values, low), N: n, Low: low}
		name := fmt.Sprintf("/n=%d/bits=%d/low=%d", c.n, c.width, low)
		onPaths(b, "lows"+name, n, "ns/value", func() {
			for it := p.Iter(); ; {
				d, ok := it.Peek()
				if !ok {
					break
				}
				it.Lows(lows[:], d>>16)
			}
		})
		onPaths(b, "values"+name, n, "ns/value", func() {
			it := p.Iter()
			it.Values(wide[:], 0)
		})
	}
}

// BenchmarkPackedFind is the time of a question to lists of few values below 2^40: where a value
// stands, half of which are there, whether it is there, which value stands somewhere, and what two
// lists have in common.
func BenchmarkPackedFind(b *testing.B) {
	r := rand.New(rand.NewPCG(8, 8))
	const lists, questions = 64, 64
	for _, n := range []int{3, 6, 10, 16, 30} {
		var blocks [lists]Packed
		var asked [lists][questions]uint64
		for i := range blocks {
			values := ascending(n, func() uint64 { return r.Uint64N(1 << 40) })
			blocks[i] = packOf(values, PackedLow(len(values), values[len(values)-1]))
			for j := range asked[i] {
				if asked[i][j] = r.Uint64N(1 << 40); j&1 == 0 {
					asked[i][j] = values[r.IntN(len(values))]
				}
			}
		}
		i := 0
		onPaths(b, fmt.Sprintf("find/n=%d", n), questions, "ns/question", func() {
			i++
			for _, d := range asked[i%lists] {
				blocks[i%lists].Find(d)
			}
		})
		onPaths(b, fmt.Sprintf("has/n=%d", n), questions, "ns/question", func() {
			i++
			for _, d := range asked[i%lists] {
				blocks[i%lists].HasBehind(0, d)
			}
		})
		onPaths(b, fmt.Sprintf("at/n=%d", n), questions, "ns/question", func() {
			i++
			for j := range questions {
				blocks[i%lists].At(j * 7 % n)
			}
		})
		onPaths(b, fmt.Sprintf("meet/n=%d", n), 1, "ns/pair", func() {
			i++
			if _, ok := PackedPairLen(&blocks[i%lists], &blocks[(i+1)%lists], 0); !ok {
				PackedMeetLen(&blocks[i%lists], &blocks[(i+1)%lists], 0)
			}
		})
		for i := range blocks {
			values := ascending(n, func() uint64 { return r.Uint64N(5_500_000) })
			blocks[i] = packOf(values, PackedLow(len(values), values[len(values)-1]))
		}
		onPaths(b, fmt.Sprintf("meet/below=5.5M/n=%d", n), 1, "ns/pair", func() {
			i++
			PackedMeetLen(&blocks[i%lists], &blocks[(i+1)%lists], 0)
		})
	}
}

// BenchmarkValuesAnd is the time of a value of both lists, one in a hundred of which they have in
// common.
func BenchmarkValuesAnd(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{50, 1000} {
		var lists [2][]uint64
		for i := range lists {
			lists[i] = ascending(n, func() uint64 { return r.Uint64N(uint64(100 * n)) })
		}
		both := len(lists[0]) + len(lists[1])
		dst := make([]uint64, n)
		onPaths(b, fmt.Sprintf("and-len/%d", n), both, "ns/value", func() { ValuesAndLen(lists[0], lists[1]) })
		onPaths(b, fmt.Sprintf("and/%d", n), both, "ns/value", func() { ValuesAnd(dst, lists[0], lists[1]) })
	}
}
