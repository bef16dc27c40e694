// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package eliasfano

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// lookupFunction is the type of packedKeepOffsets.
type lookupFunction = func(offsets []uint32, p *Packed, upper int) (n, read int)

// lookedUpIn returns a packed list that is looked up, and offsets that may be in it. The list has
// up to most values: spread evenly, in clusters, or mostly in one half of their range. Other lists
// have as few lower bits or as many upper ones as are looked up, and one more or less. ok is false
// if the block is not looked up.
func lookedUpIn(r *rand.Rand, turn, most int) (p Packed, offsets []uint32, ok bool) {
	span := uint64(1) << (12 + r.IntN(19))
	draw := func() uint64 { return r.Uint64N(span) }
	switch turn % 4 {
	case 1:
		draw = func() uint64 { return r.Uint64N(span)>>10<<10 | r.Uint64N(16) }
	case 2:
		draw = func() uint64 { return span/2 + r.Uint64N(span/2) }
	}
	values := kerneltest.Ascending(1+r.IntN(most), draw)
	if turn%8 == 3 { // most of them in the first half
		for i := range values {
			values[i] /= 2
		}
		values = kerneltest.SortedSet(append(values, span))
	}
	low := LowWidth(len(values), values[len(values)-1])
	switch {
	case turn%5 == 0:
		low += uint(r.IntN(3))
	case turn%13 == 3:
		values, low = values[:0], uint(1+r.IntN(4))
		x := uint64(0)
		for range 1 + r.IntN(140/int(low)) {
			values = append(values, x)
			x += 1 + r.Uint64N(3<<low)
		}
		span = values[len(values)-1] + 1
	case turn%13 == 5:
		low = uint(1 + r.IntN(8))
		n, high := 1+r.IntN(most), uint64(lookUpper-20+[]int{r.IntN(30), r.IntN(8000)}[r.IntN(2)])
		span = (high-uint64(n))<<low | 1
		values = kerneltest.SortedSet(append(kerneltest.Ascending(n, func() uint64 { return r.Uint64N(span) }), span))
	}
	p = Packed{Block: appendPacked(nil, values, low), N: len(values), Low: low}
	if !p.KeepsOffsets(1 << 10) {
		return p, nil, false
	}
	for range r.IntN(1 << r.IntN(9)) {
		x := uint32(values[r.IntN(len(values))])
		switch r.IntN(4) {
		case 0:
			x = uint32(r.Uint64N(2 * span))
		case 1:
			x ^= 1 << r.IntN(int(low)+3)
		case 2:
			x += 1 << low
		}
		offsets = append(offsets, x)
	}
	if turn%3 > 0 {
		slices.Sort(offsets)
	}
	return p, offsets, true
}

// compareLookups compares functions that look offsets up in a long block. Of blocks that are not
// valid only that they do no harm.
func compareLookups(t *testing.T, got, want lookupFunction) {
	r := rand.New(rand.NewPCG(191, 1))
	x, y := kerneltest.NewArena(t, 16*4096), kerneltest.NewArena(t, 2*4096)
	wheres := kerneltest.Places()
	where := func() int { return []int{kerneltest.AtEnd, wheres[r.IntN(len(wheres))]}[r.IntN(2)] }
	asked, found, stopped := 0, 0, 0
	for turn := range 8000 {
		p, offsets, ok := lookedUpIn(r, turn, 1<<(5+turn%10))
		if !ok || len(p.Block) > 16*4096-100 {
			continue
		}
		valid := turn%7 > 0
		for k := 0; k < len(p.Block) && !valid; k++ {
			p.Block[k] ^= byte(r.Uint32() & r.Uint32() & r.Uint32())
		}
		placed := Packed{Block: x.Put(len(p.Block), where(), p.Block), N: p.N, Low: p.Low}
		list := kerneltest.PutOffsets(y, []int{kerneltest.AtEnd, kerneltest.AtBegin, 4 * r.IntN(16)}[turn%3], offsets)
		n, read := got(list, &placed, placed.upper())
		if n < 0 || read > len(offsets) || n > read {
			t.Fatalf("%d of %d offsets: got %d", read, len(offsets), n)
		}
		if !x.Intact() || !y.Intact() || !slices.Equal(list[read:], offsets[read:]) {
			t.Fatalf("%d offsets in %d bytes: memory was changed", len(offsets), len(p.Block))
		}
		if !valid {
			continue
		}
		expected := slices.Clone(offsets[:read])
		m, _ := want(expected, &p, p.upper())
		if n != m || !slices.Equal(list[:n], expected[:m]) {
			t.Fatalf("%d of %d offsets in %d values of low width %d: got %d, want %d", read, len(offsets), p.N, p.Low,
				n, m)
		}
		asked, found = asked+len(offsets), found+n
		if read < len(offsets) {
			stopped++
		}
	}
	if found < 20_000 || asked-found < 20_000 || stopped < 100 {
		t.Fatalf("%d of %d offsets were found, %d lists stopped: this tests too little", found, asked, stopped)
	}
}

// TestPackedKeepOffsets looks offsets up in lists whose buckets have few values and many.
func TestPackedKeepOffsets(t *testing.T) {
	r := rand.New(rand.NewPCG(192, 1))
	kept, found := 0, 0
	for turn := range 3000 {
		p, offsets, ok := lookedUpIn(r, turn, 20_000)
		if !ok {
			continue
		}
		for len(offsets) > 0 && len(offsets) < 1<<(turn%13) {
			offsets = append(offsets, offsets...)
		}
		want := slices.Clone(offsets)
		m, _ := packedKeepOffsetsGeneric(want, &p, p.upper())
		if !p.KeepsOffsets(len(offsets)) {
			continue
		}
		n := KeepOffsets(offsets, &p)
		kept++
		if found += n; n != m || !slices.Equal(offsets[:n], want[:m]) {
			t.Fatalf("%d offsets in %d values of low width %d: got %d, want %d", len(want), p.N, p.Low, n, m)
		}
	}
	if cpu.Active == cpu.AVX512 && (kept < 1000 || found < 100_000) {
		t.Fatalf("%d lists were looked up, %d values found: this tests too little", kept, found)
	}
}
