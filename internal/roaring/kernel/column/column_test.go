// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package column

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestCountRows counts spans with every path, and one by one.
func TestCountRows(t *testing.T) {
	r := rand.New(rand.NewPCG(122, 1))
	for range 2000 {
		width, counters := 1+r.IntN(4), r.IntN(3)*r.IntN(500)
		var spans [][]byte
		expected, beyond := make([]uint32, counters), 0
		for range r.IntN(30) {
			var rows []byte
			for range r.IntN(60) {
				row := r.Uint32() >> (32 - 8*width) >> r.IntN(8*width)
				var b [4]byte
				binary.LittleEndian.PutUint32(b[:], row)
				rows = append(rows, b[:width]...)
				if row < uint32(counters) {
					expected[row]++
				} else {
					beyond++
				}
			}
			spans = append(spans, append(rows, make([]byte, r.IntN(width))...))
		}
		counts := make([]uint32, counters)
		if got := CountRows(counts, spans, width); got != beyond || !slices.Equal(counts, expected) {
			t.Fatalf("%d spans, rows of %d bytes, %d counters: got %d beyond, want %d", len(spans), width, counters,
				got, beyond)
		}
	}
}

// TestCountManyRows counts more rows than one call of a kernel does: in spans that end with it, a
// row before and behind, in one that takes several calls, and in very many without a row.
func TestCountManyRows(t *testing.T) {
	r := rand.New(rand.NewPCG(122, 2))
	data := make([]byte, 4*maxRowBytes)
	for i := range data {
		data[i] = byte(r.Uint32() & r.Uint32() & r.Uint32())
	}
	for width := 1; width <= 4; width++ {
		for _, each := range []int{45 * width, maxRowBytes/3 - spanBytes, maxRowBytes - 3*spanBytes, maxRowBytes} {
			for more := -width - 1; more <= width+1; more++ {
				var spans [][]byte
				for rest := data; len(rest) > 0; rest = rest[min(len(rest), each):] {
					spans = append(spans, rest[:min(len(rest), each+more)])
				}
				spans = append(spans, data[width:], nil, data[:each+more])
				spans = append(spans, make([][]byte, 2*maxRowBytes/spanBytes)...)
				spans = append(spans, data[2*width:3*width])
				counts, expected := make([]uint32, 1<<13), make([]uint32, 1<<13)
				got, want := CountRows(counts, spans, width), countRowsGeneric(expected, spans, width)
				if got != want || !slices.Equal(counts, expected) {
					t.Fatalf("%d spans of %d bytes, rows of %d: got %d beyond, want %d, or other counts", len(spans),
						each+more, width, got, want)
				}
			}
		}
	}
}

// BenchmarkColumn is the time of a row, of spans of 45 rows of three bytes: of 100 000 rows the
// more frequent ones come more often.
func BenchmarkColumn(b *testing.B) {
	r := rand.New(rand.NewPCG(123, 1))
	zipf := rand.NewZipf(r, 1.05, 20, 1e5-1)
	const each, many = 45, 1000
	data := make([]byte, each*many*3)
	for i := 0; i < len(data); i += 3 {
		row := zipf.Uint64()
		data[i], data[i+1], data[i+2] = byte(row), byte(row>>8), byte(row>>16)
	}
	var spans [][]byte
	for i := range many {
		spans = append(spans, data[3*each*i:3*each*(i+1)])
	}
	counts := make([]uint32, 1e5)
	kerneltest.OnPaths(b, "count", each*many, "ns/row", func() { CountRows(counts, spans, 3) })
}
