// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

// tiersOf are tiers of every shape: rows that are dense, spread over all numbers, one alone, or with nearly all marks in a few of them.
func tiersOf(r *rand.Rand, n int) map[string]*tier {
	shapes := map[string]func() uint64{
		"dense":  func() uint64 { return 7 + r.Uint64N(uint64(n)) },
		"spread": func() uint64 { return r.Uint64N(MaxID + 1) },
		"one":    func() uint64 { return MaxID },
		"ends":   func() uint64 { return r.Uint64N(2) * MaxID },
		"few":    func() uint64 { u := r.Float64(); return uint64(u * u * u * u * float64(n)) },
	}
	made := map[string]*tier{}
	for name, row := range shapes {
		marks := make([]mark, n)
		for i := range marks {
			marks[i] = markOf(edit{row: row(), record: r.Uint64N(1 << 40), set: r.IntN(2) == 0})
		}
		marks, _ = sortMarks(marks, nil)
		made[name] = newTier(marks)
	}
	return made
}

// findIn is tier.find.
func findIn(t *tier, m mark) (mark, bool) {
	return t.find(m, filterHash(m.row>>1), filterHash(m.record>>1))
}

// Every row, and those beside it, is found where a search through all marks finds it.
func TestTierRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, filteredTier - 1, filteredTier, 5000} {
		for name, tier := range tiersOf(r, n) {
			plain := *tier
			plain.rows, plain.spans = nil, nil
			if most := len(tier.marks)/spanMarks + 2; len(tier.spans) > most {
				t.Errorf("%s, %d marks: got %d spans, want at most %d", name, n, len(tier.spans), most)
			}
			rows := []uint64{0, 1, MaxID - 1, MaxID}
			for _, m := range tier.marks {
				if row := m.row >> 1; rows[len(rows)-1] != row {
					rows = append(rows, max(row, 1)-1, min(row+1, MaxID), row)
				}
				if got, ok := findIn(tier, m); !ok || got != m {
					t.Fatalf("%s, %d marks: got %v, %t for %v", name, n, got, ok, m)
				}
			}
			for _, row := range rows {
				if got, want := tier.from(row), plain.from(row); len(got) != len(want) {
					t.Fatalf("%s, %d marks: got %d from row %d on, want %d", name, n, len(got), row, len(want))
				}
				layer, want := tier.row(row, tier.placeOf(row)), plain.row(row, plain.placeOf(row)).marks
				if got := layer.marks; !slices.Equal(got, want) {
					t.Fatalf("%s, %d marks: got %d of row %d, want %d", name, n, len(got), row, len(want))
				}
				if heavy := tier.rows != nil && len(want) >= heavyMarks; heavy != (layer.records != nil) {
					t.Fatalf("%s, %d marks: row %d of %d: got a filter %t", name, n, row, len(want), !heavy)
				}
				if len(want) > 0 && !tier.mayHave(filterHash(row)) {
					t.Fatalf("%s, %d marks: got row %d left out", name, n, row)
				}
				for _, m := range layer.marks {
					if got, ok := layer.find(m.record>>1, filterHash(m.record>>1)); !ok || got != m {
						t.Fatalf("%s, %d marks: got %v, %t for %v", name, n, got, ok, m)
					}
					for _, record := range []uint64{max(m.record>>1, 1) - 1, min(m.record>>1+1, MaxID)} {
						at := sort.Search(len(want), func(i int) bool { return want[i].record>>1 >= record })
						there := at < len(want) && want[at].record>>1 == record
						if got, ok := layer.find(record, filterHash(record)); ok != there || ok && got != want[at] {
							t.Fatalf("%s, %d marks: got %v, %t for record %d of row %d, want %t", name, n, got, ok, record, row, there)
						}
						if got := near(want, record); got != at {
							t.Fatalf("%s, %d marks: got place %d for record %d of row %d, want %d", name, n, got, record, row, at)
						}
					}
				}
				absent := mark{row << 1, 1 << 50}
				if got, ok := findIn(tier, absent); ok {
					t.Fatalf("%s, %d marks: got %v for a record that is in none", name, n, got)
				}
			}
		}
	}
}
