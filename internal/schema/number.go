// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"math"
	"time"

	"github.com/uproar-db/uproar/internal/value"
)

// Format says how the integers of a field are written as text.
type Format string

// The formats: a decimal number, days and seconds since 1970.
const (
	Number Format = ""
	Date   Format = "date"
	Time   Format = "time"
)

const maxScale = 18

// Bounds of the integers that a field can hold.
const (
	LeastNumber    = math.MinInt64
	GreatestNumber = math.MaxInt64
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

// Parse reads the text of an integer of the field, in any form that tables may have. Errors:
// ErrInvalid.
func (f Field) Parse(text string) (x int64, err error) {
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

// ParseQuery is Parse of a value in a query, where a day or time may also stand at a distance from
// now, such as now-30d, and a day for the time at which it begins. Days are those of UTC.
func (f Field) ParseQuery(text string, now time.Time) (x int64, err error) {
	if f.Format != Date && f.Format != Time {
		return f.Parse(text)
	}
	t, ok, err := value.Relative(text, now)
	switch {
	case err != nil:
		return 0, invalid("%s: %v", f.Name, err)
	case !ok && f.Format == Time && len(text) == len(time.DateOnly):
		if x, err = value.Date(text); err == nil {
			return x * value.SecondsOfADay, nil
		}
		return f.Parse(text)
	case !ok:
		return f.Parse(text)
	case f.Format == Date:
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / value.SecondsOfADay, nil
	}
	return t.Unix(), nil
}

// Text returns the text of an integer of the field, which Parse reads. It is the decimal number
// for what no day or time of the years 0 to 9999 stands for.
func (f Field) Text(x int64) string { return string(f.AppendText(nil, x)) }

// AppendText appends what Text returns.
func (f Field) AppendText(dst []byte, x int64) []byte {
	switch f.Format {
	case Date:
		return value.AppendDate(dst, x)
	case Time:
		return value.AppendTime(dst, x)
	}
	return value.AppendPoint(dst, x, f.Scale)
}
