// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package column

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// compareColumns compares two functions that count the rows of spans: of all lengths to beyond what
// is listed at once, alone and beside many others, some with rows that have no counter, some with
// bytes that make no row; all spans, the list of them and the counters stand beside memory that
// must not be touched.
func compareColumns(t *testing.T, got, want func(counts []uint32, spans [][]byte, width int) int) {
	r := rand.New(rand.NewPCG(124, 1))
	const page = 4096
	var random [1 << 15]byte
	x, y, z, heads := kerneltest.NewArena(t, 4*page), kerneltest.NewArena(t, 4*page), kerneltest.NewArena(t,
		len(random)), kerneltest.NewArena(t, 16*page)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	wheres := kerneltest.Places()
	for i := range 6000 {
		width := 2 + i%3
		// Random bytes of two make rows that have counters; of more they have one where the upper
		// ones are zeros.
		low := z.Put(len(random), kerneltest.AtBegin, random[:])
		for k := range low {
			if k%width >= 2 || k%width == 1 && low[k] >= 16 {
				low[k] = 0
			}
		}
		if r.IntN(4) == 0 {
			low[r.IntN(len(low))] = 255
		}
		counters := r.IntN(page) + 1
		if r.IntN(4) > 0 {
			counters = page
		}
		var spans [][]byte
		for range r.IntN(2 << (i % 11)) {
			n := r.IntN(2 << r.IntN(10))
			if r.IntN(3) > 0 {
				n -= n % width
			}
			from := r.IntN((len(low)-n)/width+1) * width
			spans = append(spans, low[from:from+n])
		}
		n, where := i/3%700, []int{kerneltest.AtEnd, kerneltest.AtBegin, wheres[r.IntN(len(wheres))]}[r.IntN(3)]
		if i%7 == 0 {
			n = r.IntN(4 * page)
			where = min(where, kerneltest.AtBegin)
		}
		spans = slices.Insert(spans, r.IntN(len(spans)+1), x.Put(n, where, low))
		// The spans are no memory of Go, so the headers that point to them need not be, either.
		const size = int(unsafe.Sizeof(spans[0]))
		from := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(spans))), size*len(spans))
		placed := unsafe.Slice((*[]byte)(unsafe.Pointer(unsafe.SliceData(heads.Put(len(from),
			r.IntN(2)+kerneltest.AtEnd,
			from)))), len(spans))
		expected := make([]uint32, counters)
		for k := range expected {
			expected[k] = r.Uint32() >> r.IntN(32)
		}
		counts := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(y.Put(4*counters, r.IntN(2)+kerneltest.AtEnd,
			nil)))),
			counters)
		copy(counts, expected)
		m := want(expected, spans, width)
		if k := got(counts, placed, width); k != m || !slices.Equal(counts, expected) {
			t.Fatalf(
				"%d spans, one of %d bytes at %d, rows of %d, %d counters: got %d beyond, want %d, or other counts",
				len(spans), n, where, width, counters, k, m)
		}
		if !x.Intact() || !y.Intact() || !heads.Intact() {
			t.Fatalf("%d spans, one of %d bytes at %d: memory was changed", len(spans), n, where)
		}
	}
}
