// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/internal/value"
)

// The first and the last second of the years 0 to 9999.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

// TestNumbersReadBack writes integers of every format as text and reads them again.
func TestNumbersReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, f := range []Field{{Type: Integer}, {Type: Integer, Scale: 1}, {Type: Integer, Scale: 18},
		{Type: Integer, Format: Date}, {Type: Integer, Format: Time}} {
		if err := f.checkFormat(); err != nil {
			t.Fatal(err)
		}
		numbers := []int64{0, 1, -1, 9, -9, 10, 99, -100, firstSecond, lastSecond,
			firstSecond / value.SecondsOfADay, lastSecond / value.SecondsOfADay}
		if f.Format == Number {
			numbers = append(numbers, math.MaxInt64, math.MinInt64, math.MinInt64+1)
		}
		for range 1000 {
			numbers = append(numbers, rng.Int64N(lastSecond/value.SecondsOfADay))
		}
		for _, x := range numbers {
			if f.Format == Date && (x < firstSecond/value.SecondsOfADay ||
				x > lastSecond/value.SecondsOfADay) {
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

// TestParseQuery: in a query, days and times may stand at a distance from now; numbers may not.
func TestParseQuery(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 30, 15, 999, time.UTC)
	day := Field{Name: "day", Type: Integer, Format: Date}
	at := Field{Name: "at", Type: Integer, Format: Time}
	for _, c := range []struct {
		of         Field
		text, want string
	}{
		{day, "now", "2026-03-01"},
		{day, "now-1h", "2026-02-28"},
		{day, "now-1mo", "2026-02-01"},
		{day, "2026-01-31", "2026-01-31"},
		{at, "now", "2026-03-01T00:30:15Z"},
		{at, "now+45s", "2026-03-01T00:31:00Z"},
		{at, "2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"},
	} {
		if x, err := c.of.ParseQuery(c.text, now); err != nil || c.of.Text(x) != c.want {
			t.Errorf("%s %s: got %s, %v, want %s", c.of.Name, c.text, c.of.Text(x), err, c.want)
		}
	}
	for text, of := range map[string]Field{"now-": day, "now-3": at, "now-1d": {Name: "n", Type: Integer}} {
		if x, err := of.ParseQuery(text, now); !errors.Is(err, sentinel.ErrInvalid) {
			t.Errorf("%s %s: got %d, %v, want %v", of.Name, text, x, err, sentinel.ErrInvalid)
		}
	}
	if x, err := day.Parse("now"); err == nil {
		t.Errorf("a value that is written: got %d, want an error", x)
	}
}
