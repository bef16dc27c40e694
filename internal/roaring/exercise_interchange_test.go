// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// nativeReadCalls read bytes that may be anything.
var nativeReadCalls = []roaringtest.Call[rawBytes]{
	{Name: "Open", Do: func(b rawBytes) uint64 {
		v, err := view.Open(b.data)
		return b.refused(err) + v.Len()
	}},
	{Name: "OpenBody", Do: func(b rawBytes) uint64 {
		v, err := view.OpenBody(b.data)
		return b.refused(err) + v.Len()
	}},
	{Name: "CountRows", Do: func(b rawBytes) (sum uint64) {
		counts := make([]uint32, 1000)
		for width := 1; width <= 4; width++ {
			sum += uint64(CountRows(counts, [][]byte{b.data, b.data[len(b.data)/2:], nil}, width))
		}
		return sum + uint64(counts[0])
	}},
	{Name: "SmallWords", Do: func(b rawBytes) (sum uint64) {
		lows := []uint16{0, 5, 9, 31, 40}
		if len(b.data) > 40 {
			for bits := 1; bits <= 7; bits++ {
				sum += uint64(SmallWords(make([]uint16, len(lows)), lows, b.data, 0, bits))
			}
		}
		return sum
	}},
	{Name: "KeepLows", Do: func(b rawBytes) uint64 {
		var among [container.MaxPayload]byte
		copy(among[:], b.data)
		lows := []uint16{0, 5, 9, 31, 4000, 65535, 7, 8, 9, 10}
		return uint64(KeepLows(lows, lows, &among))
	}},
	{Name: "FirstCount", Do: func(b rawBytes) uint64 { return uint64(FirstCount(b.numbers(), 1<<31)) }},
	{Name: "LastShare", Do: func(b rawBytes) uint64 {
		counts := b.numbers()
		return uint64(1 + LastShare(counts, slices.Clone(counts), 1<<30, 1))
	}},
	{Name: "FormatError.Error", Do: func(b rawBytes) uint64 {
		if _, err := view.Open(b.data); err != nil {
			return uint64(len(err.(*view.FormatError).Error()))
		}
		return 0
	}},
	{Name: "FormatError.Unwrap", Do: func(b rawBytes) uint64 {
		if _, err := view.OpenBody(b.data); err != nil && err.(*view.FormatError).Unwrap() == nil {
			b.t.Fatalf("%v wraps nothing", err)
		}
		return 0
	}},
}
