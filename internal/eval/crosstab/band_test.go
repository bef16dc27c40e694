// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// TestCalendarBands compares bands of months, quarters and years with package time.
func TestCalendarBands(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, day := range []int64{1, 86400} {
		for _, months := range []int64{1, 3, 12} {
			b := Band{Months: months, Day: day}
			check := func(x int64) {
				at := time.Unix(x*(86400/day), 0).UTC()
				month := (int(at.Month())-1)/int(months)*int(months) + 1
				begin := time.Date(at.Year(), time.Month(month), 1, 0, 0, 0, 0, time.UTC)
				want := begin.Unix() / (86400 / day)
				if got := b.low(b.index(x)); got != want {
					t.Fatalf("%+v: got %d for %d (%v), want %d", b, got, x, at, want)
				}
			}
			for x := int64(-800_000); x < 800_000; x += 1 + rng.Int64N(40) {
				check(x * day)
				check(x*day + rng.Int64N(day))
			}
		}
	}
}

// TestBandsOfExtremes: every band begins with its lower end, at the extremes too, where it is cut
// off.
func TestBandsOfExtremes(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	random := func() int64 {
		x := int64(rng.Uint64() >> rng.IntN(64))
		switch rng.IntN(4) {
		case 0:
			return math.MinInt64 + x>>1&0xFFFF
		case 1:
			return math.MaxInt64 - x>>1&0xFFFF
		}
		return x
	}
	for range 200_000 {
		b := Band{Width: max(1, random()&math.MaxInt64)}
		b.Offset = rng.Int64N(b.Width)
		switch rng.IntN(4) {
		case 0:
			b = Band{Months: []int64{1, 3, 12}[rng.IntN(3)], Day: []int64{1, 86400}[rng.IntN(2)]}
		case 1:
			b = Band{}
		}
		x := random()
		band := b.index(x)
		low := b.low(band)
		if low > x || b.index(low) != band {
			t.Fatalf("%+v: got band %d from %d for %d, in which that is not", b, band, low, x)
		}
		if low > math.MinInt64 && b.index(low-1) != band-1 {
			t.Fatalf("%+v: got band %d of %d, want %d", b, b.index(low-1), low-1, band-1)
		}
		if y := random(); (x < y) != (b.index(x) < b.index(y)) && b.index(x) != b.index(y) {
			t.Fatalf("%+v: bands of %d and %d are in another order", b, x, y)
		}
		if b.Width > 0 {
			sum := new(big.Int).Add(big.NewInt(x), big.NewInt(b.Offset))
			want := new(big.Int).Div(sum, big.NewInt(b.Width)) // Euclidean: rounded down, as Width is above 0
			if want.Cmp(big.NewInt(band)) != 0 {
				t.Fatalf("%+v: got band %d for %d, want %v", b, band, x, want)
			}
		}
	}
}

// TestBandEnds: the ends of bands are those of the integers in them, without a gap.
func TestBandEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, b := range []Band{{}, {Width: 1}, {Width: 7, Offset: 3}, {Width: 10}, {Months: 1, Day: 1},
		{Months: 3, Day: 86400}, {Months: 12, Day: 1}} {
		for _, around := range []int64{math.MinInt64, -40_000_000, 0, 40_000_000, math.MaxInt64} {
			for range 200 {
				x := around + rng.Int64N(20_000) - 10_000
				y := x + rng.Int64N(20_000)
				if x > 0 != (around > 0) && (around == math.MinInt64 || around == math.MaxInt64) || y < x {
					continue // beyond what an int64 holds
				}
				ends, ok := b.Ends(x, y, 30_000)
				bands := int(b.index(y)-b.index(x)) + 1
				if !ok || len(ends) != bands+1 && !(y > math.MaxInt64-86400*400 && len(ends) == bands) {
					t.Fatalf("%+v: got %d ends, %v for %d bands from %d to %d", b, len(ends), ok, bands, x, y)
				}
				for i, end := range ends {
					if i > 0 && end <= ends[i-1] || b.index(end) != b.index(x)+int64(i) || end > math.MinInt64 &&
						b.index(end-1) == b.index(end) {
						t.Fatalf("%+v: got the ends %v from %d to %d", b, ends, x, y)
					}
				}
				if _, ok := b.Ends(x, y, bands-1); ok {
					t.Fatalf("%+v: got %d bands, want none as at most %d are wanted", b, bands, bands-1)
				}
			}
		}
	}
	for _, most := range []int{1, 10_000} {
		if _, ok := (Band{}).Ends(math.MinInt64, math.MaxInt64, most); ok {
			t.Error("got the ends of all integers")
		}
	}
}
