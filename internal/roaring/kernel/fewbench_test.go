// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkPlainPaths is the time of a question to plain lists of four and five bytes a value, of a
// pair of them, and of a value that is read.
func BenchmarkPlainPaths(b *testing.B) {
	r := rand.New(rand.NewPCG(225, 1))
	const questions = 64
	var dst [PlainUpTo]uint64
	for _, n := range []int{3, 10, 30, 100} {
		for _, width := range []int{4, 5} {
			var lists [questions][]byte
			var asked [questions]uint64
			for i := range lists {
				values := drawList(r, n, 1<<(8*width))
				lists[i] = plainOf(values, width)
				asked[i] = []uint64{1 + r.Uint64N(1<<(8*width)-1), values[len(values)/2]}[i&1]
			}
			name := fmt.Sprintf("/n=%d/width=%d", n, width)
			onPaths(b, "has"+name, questions, "ns/question", func() {
				for i, x := range asked {
					PlainHas(lists[i], width, x)
				}
			})
			onPaths(b, "rank"+name, questions, "ns/question", func() {
				for i, x := range asked {
					PlainRank(lists[i], width, x)
				}
			})
			onPaths(b, "values"+name, questions*n, "ns/value", func() {
				for _, list := range lists {
					PlainValues(dst[:], list, width)
				}
			})
			if width == PlainLeast {
				onPaths(b, "and-len"+name, questions, "ns/pair", func() {
					for i, list := range lists {
						PlainAndLen(list, lists[(i+1)%questions])
					}
				})
			}
		}
	}
}

// BenchmarkSelects is the time of asking for the i-th value, of lists of cardinalities, of runs and
// of bitsets.
func BenchmarkSelects(b *testing.B) {
	r := rand.New(rand.NewPCG(226, 1))
	const questions = 64
	for _, n := range []int{16, 60, 200} {
		cards := make([]byte, 2*n)
		for i := range n {
			store16(cards, 2*i, uint16(r.Uint32N(1000)))
		}
		var asked [questions]uint64
		for i := range asked {
			asked[i] = r.Uint64N(SumCards(cards))
		}
		onPaths(b, fmt.Sprintf("cards/n=%d", n), questions, "ns/question", func() {
			for _, i := range asked {
				SelectCard(cards, i)
			}
		})
	}
	for _, n := range []int{10, 50, 400} {
		runs := runsApart(r, n, 40)
		var asked [questions]int
		for i := range asked {
			asked[i] = r.IntN(RunLen(runs))
		}
		onPaths(b, fmt.Sprintf("runs/n=%d", n), questions, "ns/question", func() {
			for _, i := range asked {
				RunSelect(runs, i)
			}
		})
	}
	var w Words
	lows, _ := randomLows(r, 20_000, 65536)
	Scatter(&w, lows)
	var asked [questions]int
	for i := range asked {
		asked[i] = r.IntN(20_000)
	}
	onPaths(b, "bitset", questions, "ns/question", func() {
		for _, i := range asked {
			BitsetSelect(&w, i, 20_000)
		}
	})
}

// BenchmarkSearches is the time of a question to an array: where a value stands, and whether it is
// there.
func BenchmarkSearches(b *testing.B) {
	r := rand.New(rand.NewPCG(227, 1))
	const questions = 64
	for _, n := range []int{100, 1000, 4000} {
		var arrays [benchLists][]byte
		for i := range arrays {
			arrays[i], _ = randomLows(r, n, 65536)
		}
		var asked [questions]uint16
		for i := range asked {
			asked[i] = uint16(r.Uint32())
		}
		i := 0
		onPaths(b, fmt.Sprintf("search/n=%d", n), questions, "ns/question", func() {
			i++
			for _, x := range asked {
				SearchArray(arrays[i%benchLists], x)
			}
		})
		onPaths(b, fmt.Sprintf("contains/n=%d", n), questions, "ns/question", func() {
			i++
			for _, x := range asked {
				ArrayContains(arrays[i%benchLists], x)
			}
		})
	}
}

// BenchmarkKeepLows is the time of a value, in any order, that is looked up in bits half of which
// are ones.
func BenchmarkKeepLows(b *testing.B) {
	r := rand.New(rand.NewPCG(228, 1))
	var w Words
	for i := range w {
		w[i] = byte(r.Uint32())
	}
	var lows, dst [4000]uint16
	for i := range lows {
		lows[i] = uint16(r.Uint32())
	}
	for _, n := range []int{50, 4000} {
		onPaths(b, fmt.Sprintf("n=%d", n), n, "ns/value", func() { KeepLows(dst[:], lows[:n], &w) })
	}
}

func BenchmarkValuesWithin(b *testing.B) {
	r := rand.New(rand.NewPCG(229, 1))
	bits := make([]byte, 1<<17)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	var values [64]uint64
	for i := range values {
		values[i] = r.Uint64N(1 << 20)
	}
	onPaths(b, "n=64", len(values), "ns/value", func() { ValuesWithin(values[:], bits, 0) })
}

// BenchmarkPrefetch is the time of asking for 64 bytes, a KiB at a time, which are near already, or
// far away as a rule.
func BenchmarkPrefetch(b *testing.B) {
	const part = 1 << 10
	memory, at := make([]byte, 128<<20), 0
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
	onPaths(b, "near", part/64, "ns/line", func() { Prefetch(memory[:part]) })
	onPaths(b, "far", part/64, "ns/line", func() {
		Prefetch(memory[at : at+part])
		at = (at + 65*part) % (len(memory) - part)
	})
}
