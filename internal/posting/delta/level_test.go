// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// tiersOf are tiers of every shape: rows that are dense, spread over all numbers, one alone, or
// with nearly all marks in a few of them.
func tiersOf(r *rand.Rand, n int) map[string]*Level {
	shapes := map[string]func() uint64{
		"dense":  func() uint64 { return 7 + r.Uint64N(uint64(n)) },
		"spread": func() uint64 { return r.Uint64N(model.MaxID + 1) },
		"one":    func() uint64 { return model.MaxID },
		"ends":   func() uint64 { return r.Uint64N(2) * model.MaxID },
		"few":    func() uint64 { u := r.Float64(); return uint64(u * u * u * u * float64(n)) },
	}
	made := map[string]*Level{}
	for name, row := range shapes {
		marks := make([]Entry, n)
		for i := range marks {
			marks[i] = EntryOf(model.Edit{Row: row(), Record: r.Uint64N(1 << 40), Set: r.IntN(2) == 0})
		}
		marks, _ = SortEntries(marks, nil)
		made[name] = NewLevel(marks)
	}
	return made
}

// findIn is tier.find.
func findIn(t *Level, m Entry) (Entry, bool) {
	return t.find(m, FilterHash(m.Row>>1), FilterHash(m.Record>>1))
}

// Every row, and those beside it, is found where a search through all marks finds it.
func TestTierRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, FilteredFrom - 1, FilteredFrom, 5000} {
		for name, tier := range tiersOf(r, n) {
			plain := *tier
			plain.rows, plain.spans = nil, nil
			if most := len(tier.Marks)/spanMarks + 2; len(tier.spans) > most {
				t.Errorf("%s, %d marks: got %d spans, want at most %d", name, n, len(tier.spans), most)
			}
			rows := []uint64{0, 1, model.MaxID - 1, model.MaxID}
			for _, m := range tier.Marks {
				if row := m.Row >> 1; rows[len(rows)-1] != row {
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
				layer, want := tier.Row(row, tier.PlaceOf(row)), plain.Row(row, plain.PlaceOf(row)).Marks
				if got := layer.Marks; !slices.Equal(got, want) {
					t.Fatalf("%s, %d marks: got %d of row %d, want %d", name, n, len(got), row, len(want))
				}
				if heavy := tier.rows != nil && len(want) >= HeavyMarks; heavy != (layer.Records != nil) {
					t.Fatalf("%s, %d marks: row %d of %d: got a filter %t", name, n, row, len(want), !heavy)
				}
				if len(want) > 0 && !tier.MayHave(FilterHash(row)) {
					t.Fatalf("%s, %d marks: got row %d left out", name, n, row)
				}
				for _, m := range layer.Marks {
					if got, ok := layer.find(m.Record>>1, FilterHash(m.Record>>1)); !ok || got != m {
						t.Fatalf("%s, %d marks: got %v, %t for %v", name, n, got, ok, m)
					}
					for _, record := range []uint64{max(m.Record>>1, 1) - 1, min(m.Record>>1+1, model.MaxID)} {
						at := sort.Search(len(want), func(i int) bool { return want[i].Record>>1 >= record })
						there := at < len(want) && want[at].Record>>1 == record
						if got, ok := layer.find(record, FilterHash(record)); ok != there || ok && got != want[at] {
							t.Fatalf("%s, %d marks: got %v, %t for record %d of row %d, want %t", name, n, got, ok,
								record, row, there)
						}
						if got := near(want, record); got != at {
							t.Fatalf("%s, %d marks: got place %d for record %d of row %d, want %d", name, n, got,
								record, row, at)
						}
					}
				}
				absent := Entry{row << 1, 1 << 50}
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
		var marks []Entry
		x := r.Uint64N(gap)
		for range HeavyMarks + r.IntN(200) {
			marks = append(marks, EntryOf(model.Edit{Row: 7, Record: x, Set: r.IntN(2) == 0}))
			x += 1 + r.Uint64N(gap)
		}
		index := newRecordIndex(marks, make(Filter, FilterWords(len(marks))), make([]uint32, recordBuckets(len(marks))))
		last := marks[len(marks)-1].Record >> 1
		asked := []uint64{0, last + 1<<index.shift, last + 2<<index.shift, model.MaxID}
		for _, m := range marks {
			asked = append(asked, m.Record>>1, m.Record>>1+1, max(m.Record>>1, 1)-1)
		}
		for _, x := range asked {
			want := sort.Search(len(marks), func(i int) bool { return marks[i].Record>>1 >= x })
			there := want < len(marks) && marks[want].Record>>1 == x
			low, high := index.Around(x)
			if low < 0 || low > high || high > len(marks) || there && (want < low || want >= high) {
				t.Fatalf("round %d: record %d: got between %d and %d, want %d of %d, %t", round, x, low, high, want,
					len(marks), there)
			}
			if m, ok := EntryWithin(marks, low, high, x); ok != there || ok && m != marks[want] {
				t.Fatalf("round %d: record %d: got mark %v, %t, want %t", round, x, m, ok, there)
			}
		}
	}
}
