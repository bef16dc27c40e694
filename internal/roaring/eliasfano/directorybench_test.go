// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/sorted"
)

// BenchmarkDirectories measures the time of a value of a directory of arrays. The directory is
// widened or intersected with a list of the same length; a quarter is in common. Paths without a
// form for that widen the directory, decode the list and compare both.
func BenchmarkDirectories(b *testing.B) {
	r := rand.New(rand.NewPCG(224, 1))
	var offsets, few [1000]uint32
	var values, wide [1000]uint64
	for _, c := range []struct {
		n     int
		limit uint64
	}{{8, 1 << 20}, {15, 1 << 20}, {30, 1 << 20}, {1000, 5_500_000}} {
		lists, blocks := drawPacked(r, c.n, c.limit)
		var dirs [kerneltest.BenchLists]Arrays
		for i, list := range lists {
			from := lists[i*5%kerneltest.BenchLists]
			dirs[i] = arraysOf(kerneltest.SortedSet(append(append([]uint64{}, list[len(list)/4:]...),
				from[:len(from)/4]...)))
		}
		name, i := fmt.Sprintf("/n=%d/below=%d", c.n, c.limit), 0
		kerneltest.OnPaths(b, "offsets"+name, c.n, "ns/value", func() {
			i++
			ArraysOffsets(offsets[:],
				&dirs[i%kerneltest.BenchLists], 0)
		})
		kerneltest.OnPaths(b, "values"+name, c.n, "ns/value", func() {
			i++
			ArraysValues(values[:],
				&dirs[i%kerneltest.BenchLists], 0)
		})
		if c.n > valuesMost {
			continue
		}
		if c.n <= listMost {
			kerneltest.OnPaths(b, "packed-len"+name, 1, "ns/pair", func() {
				i++
				p, a := &blocks[i*5%kerneltest.BenchLists], &dirs[i%kerneltest.BenchLists]
				if _, ok := InArraysLen(p, a); !ok {
					it := p.Iter()
					n, _ := ArraysOffsets(offsets[:], a, 0)
					sorted.OffsetsAndLen(few[:it.Offsets(few[:c.n])], offsets[:n])
				}
			})
		}
		kerneltest.OnPaths(b, "values-len"+name, 1, "ns/pair", func() {
			i++
			it, a := blocks[i*5%kerneltest.BenchLists].Iter(), &dirs[i%kerneltest.BenchLists]
			list := wide[:it.Values(wide[:c.n], 0)]
			if _, ok := ValuesInArraysLen(list, a); !ok {
				n, _ := ArraysValues(values[:], a, 0)
				sorted.ValuesAndLen(list, values[:n])
			}
		})
	}
}
