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

// levelsOf are levels of every shape: rows that are dense, spread over all numbers, one alone, or
// with nearly all entries in a few of them.
func levelsOf(r *rand.Rand, n int) map[string]*Level {
	shapes := map[string]func() uint64{
		"dense":  func() uint64 { return 7 + r.Uint64N(uint64(n)) },
		"spread": func() uint64 { return r.Uint64N(model.MaxID + 1) },
		"one":    func() uint64 { return model.MaxID },
		"ends":   func() uint64 { return r.Uint64N(2) * model.MaxID },
		"few":    func() uint64 { u := r.Float64(); return uint64(u * u * u * u * float64(n)) },
	}
	made := map[string]*Level{}
	for name, row := range shapes {
		entries := make([]Entry, n)
		for i := range entries {
			entries[i] = EntryOf(model.Edit{Row: row(), Record: r.Uint64N(1 << 40), Set: r.IntN(2) == 0})
		}
		entries, _ = SortEntries(entries, nil)
		made[name] = NewLevel(entries)
	}
	return made
}

// findIn is level.find.
func findIn(t *Level, m Entry) (Entry, bool) {
	return t.find(m, FilterHash(m.Row>>1), FilterHash(m.Record>>1))
}

// Every row, and those beside it, is found where a search through all entries finds it.
func TestLevelFindsRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, FilteredFrom - 1, FilteredFrom, 5000} {
		for name, level := range levelsOf(r, n) {
			plain := *level
			plain.rows, plain.buckets = nil, nil
			if most := len(level.Entries)/bucketEntries + 2; len(level.buckets) > most {
				t.Errorf("%s, %d entries: got %d spans, want at most %d", name, n, len(level.buckets), most)
			}
			rows := []uint64{0, 1, model.MaxID - 1, model.MaxID}
			for _, m := range level.Entries {
				if row := m.Row >> 1; rows[len(rows)-1] != row {
					rows = append(rows, max(row, 1)-1, min(row+1, model.MaxID), row)
				}
				if got, ok := findIn(level, m); !ok || got != m {
					t.Fatalf("%s, %d entries: got %v, %t for %v", name, n, got, ok, m)
				}
			}
			for _, row := range rows {
				if got, want := level.from(row), plain.from(row); len(got) != len(want) {
					t.Fatalf("%s, %d entries: got %d from row %d on, want %d", name, n, len(got), row, len(want))
				}
				run, want := level.Row(row, level.PlaceOf(row)), plain.Row(row, plain.PlaceOf(row)).Entries
				if got := run.Entries; !slices.Equal(got, want) {
					t.Fatalf("%s, %d entries: got %d of row %d, want %d", name, n, len(got), row, len(want))
				}
				if heavy := level.rows != nil && len(want) >= HeavyEntries; heavy != (run.Records != nil) {
					t.Fatalf("%s, %d entries: row %d of %d: got a filter %t", name, n, row, len(want), !heavy)
				}
				if len(want) > 0 && !level.MayHave(FilterHash(row)) {
					t.Fatalf("%s, %d entries: got row %d left out", name, n, row)
				}
				for _, m := range run.Entries {
					if got, ok := run.find(m.Record>>1, FilterHash(m.Record>>1)); !ok || got != m {
						t.Fatalf("%s, %d entries: got %v, %t for %v", name, n, got, ok, m)
					}
					for _, record := range []uint64{max(m.Record>>1, 1) - 1, min(m.Record>>1+1, model.MaxID)} {
						at := sort.Search(len(want), func(i int) bool { return want[i].Record>>1 >= record })
						there := at < len(want) && want[at].Record>>1 == record
						if got, ok := run.find(record, FilterHash(record)); ok != there || ok && got != want[at] {
							t.Fatalf("%s, %d entries: got %v, %t for record %d of row %d, want %t", name, n, got, ok,
								record, row, there)
						}
						if got := near(want, record); got != at {
							t.Fatalf("%s, %d entries: got place %d for record %d of row %d, want %d", name, n, got,
								record, row, at)
						}
					}
				}
				absent := Entry{row << 1, 1 << 50}
				if got, ok := findIn(level, absent); ok {
					t.Fatalf("%s, %d entries: got %v for a record that is in none", name, n, got)
				}
			}
		}
	}
}

// TestRecordIndex: where an index says that the entry of a record is, it is, if there is one; of
// records before the first, between, and behind the last, in the next bucket and far away.
func TestRecordIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 701))
	for round := range 200 {
		gap := uint64(1) << r.IntN(40)
		var entries []Entry
		x := r.Uint64N(gap)
		for range HeavyEntries + r.IntN(200) {
			entries = append(entries, EntryOf(model.Edit{Row: 7, Record: x, Set: r.IntN(2) == 0}))
			x += 1 + r.Uint64N(gap)
		}
		index := newRecordIndex(entries, make(Filter, filterWords(len(entries))), make([]uint32,
			recordBuckets(len(entries))))
		last := entries[len(entries)-1].Record >> 1
		asked := []uint64{0, last + 1<<index.shift, last + 2<<index.shift, model.MaxID}
		for _, m := range entries {
			asked = append(asked, m.Record>>1, m.Record>>1+1, max(m.Record>>1, 1)-1)
		}
		for _, x := range asked {
			want := sort.Search(len(entries), func(i int) bool { return entries[i].Record>>1 >= x })
			there := want < len(entries) && entries[want].Record>>1 == x
			low, high := index.Around(x)
			if low < 0 || low > high || high > len(entries) || there && (want < low || want >= high) {
				t.Fatalf("round %d: record %d: got between %d and %d, want %d of %d, %t", round, x, low, high, want,
					len(entries), there)
			}
			if m, ok := EntryWithin(entries, low, high, x); ok != there || ok && m != entries[want] {
				t.Fatalf("round %d: record %d: got mark %v, %t, want %t", round, x, m, ok, there)
			}
		}
	}
}
