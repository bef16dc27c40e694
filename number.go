// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"math"
	"strconv"
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
	secondsOfADay = value.SecondsOfADay
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
func (f Field) parseNumber(text string) (x int64, err error) {
	switch f.Format {
	case Date:
		x, err = value.Date(text)
	case Time:
		x, err = value.Time(text)
	default:
		x, err = value.Integer(text, f.Scale)
	}
	if err != nil {
		return 0, invalid("%s: %v", f.Name, err)
	}
	return x, nil
}

// formatNumber returns the text of an integer of the field, which parseNumber reads; of one that no
// day or time of the years 0 to 9999 stands for, the decimal number.
func (f Field) formatNumber(x int64) string {
	switch {
	case f.Format == Date && x >= value.FirstSecond/secondsOfADay && x <= value.LastSecond/secondsOfADay:
		return time.Unix(x*secondsOfADay, 0).UTC().Format(time.DateOnly)
	case f.Format == Time && x >= value.FirstSecond && x <= value.LastSecond:
		return time.Unix(x, 0).UTC().Format(time.RFC3339)
	case f.Format != Number:
		return strconv.FormatInt(x, 10)
	}
	return value.Point(strconv.FormatInt(x, 10), f.Scale)
}

// leastNumber and greatestNumber are the bounds of what a field can hold.
const (
	leastNumber    = math.MinInt64
	greatestNumber = math.MaxInt64
)
