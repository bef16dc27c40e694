// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// manyIntegers returns n records, two of three IDs, with prices around 1 000.
func manyIntegers(n int) *Integers {
	r := rand.New(rand.NewPCG(51, 52))
	pairs := make([]Pair, n)
	for i := range pairs {
		pairs[i] = Pair{uint64(i) + uint64(i)/2, int64(1000 + r.NormFloat64()*300)}
	}
	return Of(pairs)
}

// questions are the calls that build nothing.
var questions = []struct {
	name string
	ask  func(v View) uint64
}{
	{"Value", func(v View) uint64 { x, _ := v.Value(3000); return uint64(x) }},
	{"Len", func(v View) uint64 { return v.Len() }},
	{"EqualLen", func(v View) uint64 { return v.EqualLen(1000) }},
	{"LessLen", func(v View) uint64 { return v.LessLen(900) }},
	{"BetweenLen", func(v View) uint64 { return v.BetweenLen(900, 1100) }},
	{"Sum", func(v View) uint64 { return v.Sum().Lo }},
	{"Min", func(v View) uint64 { x, _ := v.Min(); return uint64(x) }},
	{"Max", func(v View) uint64 { x, _ := v.Max(); return uint64(x) }},
	{"Nth", func(v View) uint64 { x, _ := v.Nth(100); return uint64(x) }},
	{"Quantile", func(v View) uint64 { x, _ := v.Quantile(0.5); return uint64(x) }},
	{"TopK", func(v View) uint64 { var room [10]Pair; return v.TopK(room[:0], 10)[0].ID }},
	{"BottomK", func(v View) uint64 { var room [10]Pair; return v.BottomK(room[:0], 10)[0].ID }},
	{"All", func(v View) (n uint64) {
		for id := range v.All() {
			n += id
		}
		return n
	}},
}

// forms returns integers in the forms in which they are asked, without and with filters.
func forms(tb testing.TB, n int) map[string]View {
	tb.Helper()
	s := manyIntegers(n)
	stored, err := Open(s.View().Append(nil, bitmap.Smallest))
	if err != nil {
		tb.Fatal(err)
	}
	changed := s.Clone()
	for id := range uint64(100) {
		changed.Set(id*7, int64(id))
	}
	filter := bitmap.Of(roaringtest.Span(0, uint64(n), 5)...)
	filter.Pack(bitmap.Smallest)
	return map[string]View{
		"built": s.View(), "stored": stored, "changed": changed.View(),
		"filtered": stored.Within(filter.View()), "few": s.View().Within(bitmap.Of(roaringtest.Span(0, uint64(n),
			1009)...).View()),
	}
}

func TestAllocations(t *testing.T) {
	if roaringtest.RaceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	sizes := []int{5_000, 200_000}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, n := range sizes {
		for form, v := range forms(t, n) {
			for _, q := range questions {
				if got := roaringtest.Allocations(10, func() { q.ask(v) }); got != 0 {
					t.Errorf("%s of %d %s: got %v allocations, want 0", q.name, n, form, got)
				}
			}
			// The result: its bytes and what holds them.
			if got := roaringtest.Allocations(10, func() { v.Between(900, 1100) }); got > 2 {
				t.Errorf("Between of %d %s: got %v allocations, want 2", n, form, got)
			}
			if got := roaringtest.Allocations(10, func() { v.TopK(make([]Pair, 0, 10), 10) }); got > 1 {
				t.Errorf("TopK of %d %s: got %v allocations, want that of its result", n, form, got)
			}
		}
	}
	stored := manyIntegers(5_000).View().AppendChecked(nil, bitmap.Fastest)
	if got := roaringtest.Allocations(10, func() {
		if _, err := Open(stored); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("Open: got %v allocations, want 0", got)
	}
}

func BenchmarkQuestions(b *testing.B) {
	for _, form := range []string{"built", "stored", "filtered", "few"} {
		v := forms(b, 1_000_000)[form]
		for _, q := range questions {
			b.Run("question="+q.name+"/form="+form, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					q.ask(v)
				}
			})
		}
		b.Run("question=Between/form="+form, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v.Between(900, 1100)
			}
		})
	}
	pairs := []Pair{}
	for id, value := range forms(b, 1_000_000)["built"].All() {
		pairs = append(pairs, Pair{id, value})
	}
	b.Run("question=Of", func(b *testing.B) {
		for b.Loop() {
			Of(pairs)
		}
	})
	s := Of(pairs)
	b.Run("question=Append", func(b *testing.B) {
		var dst []byte
		for b.Loop() {
			dst = s.View().Append(dst[:0], bitmap.Smallest)
		}
		b.ReportMetric(float64(len(dst))/float64(len(pairs)), "bytes/record")
	})
	r := rand.New(rand.NewPCG(53, 54))
	b.Run("question=Set", func(b *testing.B) {
		for b.Loop() {
			s.Set(r.Uint64N(1_500_000), r.Int64N(2000))
		}
	})
}
