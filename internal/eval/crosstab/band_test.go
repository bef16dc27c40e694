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
