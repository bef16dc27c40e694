// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// tiersOf are tiers of every shape: rows that are dense, spread over all numbers, one alone, or
// with nearly all marks in a few of them.
func tiersOf(r *rand.Rand, n int) map[string]*level {
	shapes := map[string]func() uint64{
		"dense":  func() uint64 { return 7 + r.Uint64N(uint64(n)) },
		"spread": func() uint64 { return r.Uint64N(model.MaxID + 1) },
		"one":    func() uint64 { return model.MaxID },
		"ends":   func() uint64 { return r.Uint64N(2) * model.MaxID },
		"few":    func() uint64 { u := r.Float64(); return uint64(u * u * u * u * float64(n)) },
	}
	made := map[string]*level{}
	for name, row := range shapes {
		marks := make([]entry, n)
		for i := range marks {
			marks[i] = entryOf(model.Edit{Row: row(), Record: r.Uint64N(1 << 40), Set: r.IntN(2) == 0})
		}
		marks, _ = sortEntries(marks, nil)
		made[name] = newLevel(marks)
	}
	return made
}

// findIn is tier.find.
func findIn(t *level, m entry) (entry, bool) {
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
			rows := []uint64{0, 1, model.MaxID - 1, model.MaxID}
			for _, m := range tier.marks {
				if row := m.row >> 1; rows[len(rows)-1] != row {
					rows = append(rows, max(row, 1)-1, min(row+1, model.MaxID), row)
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
					for _, record := range []uint64{max(m.record>>1, 1) - 1, min(m.record>>1+1, model.MaxID)} {
						at := sort.Search(len(want), func(i int) bool { return want[i].record>>1 >= record })
						there := at < len(want) && want[at].record>>1 == record
						if got, ok := layer.find(record, filterHash(record)); ok != there || ok && got != want[at] {
							t.Fatalf("%s, %d marks: got %v, %t for record %d of row %d, want %t", name, n, got, ok,
								record, row, there)
						}
						if got := near(want, record); got != at {
							t.Fatalf("%s, %d marks: got place %d for record %d of row %d, want %d", name, n, got,
								record, row, at)
						}
					}
				}
				absent := entry{row << 1, 1 << 50}
				if got, ok := findIn(tier, absent); ok {
					t.Fatalf("%s, %d marks: got %v for a record that is in none", name, n, got)
				}
			}
		}
	}
}

// TestRecordIndex: where an index says that the mark of a record is, it is, if there is one; of
// records before the first, between, and behind the last, in the next span and far away.
func TestRecordIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 701))
	for round := range 200 {
		gap := uint64(1) << r.IntN(40)
		var marks []entry
		x := r.Uint64N(gap)
		for range heavyMarks + r.IntN(200) {
			marks = append(marks, entryOf(model.Edit{Row: 7, Record: x, Set: r.IntN(2) == 0}))
			x += 1 + r.Uint64N(gap)
		}
		index := newRecordIndex(marks, make(filter, filterWords(len(marks))), make([]uint32, recordBuckets(len(marks))))
		last := marks[len(marks)-1].record >> 1
		asked := []uint64{0, last + 1<<index.shift, last + 2<<index.shift, model.MaxID}
		for _, m := range marks {
			asked = append(asked, m.record>>1, m.record>>1+1, max(m.record>>1, 1)-1)
		}
		for _, x := range asked {
			want := sort.Search(len(marks), func(i int) bool { return marks[i].record>>1 >= x })
			there := want < len(marks) && marks[want].record>>1 == x
			low, high := index.around(x)
			if low < 0 || low > high || high > len(marks) || there && (want < low || want >= high) {
				t.Fatalf("round %d: record %d: got between %d and %d, want %d of %d, %t", round, x, low, high, want,
					len(marks), there)
			}
			if m, ok := entryWithin(marks, low, high, x); ok != there || ok && m != marks[want] {
				t.Fatalf("round %d: record %d: got mark %v, %t, want %t", round, x, m, ok, there)
			}
		}
	}
}
