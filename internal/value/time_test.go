// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/value"
)

// The first and the last second of the years 0 to 9999.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

func TestSecond(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-31T12:00:00.999Z":            "2026-01-31T12:00:00Z",
		"1969-12-31T23:59:59.5+01:00":         "1969-12-31T23:59:59+01:00",
		"2026-01-31T12:00:00Z":                "2026-01-31T12:00:00Z",
		"2026-01-31T12:00:00.000Z":            "2026-01-31T12:00:00Z",
		"2026-01-31 12:00:00.5":               "2026-01-31T12:00:00",
		"2026-01-31 12:00:00+00:00":           "2026-01-31T12:00:00+00:00",
		"2026-01-31 12:00:00.25-05:00":        "2026-01-31T12:00:00-05:00",
		"2026-01-31t12:00:00z":                "2026-01-31T12:00:00Z",
		"2026-01-31 12:00:00":                 "2026-01-31T12:00:00",
		"2026-02-30T12:00:00.5Z":              "2026-02-30T12:00:00.5Z",
		"soon":                                "soon",
		"2026-01-31T12:00:00.123456789+14:00": "2026-01-31T12:00:00+14:00",
	} {
		if got := value.Second(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestDay(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-31T00:00:00Z":      "2026-01-31",
		"2026-01-31T00:00:00+02:00": "2026-01-31",
		"2026-01-31T00:00:00.1Z":    "2026-01-31T00:00:00.1Z",
		"2026-01-31T01:00:00Z":      "2026-01-31T01:00:00Z",
		"2026-01-31":                "2026-01-31",
		"2026-01-31 00:00:00":       "2026-01-31",
		"2026-01-31T00:00:00.000":   "2026-01-31",
		"2026-01-31 00:00:00+02:00": "2026-01-31",
		"2026-01-31 00:00:01":       "2026-01-31 00:00:01",
		"2026-02-30 00:00:00":       "2026-02-30 00:00:00",
		"2026-01-31 ":               "2026-01-31 ",
		"2026-01-31 00:00":          "2026-01-31 00:00",
		"":                          "",
	} {
		if got := value.Day(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestTime checks that times are those of RFC 3339 to the letter. Only blanks and small letters are
// allowed beside it. Times are whole seconds.
func TestTime(t *testing.T) {
	for text, want := range map[string]int64{
		"1970-01-01T00:00:00Z": 0, "1970-01-01 01:00:00+01:00": 0, "1969-12-31t23:59:59z": -1,
		"1970-01-01T00:00:00.0000000000000Z": 0, "1970-01-01T23:59:59-23:59": 2*value.SecondsOfADay - 61,
		"0000-01-01T00:00:00Z": firstSecond, "9999-12-31T23:59:59Z": lastSecond,
		"2024-02-29T00:00:00Z": 1709164800, "2024-02-29T00:00:01": 1709164801, "2024-02-29 00:00:02.0": 1709164802,
	} {
		if got, err := value.Time(text); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "2026-01-31", "2026-01-31T12:00", "2026-01-31T12:00Z", "2026-01-31T1:00:00Z", "2026-01-31T1:00:00.5Z",
		"2026-01-31T12:00:00,000Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00.5Z", "2026-01-31T24:00:00Z",
		"2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z", "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+23:60",
		"2026-01-31T12:00:00+1:00", "2026-01-31T12:00:00+0100", "2026-01-31T12:00:00 Z", " 2026-01-31T12:00:00Z",
		"2026-01-31T12:00:00.0000000001Z", "2026-02-29T12:00:00Z", "2026-1-31T12:00:00Z0", "12026-01-31T12:00:00Z",
		"9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01", "2026-01-31\xffT12:00:00Z", "2026-01-31T12:00:00Ż",
	} {
		if got, err := value.Time(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
}

func TestDate(t *testing.T) {
	for text, want := range map[string]int64{"1970-01-01": 0, "1969-12-31 00:00:00": -1,
		"1970-01-02T00:00:00+02:00": 1} {
		if got, err := value.Date(text); err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "2026-02-29", "2026-1-31", "2026-01-31 00:00:00.0000000009",
		"2026-01-31 00:00:01", "2026-01-31 0:00:00", "2026-01-31 00:00:00,0", "2026-01-31 00:00:00+25:00",
		"2026-02-30 00:00:00"} {
		if got, err := value.Date(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
}

// TestAppended: the days of two cycles of the calendar, and times at random, are what the standard
// library writes.
func TestAppended(t *testing.T) {
	const first, last = int64(firstSecond / value.SecondsOfADay), int64(lastSecond / value.SecondsOfADay)
	var got, want []byte
	const cycle = 146_097
	for day := first; day <= last; day++ {
		if day == first+cycle+1 {
			day = last - cycle
		}
		got = value.AppendDate(got[:0], day)
		want = time.Unix(day*value.SecondsOfADay, 0).UTC().AppendFormat(want[:0], time.DateOnly)
		if string(got) != string(want) {
			t.Fatalf("day %d: got %s, want %s", day, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 100_000 {
		x := firstSecond + r.Int64N(lastSecond-firstSecond+1)
		switch n {
		case 0:
			x = firstSecond
		case 1:
			x = lastSecond
		case 2:
			x = -1
		}
		got = value.AppendTime(got[:0], x)
		want = time.Unix(x, 0).UTC().AppendFormat(want[:0], time.RFC3339)
		if string(got) != string(want) {
			t.Fatalf("%d: got %s, want %s", x, got, want)
		}
	}
	for _, x := range []int64{first - 1, last + 1, math.MinInt64, math.MaxInt64} {
		if got := string(value.AppendDate(nil, x)); got != strconv.FormatInt(x, 10) {
			t.Errorf("day %d: got %s, want the number", x, got)
		}
	}
	for _, x := range []int64{firstSecond - 1, lastSecond + 1, math.MinInt64, math.MaxInt64} {
		if got := string(value.AppendTime(nil, x)); got != strconv.FormatInt(x, 10) {
			t.Errorf("second %d: got %s, want the number", x, got)
		}
	}
}

// FuzzTime: what is taken is a time for the standard library, too, and the same one.
func FuzzTime(f *testing.F) {
	for _, seed := range []string{"2026-01-31T12:00:00Z", "2026-01-31 12:00:00.000+01:00",
		"9999-12-31t23:59:59-23:59", "2026-01-31 12:00:00", "2026-01-31T12:00:00.0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := value.Time(text)
		if err != nil || len(text) < 19 {
			return
		}
		plain := text[:10] + "T" + strings.ToUpper(text[11:])
		if !value.HasZone(text) {
			plain += "Z"
		}
		if at, err := time.Parse(time.RFC3339, plain); err != nil || at.Unix() != got {
			t.Fatalf("%q: got %d, the standard library %v, %v", text, got, at, err)
		}
		if again, err := value.Time(value.Second(text)); err != nil || again != got {
			t.Fatalf("%q: got %d, of its second %d, %v", text, got, again, err)
		}
	})
}
