// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"math"
	"math/big"
	"time"

	"github.com/uproar-db/uproar/bitmap/bsi"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/eval/crosstab"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/value"
)

// Numbers says what the integers of a selection's records in a field amount to. All is exact, and
// in the integers that are kept: Field.Text writes one as the field declares it.
type Numbers struct {
	Sum       bsi.Sum // exact, with the number of records that have an integer: see Field.SumText, Field.Mean
	Min, Max  int64   // 0 if Sum.Len is
	Quantiles []int64 // as many as were asked for; none if Sum.Len is 0
}

// Numbers returns what the integers of the records in an Integer field amount to. Each quantile,
// from 0 to 1, is an integer that occurs: of n of them the ⌈p·n⌉-th smallest, so that 0.5 is the
// median.
//
// Cost: an intersection for each bit of the field, and one more for each bit and quantile. Errors:
// ErrUnknownField, ErrInvalid, ErrCorrupt, ctx's, or the store's.
func (n *Selection) Numbers(ctx context.Context, field string, quantiles ...float64) (out Numbers, err error) {
	f, err := n.s.field(field)
	if err == nil && f.Type != schema.Integer {
		err = invalid("%s: got a field of type %q, want %q", field, f.Type, schema.Integer)
	}
	if err != nil {
		return out, err
	}
	for _, p := range quantiles {
		if !(p >= 0 && p <= 1) {
			return out, invalid("%s: got the quantile %v, want 0 to 1", field, p)
		}
	}
	numbers, err := eval.NumbersOf(ctx, n.s.lists, f.ID, n.set.View())
	if err != nil {
		return out, err
	}
	out.Sum = numbers.Sum()
	if out.Sum.Len == 0 {
		return out, nil
	}
	out.Min, _ = numbers.Nth(0)
	out.Max, _ = numbers.Nth(out.Sum.Len - 1)
	for _, p := range quantiles {
		x, _ := numbers.Quantile(p)
		out.Quantiles = append(out.Quantiles, x)
	}
	return out, nil
}

// SumText returns the exact text of a sum of integers of the field. The sum may have any size; the
// form is that of Text. A sum of days or times means nothing: its text is the decimal number of the
// days or seconds.
func (f Field) SumText(sum bsi.Sum) string { return value.Point(sum.Big().String(), f.Scale) }

// Mean returns the float64 nearest to the mean of the integers in sum. Its unit is that of Text:
// with a Scale of 2, hundredths are divided by 100. It is NaN for no integers.
func (f Field) Mean(sum bsi.Sum) float64 {
	if sum.Len == 0 {
		return math.NaN()
	}
	n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(f.Scale)), nil)
	n.Mul(n, new(big.Int).SetUint64(sum.Len))
	mean, _ := new(big.Rat).SetFrac(sum.Big(), n).Float64()
	return mean
}

// Band is the records of a selection whose integers lie between two ends, which Field.Text writes.
type Band struct {
	From  string // the least integer of the band; "": there is none
	Below string // the least integer above it; "": there is none
	Count uint64
}

const maxBands = 10_000

// Histogram counts the records by bands of an Integer field, in ascending order, at most 10 000.
//
// by is what Groups takes, such as "age by 10" or "joined by month". The bands go from that of the
// least integer to that of the greatest, those without a record included. With bounds, by is a
// field alone: a band lies below the first bound, and one begins at each. Bounds ascend, and are
// what queries compare the field with, also "now-30d".
//
// Cost: an intersection for each bit of the field, and at most two more for each bit and band, on
// parts of the records. Errors: ErrUnknownField, ErrInvalid, ErrCorrupt, ctx's, or the store's.
func (n *Selection) Histogram(ctx context.Context, by string, bounds ...string) ([]Band, error) {
	g, err := n.grouping("histogram", []string{by})
	if err != nil {
		return nil, err
	}
	f, band := g.fields[0], g.by[0].Band
	if f.Type != schema.Integer {
		return nil, invalid("%s: got a field of type %q, want %q", f.Name, f.Type, schema.Integer)
	}
	if len(bounds) > 0 && band != (crosstab.Band{}) {
		return nil, invalid("histogram: got %q with bounds, want either; try %q", by, f.Name)
	}
	ends := make([]int64, len(bounds))
	for i, text := range bounds {
		if ends[i], err = f.ParseQuery(text, time.Now()); err != nil {
			return nil, err
		}
		if i > 0 && ends[i] <= ends[i-1] {
			return nil, invalid("%s: got the bound %.100q behind %.100q, want each above the one before it", f.Name, text,
				bounds[i-1])
		}
	}
	numbers, err := eval.NumbersOf(ctx, n.s.lists, f.ID, n.set.View())
	if err != nil {
		return nil, err
	}
	fits := len(bounds) < maxBands
	if len(bounds) == 0 {
		least, ok := numbers.Nth(0)
		if !ok {
			return nil, nil
		}
		greatest, _ := numbers.Nth(numbers.Sum().Len - 1)
		ends, fits = band.Ends(least, greatest, maxBands)
	}
	if !fits {
		return nil, invalid("%s: got more than %d bands; try wider ones, or fewer records", by, maxBands)
	}
	counts, err := numbers.Histogram(ctx, ends)
	if err != nil {
		return nil, err
	}
	bands := make([]Band, len(counts))
	for i, count := range counts {
		if bands[i].Count = count; i > 0 {
			bands[i].From = f.Text(ends[i-1])
		}
		if i < len(ends) {
			bands[i].Below = f.Text(ends[i])
		}
	}
	if len(bounds) == 0 { // nothing is below the first end, or above the last one if all bands have one
		if bands = bands[1:]; bands[len(bands)-1].Count == 0 {
			bands = bands[:len(bands)-1]
		}
	}
	return bands, nil
}
