// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// checkOrder asks for what depends on the order of the integers.
func checkOrder(t *testing.T, r *rand.Rand, name string, v View, pairs []Pair) {
	t.Helper()
	up := slices.Clone(pairs)
	slices.SortStableFunc(up, func(a, b Pair) int { return cmp.Compare(a.Value, b.Value) })
	down := slices.Clone(pairs)
	slices.SortStableFunc(down, func(a, b Pair) int { return cmp.Compare(b.Value, a.Value) })
	n := len(pairs)

	lo, ok := v.Min()
	hi, also := v.Max()
	if ok != (n > 0) || also != ok || ok && (lo != up[0].Value || hi != down[0].Value) {
		t.Fatalf("%s: got minimum %d, %v and maximum %d, %v of %d", name, lo, ok, hi, also, n)
	}
	for _, i := range []int{0, n / 2, n - 1, n, r.IntN(n + 1)} {
		if i < 0 {
			continue
		}
		if x, ok := v.Nth(uint64(i)); ok != (i < n) || ok && x != up[i].Value {
			t.Fatalf("%s: Nth(%d) of %d: got %d, %v", name, i, n, x, ok)
		}
	}
	for _, percent := range []int{0, 1, 7, 50, 99, 100, r.IntN(101)} {
		rank := max((n*percent+99)/100, 1)
		p, _ := strconv.ParseFloat(strconv.Itoa(percent)+"e-2", 64)
		if x, ok := v.Quantile(p); ok != (n > 0) || ok && x != up[rank-1].Value {
			t.Fatalf("%s: Quantile(%g) of %d: got %d, %v", name, p, n, x, ok)
		}
	}
	before := []Pair{{1, 2}}
	for _, k := range []int{-1, 0, 1, 2, 10, n / 2, n - 1, n, n + 1, math.MaxInt} {
		top, bottom := v.TopK(slices.Clone(before), k), v.BottomK(slices.Clone(before), k)
		if k = max(min(k, n), 0); !slices.Equal(top, append(slices.Clone(before), down[:k]...)) {
			t.Fatalf("%s: TopK(%d) of %d: got %s, want %s", name, k, n, roaringtest.Few(top[1:]),
				roaringtest.Few(down[:k]))
		}
		if !slices.Equal(bottom, append(slices.Clone(before), up[:k]...)) {
			t.Fatalf("%s: BottomK(%d) of %d: got %s, want %s", name, k, n, roaringtest.Few(bottom[1:]),
				roaringtest.Few(up[:k]))
		}
	}
}

// TestConcurrent asks from several goroutines at once, each with a filter of its own.
func TestConcurrent(t *testing.T) {
	s := manyIntegers(20_000)
	stored, err := Open(s.View().Append(nil, bitmap.Smallest))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range uint64(4) {
		filter := bitmap.FromSorted(roaringtest.Span(0, 30_000, i+1))
		filter.Pack(bitmap.Smallest)
		views := []View{s.View().Within(filter.View()), stored.Within(filter.View())}
		wg.Go(func() {
			for _, q := range questions {
				if q.name == "Value" {
					continue // of one record, which may be in the filter or not
				}
				if a, b := q.ask(views[0]), q.ask(views[1]); a != b {
					t.Errorf("%s: got %d of the sets, %d of their bytes", q.name, a, b)
				}
			}
		})
	}
	wg.Wait()
}
