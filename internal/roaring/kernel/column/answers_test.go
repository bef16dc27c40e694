// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package column

import (
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
	"github.com/uproar-db/uproar/internal/roaring/kernel/swar"
)

// answers are what the kernels of this package say.
type answers struct{ kerneltest.Answers }

// answersOf returns what the kernels that have several paths say of rows, counters and small
// words.
// TestAssemblyIsFuzzed reads which kernels are asked.
func answersOf(a, b []byte, low uint) kerneltest.Answers {
	var all answers
	all.counters(a, b, low)
	return all.Answers
}

// counters asks the kernels of word clouds. They count rows, look for large counters, and read
// words of a few bits.
func (all *answers) counters(a, b []byte, low uint) {
	// Rows of a, in spans as long as the bytes of b say.
	var spans [][]byte
	rest := a
	for _, n := range b[:min(len(b), 200)] {
		n := min(int(n), len(rest))
		spans, rest = append(spans, rest[:n]), rest[n:]
	}
	for width := 1; width <= 4; width++ {
		counts := make([]uint32, 4096)
		beyond := CountRows(counts, spans, width)
		all.Of("CountRows", width, beyond, counts)
	}

	asCounts := func(bytes []byte) (counts []uint32) {
		for ; len(bytes) >= 4; bytes = bytes[4:] {
			counts = append(counts, swar.Uint32(bytes, 0))
		}
		return counts
	}
	counts, sizes := asCounts(a), asCounts(b)
	least := uint32(1) << (low & 31)
	for _, least := range []uint32{least, -least} {
		for at, found := 0, 0; at < len(counts) && found < 16; found++ {
			at += FirstCount(counts[at:], least)
			all.Of("FirstCount", least, at)
			at++
		}
		n := min(len(counts), len(sizes))
		for _, part := range []float64{0, 0.5, 1, float64(low) / 8, math.Inf(1), math.NaN()} {
			for at, found := n, 0; at >= 0 && found < 16; found++ {
				at = LastShare(counts[:at], sizes[:at], least, part)
				all.Of("LastShare", least, at) // without the part, as NaN equals nothing
			}
		}
	}

	all.smallWords(a, b, 1+int(low)%7)
}

// smallWords reads words of some bits, at places that stand in one array, from another.
func (all *answers) smallWords(a, b []byte, bits int) {
	words := (8*len(b) - 8) / bits // that two bytes can be read for
	if words <= 0 {
		return
	}
	var lows []uint16
	for i := 0; i+1 < len(a); i += 2 {
		lows = append(lows, uint16(int(swar.Uint16(a, i))%words))
	}
	dst := make([]uint16, len(lows))
	most := SmallWords(dst, lows, b, 0, bits)
	all.Of("SmallWords", most, slices.Clone(dst))
	// The second half, from an offset on, and as far behind it as that is before.
	half := words / 2
	if half == 0 {
		return
	}
	for _, offset := range []int{half, -half} {
		for i := range lows {
			lows[i] = uint16(int(lows[i]) % half)
			if offset < 0 {
				lows[i] += uint16(half)
			}
		}
		most = SmallWords(dst, lows, b, offset, bits)
		all.Of("SmallWords", offset, most, slices.Clone(dst))
	}
}
