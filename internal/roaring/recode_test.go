// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// recode gives the history's set other containers.
func (h *history) recode(r *rand.Rand) {
	h.t.Helper()
	h.b = recoded(h.t, r, h.m.sorted())
}

// recoded returns a Bitmap of the values in any containers.
func recoded(t *testing.T, r *rand.Rand, values []uint64) *mutable.Bitmap {
	t.Helper()
	return mutable.Clone(checkBody(t, roaringtest.Recode(r, values), values))
}

// TestRecode checks that every kind is met at every threshold that it can hold, and in every form.
func TestRecode(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(81, 82))
	met := map[[2]int]bool{}
	forms := map[uint8]bool{}
	for round := range 36 * len(roaringtest.Thresholds) {
		values := roaringtest.ChunkOf(r, roaringtest.Thresholds[round%len(roaringtest.Thresholds)])
		if round%5 == 0 {
			values = roaringtest.ThresholdSet(r)
		}
		v := checkBody(t, roaringtest.Recode(r, values), values)
		forms[v.Form()] = true
		if v.Form() == view.FormCompact || v.Form() == view.FormLoose {
			for i := range v.Count() {
				met[[2]int{int(v.KindAt(i)), v.CardAt(i)}] = true
			}
		}
	}
	checkBody(t, roaringtest.Recode(r, nil), nil)
	for _, n := range roaringtest.Thresholds {
		for kind := range 4 {
			if possible := kind == container.Bitset || kind == container.Run || n <= 4096; possible &&
				!met[[2]int{kind, n}] {
				t.Errorf("no container of kind %d with %d values", kind, n)
			}
		}
	}
	for _, form := range []uint8{view.FormSingle, view.FormList, view.FormCompact, view.FormLoose} {
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
		load(roaringtest.ThresholdSet(r))
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
				for _, x := range roaringtest.ThresholdSet(r) {
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
