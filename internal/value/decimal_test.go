// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/value"
)

func TestDecimal(t *testing.T) {
	for _, c := range []struct {
		text  string
		scale int
		want  string // or part of the error, behind a !
	}{
		{"39", 0, "39"}, {"-39", 0, "-39"}, {"+39", 0, "39"}, {"39.", 0, "39"}, {"39.0", 0, "39"}, {"39.000", 2, "39"},
		{"3.9e1", 0, "39"}, {"390E-1", 0, "39"}, {"39e+0", 0, "39"}, {"0039", 0, "0039"}, {"00.5", 1, "00.5"},
		{"-0", 0, "-0"}, {"-0.0", 0, "0"}, {"0e999999999999", 0, "0"}, {".5", 1, "0.5"}, {"-1.50", 2, "-1.50"},
		{"1.500", 2, "1.5"}, {"5e-18", 18, "0.000000000000000005"}, {"12.5e1", 0, "125"},
		{"9007199254740993", 0, "9007199254740993"}, {"9223372036854775807.0", 0, "9223372036854775807"},
		{"-9.223372036854775808e18", 0, "-9223372036854775808"}, {"92233720368547758.07", 2, "92233720368547758.07"},
		{"1e39", 0, "1" + strings.Repeat("0", 39)}, {"1e40", 0, "!a number from -9223372036854775808 to 9223372036854775807"},
		{"1e999999999999", 0, "!a number from -9223372036854775808 to 9223372036854775807"}, {"1e-999999999999", 18, "!at most 18 digits"},
		{"0." + strings.Repeat("0", 1<<20-1) + "1e9999999", 0, "!a number from -9223372036854775808 to 9223372036854775807"},
		{"1" + strings.Repeat("0", 1<<20) + "e-9999999", 0, "!want a whole number"},
		{"0." + strings.Repeat("0", 1<<21) + "1e2097153", 0, "1"},
		{"39.5", 0, "!want a whole number"}, {"1.505", 2, "!at most 2 digits after the point"},
		{"1e-3", 2, "!at most 2 digits"},
		{"", 0, "!got nothing"}, {" 39", 0, "!without blanks"}, {"39 ", 0, "!without blanks"},
		{"1 000", 0, "!without blanks"}, {"1\u00a0000", 0, "!without blanks"}, {"1\u202f000", 0, "!without blanks"},
		{"1,000", 0, "!a point before its decimals, and nothing between thousands"}, {"1.000,50", 2, "!a point before"},
		{"1,5", 2, "!a point before"}, {"1_000", 0, "!nothing between thousands"},
		{"1'000", 0, "!nothing between thousands"},
		{"NaN", 0, "!want a number"}, {"Infinity", 0, "!want a number"}, {"-inf", 0, "!want a number"},
		{"0x10", 0, "!want a number"}, {"true", 0, "!want a number"}, {".", 0, "!want a number"},
		{"+", 0, "!want a number"}, {"--1", 0, "!want a number"},
		{"1e", 0, "!want a number"}, {"e1", 0, "!want a number"}, {"1e1.0", 0, "!want a number"},
		{"1.2.3", 2, "!want a number"}, {"٣", 0, "!want a number"}, {"39€", 0, "!want a number"},
	} {
		got, err := value.Decimal(c.text, c.scale)
		if part, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%q, scale %d: got %q, %v, want an error with %q", c.text, c.scale, got, err, part)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%q, scale %d: got %q, %v, want %q", c.text, c.scale, got, err, c.want)
		}
	}
}

// TestRounded rounds numbers, as math/big does.
func TestRounded(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	texts := []string{"0.005", "-0.005", "0.0049999", "9.999", "-99.995", "+0.5", "1e-999999999", "0", "12.5e-3",
		"0.0051e0", ".999", "1234567890123456.785"}
	for range 2000 {
		x := random.Float64() - 0.5
		texts = append(texts, strconv.FormatFloat(x*math.Pow(10, float64(random.IntN(12))), 'g', -1, 64),
			strconv.FormatFloat(x*math.Pow(10, -float64(random.IntN(12))), 'f', -1, 64))
	}
	for _, text := range texts {
		for _, scale := range []int{0, 1, 2, 6} {
			want := "0"
			if x, ok := new(big.Rat).SetString(text); ok && !strings.HasSuffix(text, "999999999") {
				want = x.FloatString(scale)
			}
			got, err := value.Rounded(text, scale)
			a, ok := new(big.Rat).SetString(got)
			b, _ := new(big.Rat).SetString(want)
			if err != nil || !ok || a.Cmp(b) != 0 {
				t.Errorf("%s, scale %d: got %s, %v, want %s", text, scale, got, err, want)
			}
		}
	}
	for _, text := range []string{"", "x", "NaN", "1e300", "1" + strings.Repeat("0", 50) + ".55", "1e"} {
		if got, err := value.Rounded(text, 1); err == nil {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

// FuzzDecimal: what is taken is the same number, in the plain form.
func FuzzDecimal(f *testing.F) {
	for _, text := range []string{"39.0", "-1.5e-3", "+.5", "1e39", "0e9", "9223372036854775808"} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, scale int) {
		scale = ((scale % 19) + 19) % 19
		got, err := value.Decimal(text, scale)
		if err != nil {
			return
		}
		if again, err := value.Decimal(got, scale); err != nil || again != got {
			t.Fatalf("%q: got %q, and of that %q, %v", text, got, again, err)
		}
		_, fraction, _ := strings.Cut(got, ".")
		want, ok := new(big.Rat).SetString(text)
		if is, isOne := new(big.Rat).SetString(got); !isOne || len(fraction) > scale ||
			strings.Trim(got, "-.0123456789") != "" || ok && is.Cmp(want) != 0 {
			t.Fatalf("%q, scale %d: got %q", text, scale, got)
		}
	})
}

func TestInteger(t *testing.T) {
	for _, c := range []struct {
		text  string
		scale int
		want  int64
		err   string
	}{
		{"12.5", 2, 1250, ""}, {"-.05", 2, -5, ""}, {"1e3", 2, 100000, ""}, {"-0", 0, 0, ""}, {"+7", 0, 7, ""},
		{"92233720368547758.07", 2, math.MaxInt64, ""}, {"-92233720368547758.08", 2, math.MinInt64, ""},
		{"92233720368547758.08", 2, 0, "want a number from -92233720368547758.08 to 92233720368547758.07"},
		{"9223372036854775808", 0, 0, "want a number from -9223372036854775808 to 9223372036854775807"},
		{strings.Repeat("9", 1<<20), 0, 0, "want a number from"}, {"1.5", 0, 0, "want a whole number"},
	} {
		got, err := value.Integer(c.text, c.scale)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || len(err.Error()) > 300 {
				t.Errorf("%.30q, scale %d: got %d, %.300v, want a short error with %q", c.text, c.scale, got, err, c.err)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%.30q, scale %d: got %d, %v, want %d", c.text, c.scale, got, err, c.want)
		}
	}
}

// TestAppendPoint: an integer with a point is its digits with one.
func TestAppendPoint(t *testing.T) {
	for _, x := range []int64{0, 1, -1, 5, -5, 10, -10, 99, 100, -101, 1250, 1e17, -1e18, math.MinInt64,
		math.MaxInt64} {
		for scale := range 19 {
			want := value.Point(strconv.FormatInt(x, 10), scale)
			if got := string(value.AppendPoint([]byte("a"), x, scale)); got != "a"+want {
				t.Errorf("%d, scale %d: got %s, want a%s", x, scale, got, want)
			}
		}
	}
}
