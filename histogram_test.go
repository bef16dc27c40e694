// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestHistogramOfEveryFormat: bands of every format are in ascending order, and named by their
// ends.
func TestHistogramOfEveryFormat(t *testing.T) {
	of := bands(t)
	for by, want := range map[string]string{
		"age by 10":                   "-20..-10:1 -10..0:2 0..10:1 10..20:1",
		"height by 1":                 "-1.00..0.00:1 0.00..1.00:1 1.00..2.00:3",
		"joined by year":              "1969-01-01..1970-01-01:1 1970-01-01..1971-01-01:0 ...",
		"seen by month":               "1969-12-01T00:00:00Z..1970-01-01T00:00:00Z:1 ...",
		"any by 9223372036854775807":  "-9223372036854775807..0:2 0..9223372036854775807:2 9223372036854775807..:1",
		"age | -10 0 9":               "..-10:1 -10..0:2 0..9:0 9..:2",
		"age | 0":                     "..0:3 0..:2",
		"any | -9223372036854775808":  "..-9223372036854775808:0 -9223372036854775808..:5",
		"any | 9223372036854775807":   "..9223372036854775807:4 9223372036854775807..:1",
		"joined | 2024-03-01 now":     "..2024-03-01:2 ...",
		"seen | 2026-01-31T23:00:00Z": "..2026-01-31T23:00:00Z:2 2026-01-31T23:00:00Z..:3",
	} {
		field, bounds, _ := strings.Cut(by, " |")
		found, err := of.Histogram(t.Context(), field, strings.Fields(bounds)...)
		if err != nil {
			t.Errorf("%s: %v", by, err)
			continue
		}
		var got []string
		for _, b := range found {
			got = append(got, fmt.Sprintf("%s..%s:%d", b.From, b.Below, b.Count))
		}
		begin, isBegin := strings.CutSuffix(want, " ...")
		if all := strings.Join(got, " "); all != want && !(isBegin && strings.HasPrefix(all, begin+" ")) {
			t.Errorf("%s:\n got %v\nwant %v", by, got, want)
		}
	}
	for by, want := range map[string]string{
		"city":              `city: got a field of type "single", want "integer"`,
		"aeg by 10":         `did you mean "age"?`,
		"age by 10 | 1":     `got "age by 10" with bounds, want either; try "age"`,
		"age | 1 1":         `age: got the bound "1" behind "1", want each above the one before it`,
		"age | 1 x":         `age: got "x", want a number`,
		"any by 1000":       `any by 1000: got more than 10000 bands; try wider ones, or fewer records`,
		"any":               `any: got more than 10000 bands`,
		"joined | tomorrow": `joined: got "tomorrow"`,
	} {
		field, bounds, _ := strings.Cut(by, " |")
		_, err := of.Histogram(t.Context(), field, strings.Fields(bounds)...)
		if err == nil || !strings.Contains(err.Error(), want) ||
			!errors.Is(err, uproar.ErrInvalid) && !errors.Is(err, uproar.ErrUnknownField) {
			t.Errorf("%s: got %v, want %s", by, err, want)
		}
	}
}

// TestHistogramModel compares histograms of random integers, queries, widths and bounds with counts
// of one integer after the other, at the extremes too.
func TestHistogramModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 4))
	for round := range 40 {
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "n", Type: uproar.Integer},
			uproar.Field{Name: "day", Type: uproar.Integer, Format: uproar.Date},
			uproar.Field{Name: "half", Type: uproar.Set})
		if err != nil {
			t.Fatal(err)
		}
		random := func() int64 {
			x := int64(rng.Uint64() >> rng.IntN(64))
			if rng.IntN(8) == 0 {
				return math.MinInt64 + x&7
			}
			if rng.IntN(2) == 0 {
				return -x
			}
			return x
		}
		if round%2 == 0 { // of a narrow range
			random = func() int64 { return rng.Int64N(3000) - 1000 }
		}
		var numbers, days []int64 // of the half that is asked for
		put(t, ix, func(b *uproar.Batch) {
			for i := range rng.IntN(3000) {
				key, x, day := fmt.Sprint("r", i), random(), rng.Int64N(4000)-1000
				if i%7 == 0 {
					b.Set("half", key, "no value") // and no integer
					continue
				}
				b.Set("n", key, fmt.Sprint(x))
				b.Set("day", key, time.Unix(day*86400, 0).UTC().Format(time.DateOnly))
				if i%3 == 0 {
					b.Set("half", key, "yes")
					numbers, days = append(numbers, x), append(days, day)
				}
			}
		})
		snap := ix.Snapshot()
		of, err := snap.Select(t.Context(), query.Equal{Field: "half", Value: "yes"})
		if err != nil {
			t.Fatal(err)
		}
		// Bounds: the number of integers in each band, one by one.
		var ends []int64
		for range rng.IntN(40) {
			if ends = append(ends, random()); len(numbers) > 0 && rng.IntN(2) == 0 {
				ends[len(ends)-1] = numbers[rng.IntN(len(numbers))]
			}
		}
		ends = append(ends, []int64{0, -1, math.MinInt64, math.MaxInt64}[rng.IntN(4)])
		slices.Sort(ends)
		ends = slices.Compact(ends)
		texts, want := make([]string, len(ends)), make([]uint64, len(ends)+1)
		for i, end := range ends {
			texts[i] = fmt.Sprint(end)
		}
		for _, x := range numbers {
			k := 0
			for k < len(ends) && x >= ends[k] {
				k++
			}
			want[k]++
		}
		found, err := of.Histogram(t.Context(), "n", texts...)
		if err != nil || len(found) != len(want) {
			t.Fatalf("round %d: got %d bands, %v, want %d", round, len(found), err, len(want))
		}
		for i, b := range found {
			if b.Count != want[i] || i > 0 && b.From != texts[i-1] || i < len(texts) && b.Below != texts[i] {
				t.Fatalf("round %d: got %+v as band %d of %v, want %d records", round, b, i, texts, want[i])
			}
		}
		// Bands: those of Groups, with what lies between them.
		for _, by := range []string{fmt.Sprint("n by ", 1+rng.Int64N(300)), "day by month", "day by week",
			"day by year", "day"} {
			if strings.HasPrefix(by, "n") && round%2 != 0 {
				continue // too many
			}
			checkBands(t, of, by, len(days))
		}
		snap.Close()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// checkBands compares a histogram with the groups of the same bands.
func checkBands(t *testing.T, of *uproar.Selection, by string, records int) {
	t.Helper()
	found, err := of.Histogram(t.Context(), by)
	if err != nil {
		t.Fatalf("%s: %v", by, err)
	}
	groups, err := of.Groups(t.Context(), 0, by)
	if err != nil {
		t.Fatal(err)
	}
	counts, all := map[string]uint64{}, uint64(0)
	for _, g := range groups {
		counts[g.Keys[0]] = g.Count
	}
	for i, b := range found {
		if all += b.Count; b.Count != counts[b.From] || i > 0 && b.From != found[i-1].Below || b.Below == "" {
			t.Fatalf("%s: got %+v behind %+v, want %d records", by, b, found[max(i, 1)-1], counts[b.From])
		}
	}
	if len(found) > 0 && (found[0].Count == 0 || found[len(found)-1].Count == 0) || all != uint64(records) {
		t.Fatalf("%s: got %d records from %+v on, want %d, and some in the first and the last band", by, all, found,
			records)
	}
}
