// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/internal/value"
)

// TestNumbersReadBack writes integers of every format as text and reads them again.
func TestNumbersReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, f := range []Field{{Type: Integer}, {Type: Integer, Scale: 1}, {Type: Integer, Scale: 18},
		{Type: Integer, Format: Date}, {Type: Integer, Format: Time}} {
		if err := f.checkFormat(); err != nil {
			t.Fatal(err)
		}
		numbers := []int64{0, 1, -1, 9, -9, 10, 99, -100, value.FirstSecond, value.LastSecond,
			value.FirstSecond / value.SecondsOfADay, value.LastSecond / value.SecondsOfADay}
		if f.Format == Number {
			numbers = append(numbers, math.MaxInt64, math.MinInt64, math.MinInt64+1)
		}
		for range 1000 {
			numbers = append(numbers, rng.Int64N(value.LastSecond/value.SecondsOfADay))
		}
		for _, x := range numbers {
			if f.Format == Date && (x < value.FirstSecond/value.SecondsOfADay ||
				x > value.LastSecond/value.SecondsOfADay) {
				continue
			}
			text := f.Text(x)
			if got, err := f.Parse(text); err != nil || got != x {
				t.Errorf("format %q, scale %d: %d is %s, which is %d, %v", f.Format, f.Scale, x, text, got, err)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	decimal := Field{Name: "f", Type: Integer, Scale: 2}
	for text, want := range map[string]int64{"1": 100, "-1": -100, "1.5": 150, "-0.05": -5, "0.00": 0,
		"1.": 100, "-.5": -50, "+1.50": 150, "1.2300": 123, "1e3": 100000,
		"1.5E-1": 15, "-0": 0, "0e99999999999": 0,
		"92233720368547758.07":  math.MaxInt64,
		"-92233720368547758.08": math.MinInt64} {
		if got, err := decimal.Parse(text); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", "-", "-.", "1.234", "1.-5", "1.5.5", "1e", "1e-3", "1e99", "+-1",
		"92233720368547758.08", " 1", "1,5", "x", "1_0", "٣"} {
		if got, err := decimal.Parse(text); !errors.Is(err, sentinel.ErrInvalid) {
			t.Errorf("%q: got %d, %v, want sentinel.ErrInvalid", text, got, err)
		}
	}
	for _, f := range []Field{{Type: Set, Scale: 1}, {Type: Single, Format: Date}, {Type: Integer, Scale: -1},
		{Type: Integer, Scale: 19}, {Type: Integer, Scale: 1, Format: Time},
		{Type: Integer, Format: "week"}} {
		if err := f.checkFormat(); !errors.Is(err, sentinel.ErrInvalid) {
			t.Errorf("%+v: got %v, want sentinel.ErrInvalid", f, err)
		}
	}
}
