// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sorted

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkFixedPaths measures the time of a question to fixed lists of four and five bytes a
// value. It also measures a question to a pair of them, and reading a value.
func BenchmarkFixedPaths(b *testing.B) {
	r := rand.New(rand.NewPCG(225, 1))
	const questions = 64
	var dst [FixedUpTo]uint64
	for _, n := range []int{3, 10, 30, 100} {
		for _, width := range []int{4, 5} {
			var lists [questions][]byte
			var asked [questions]uint64
			for i := range lists {
				values := kerneltest.DrawList(r, n, 1<<(8*width))
				lists[i] = fixedOf(values, width)
				asked[i] = []uint64{1 + r.Uint64N(1<<(8*width)-1), values[len(values)/2]}[i&1]
			}
			name := fmt.Sprintf("/n=%d/width=%d", n, width)
			kerneltest.OnPaths(b, "has"+name, questions, "ns/question", func() {
				for i, x := range asked {
					FixedHas(lists[i], width, x)
				}
			})
			kerneltest.OnPaths(b, "rank"+name, questions, "ns/question", func() {
				for i, x := range asked {
					FixedRank(lists[i], width, x)
				}
			})
			kerneltest.OnPaths(b, "values"+name, questions*n, "ns/value", func() {
				for _, list := range lists {
					FixedValues(dst[:], list, width)
				}
			})
			if width == FixedLeast {
				kerneltest.OnPaths(b, "and-len"+name, questions, "ns/pair", func() {
					for i, list := range lists {
						FixedAndLen(list, lists[(i+1)%questions])
					}
				})
			}
		}
	}
}

func BenchmarkContainedLen(b *testing.B) {
	r := rand.New(rand.NewPCG(229, 1))
	bits := make([]byte, 1<<17)
	for i := range bits {
		bits[i] = byte(r.Uint32())
	}
	var values [64]uint64
	for i := range values {
		values[i] = r.Uint64N(1 << 20)
	}
	kerneltest.OnPaths(b, "n=64", len(values), "ns/value", func() { ContainedLen(values[:], bits, 0) })
}
