// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// recode returns a body of the set in the hand of the naive writer: any form that the format
// allows, and for each container any kind that can hold it, however ill it suits. Our own writer
// never makes a bitset of one value or a packed block with a low width far from the best; others
// may.
func recode(r *rand.Rand, values []uint64) []byte {
	switch n := len(values); {
	case n == 0 && r.IntN(2) == 0:
		return nil
	case n == 1 && r.IntN(4) == 0:
		w := widthOf(values[0])
		return singleBody(values[0], w+r.IntN(9-w))
	case 0 < n && n <= maxSolo && r.IntN(6) == 0:
		if n <= 256 && values[n-1]>>56 == 0 && r.IntN(2) == 0 {
			return plainBody(values)
		}
		return soloBody(values, bestLow(values)) // whose header has room for the best low width alone
	}
	cs := anyContainers(r, values)
	if len(cs) == 0 || r.IntN(2) == 0 {
		return looseBody(cs, r)
	}
	return compactBody(cs, r.IntN(3))
}

// anyLow returns a low width for a packed block of distances: near the best, at the best, or
// anywhere.
func anyLow(r *rand.Rand, d []uint64) uint {
	low := bestLow(d)
	switch r.IntN(3) {
	case 0:
		low += uint(r.IntN(4))
	case 1:
		low = uint(r.IntN(64))
	}
	return min(low, 63)
}

// anyContainers cuts a set into containers of any kinds.
func anyContainers(r *rand.Rand, values []uint64) (cs []plannedContainer) {
	chunkEnd := func(from int) int {
		key := values[from] >> 16
		n, _ := slices.BinarySearchFunc(values[from:], key, func(x, key uint64) int {
			if x>>16 <= key {
				return -1
			}
			return 1
		})
		return from + n
	}
	for from := 0; from < len(values); {
		to := chunkEnd(from)
		c := plannedContainer{key: values[from] >> 16, values: values[from:to]}
		if r.IntN(4) == 0 { // packed, over this chunk and perhaps others
			c.kind = container.Packed
			for end := to; end < len(values) && r.IntN(8) > 0; to = end {
				if end = chunkEnd(end); end-from > container.MaxPacked {
					break
				}
			}
			c.values = values[from:to]
			c.low = anyLow(r, relative(c.values, c.key<<16))
			if !c.fits() {
				c.low = bestLow(relative(c.values, c.key<<16))
			}
			if !c.fits() {
				to = chunkEnd(from)
				c.values = values[from:to]
			}
		}
		for c.kind == container.Packed && !c.fits() || c.kind != container.Packed {
			c.kind = uint8(r.IntN(3))
			if c.fits() {
				break
			}
		}
		cs = append(cs, c)
		from = to
	}
	return cs
}

// thresholds are cardinalities at which a kind becomes the smallest, becomes impossible, or is
// full.
var thresholds = []int{1, 2, 3, 4, 5, 2047, 2048, 2049, 4095, 4096, 4097, 65535, 65536}

// thresholdChunk returns values of one chunk, as many as one of the thresholds.
func thresholdChunk(r *rand.Rand) []uint64 { return chunkOf(r, thresholds[r.IntN(len(thresholds))]) }

// chunkOf returns n values of one chunk: in one run, in as many runs as can be, or anywhere.
func chunkOf(r *rand.Rand, n int) (values []uint64) {
	step := uint64(1)
	switch r.IntN(3) {
	case 0:
		if n <= 32768 {
			step = 2
		}
	case 1:
		for _, x := range r.Perm(65536)[:n] {
			values = append(values, uint64(x))
		}
		slices.Sort(values)
		return values
	}
	first := r.Uint64N(65536 - step*uint64(n-1))
	return roaringtest.Span(first, first+step*uint64(n-1)+1, step)
}

// thresholdSet returns a set of chunks with such cardinalities, near each other and far apart.
func thresholdSet(r *rand.Rand) (values []uint64) {
	key := uint64(r.IntN(3))
	for range 1 + r.IntN(5) {
		for _, x := range thresholdChunk(r) {
			values = append(values, key<<16|x)
		}
		key += 1 + uint64(r.IntN(2))*r.Uint64N(1<<r.IntN(30))
	}
	return values
}

// recode gives the history's set other containers.
func (h *history) recode(r *rand.Rand) {
	h.t.Helper()
	h.b = recoded(h.t, r, h.m.sorted())
}

// recoded returns a Bitmap of the values in any containers.
func recoded(t *testing.T, r *rand.Rand, values []uint64) *Bitmap {
	t.Helper()
	return checkBody(t, recode(r, values), values).Clone()
}

// TestRecode checks that every kind is met at every threshold that it can hold, and in every form.
func TestRecode(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(81, 82))
	met := map[[2]int]bool{}
	forms := map[uint8]bool{}
	for round := range 36 * len(thresholds) {
		values := chunkOf(r, thresholds[round%len(thresholds)])
		if round%5 == 0 {
			values = thresholdSet(r)
		}
		v := checkBody(t, recode(r, values), values)
		forms[v.form()] = true
		if v.form() == formCompact || v.form() == formLoose {
			for i := range v.count() {
				met[[2]int{int(v.kindAt(i)), v.cardAt(i)}] = true
			}
		}
	}
	checkBody(t, recode(r, nil), nil)
	for _, n := range thresholds {
		for kind := range 4 {
			if possible := kind == container.Bitset || kind == container.Run || n <= 4096; possible &&
				!met[[2]int{kind, n}] {
				t.Errorf("no container of kind %d with %d values", kind, n)
			}
		}
	}
	for _, form := range []uint8{formSingle, formSolo, formCompact, formLoose} {
		if !forms[form] {
			t.Errorf("no body of form %d", form)
		}
	}
}

// TestWriteRecoded changes sets that someone else has laid out: one by one around their values, in
// batches, by ranges, and with other such sets, until none is left.
func TestWriteRecoded(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	for round := range roaringtest.Paced(150, 12) {
		h := newHistory(t)
		load := func(values []uint64) {
			h.m = model{}
			for _, x := range values {
				h.m[x] = struct{}{}
			}
			h.recode(r)
		}
		load(thresholdSet(r))
		near := func() uint64 {
			x := r.Uint64()
			if y, ok := h.b.Select(r.Uint64N(max(h.b.Len(), 1))); ok {
				x = y + r.Uint64N(3) - 1
			}
			return x
		}
		for range 12 {
			switch r.IntN(7) {
			case 0:
				h.add(near())
			case 1:
				h.remove(near())
			case 2, 3:
				values := make([]uint64, 1+r.IntN(1<<r.IntN(11)))
				for i := range values {
					values[i] = near()
				}
				h.many(values, r.IntN(2) == 0)
			case 4:
				first := near()
				h.rangeOp(r.IntN(3), first, max(first, first+r.Uint64N(1<<r.IntN(18))))
			case 5:
				other := model{}
				for _, x := range thresholdSet(r) {
					other[x] = struct{}{}
				}
				h.apply(r.IntN(4), recoded(t, r, other.sorted()).View(), other)
			default:
				h.recode(r)
			}
			h.check()
		}
		// To the last value, some at a time.
		left := h.m.sorted()
		left = left[:min(len(left), 200)]
		load(left)
		for i, j := range r.Perm(len(left)) {
			h.remove(left[j])
			if i%20 == 0 || len(left)-i < 6 {
				h.check()
			}
		}
		if !h.b.IsEmpty() {
			t.Fatalf("round %d: values are left", round)
		}
	}
}
