// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/internal/value"
)

// Format says how the integers of an Integer field are written as text, in queries, batches, loads
// and changes.
type Format string

const (
	// Number is a decimal number: -7, or with a Scale of 2 also -7.25, which is the integer -725.
	Number Format = ""

	// Date is a day, 2026-01-31: the integer is the number of days since 1970-01-01.
	Date Format = "date"

	// Time is a time of RFC 3339 in whole seconds, 2026-01-31T12:00:00Z: the integer is the number
	// of seconds since 1970-01-01T00:00:00Z.
	Time Format = "time"
)

const (
	maxScale      = 18
	secondsOfADay = 24 * 60 * 60
)

// checkFormat fails for a format that there is not, or that does not fit the field.
func (f Field) checkFormat() error {
	switch {
	case f.Format != Number && f.Format != Date && f.Format != Time:
		return invalid("field %q: got format %q, want %q, %q or none", f.Name, f.Format, Date, Time)
	case f.Scale < 0 || f.Scale > maxScale:
		return invalid("field %q: got a scale of %d, want 0 to %d", f.Name, f.Scale, maxScale)
	case f.Scale > 0 && f.Format != Number:
		return invalid("field %q: got a scale of %d with format %q, want one of them", f.Name, f.Scale, f.Format)
	case f.Type != Integer && (f.Format != Number || f.Scale > 0):
		return invalid("field %q: got format %q and scale %d for type %q, want them for %q only", f.Name, f.Format,
			f.Scale, f.Type, Integer)
	}
	return nil
}

// parseNumber reads the text of an integer of the field, in any form that tables may have.
func (f Field) parseNumber(text string) (int64, error) {
	switch f.Format {
	case Date:
		t, err := time.Parse(time.DateOnly, value.Day(text))
		if err != nil {
			return 0, invalid("%s: got %.100q, want a day such as 2026-01-31", f.Name, text)
		}
		return t.Unix() / secondsOfADay, nil // exact: the day begins at midnight
	case Time:
		t, err := time.Parse(time.RFC3339, value.RFC3339(text))
		if err != nil || t.Nanosecond() != 0 {
			return 0, invalid("%s: got %.100q, want a time in whole seconds such as 2026-01-31T12:00:00Z", f.Name, text)
		}
		return t.Unix(), nil
	}
	plain, err := value.Decimal(text, f.Scale)
	if err != nil {
		return 0, invalid("%s: %v", f.Name, err)
	}
	whole, fraction, _ := strings.Cut(plain, ".")
	x, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", f.Scale-len(fraction)), 10, 64)
	if err != nil {
		return 0, invalid("%s: got %.100q, want a number from %s to %s", f.Name, text, f.formatNumber(leastNumber),
			f.formatNumber(greatestNumber))
	}
	return x, nil
}

// formatNumber returns the text of an integer of the field, which parseNumber reads; of one that no
// day or time of the years 0 to 9999 stands for, the decimal number.
func (f Field) formatNumber(x int64) string {
	switch {
	case f.Format == Date && x >= firstSecond/secondsOfADay && x <= lastSecond/secondsOfADay:
		return time.Unix(x*secondsOfADay, 0).UTC().Format(time.DateOnly)
	case f.Format == Time && x >= firstSecond && x <= lastSecond:
		return time.Unix(x, 0).UTC().Format(time.RFC3339)
	case f.Format != Number:
		return strconv.FormatInt(x, 10)
	}
	return f.point(strconv.FormatInt(x, 10))
}

// point sets the decimal point of the field's scale in an integer's digits.
func (f Field) point(integer string) string {
	if f.Scale == 0 {
		return integer
	}
	sign, digits := "", integer
	if strings.HasPrefix(integer, "-") {
		sign, digits = "-", integer[1:]
	}
	if short := f.Scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	return sign + digits[:len(digits)-f.Scale] + "." + digits[len(digits)-f.Scale:]
}

// The first and the last second of the years that text can name.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

// leastNumber and greatestNumber are the bounds of what a field can hold.
const (
	leastNumber    = math.MinInt64
	greatestNumber = math.MaxInt64
)
