// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/uproar-db/uproar/internal/eval/crosstab"
	"github.com/uproar-db/uproar/internal/value"
)

// By is what records are grouped by: a field, and of an Integer field a band of integers.
type By struct {
	Field string
	Band  string // "": each value is a group
}

// ParseBy reads what String writes: a field, such as "city", or an Integer field and its band, such
// as "age by 10" or "joined by month". Selection.Groups says which bands there are. Errors:
// ErrInvalid.
func ParseBy(text string) (By, error) {
	if text != "" && !strings.ContainsFunc(text, unicode.IsSpace) {
		return By{Field: text}, nil
	}
	switch words := strings.Fields(text); {
	case len(words) == 1:
		return By{Field: words[0]}, nil
	case len(words) == 3 && words[1] == "by":
		return By{Field: words[0], Band: words[2]}, nil
	}
	return By{}, invalid("groups: got %q, want a field, or an integer field and a band, such as %q or %q", text,
		"age by 10", "joined by month")
}

// String returns the text of what is grouped by.
func (b By) String() string {
	if b.Band == "" {
		return b.Field
	}
	return b.Field + " by " + b.Band
}

// The bands of days and times, in days, and those of the calendar in months.
var (
	dayBands   = map[string]crosstab.Band{"day": {Width: 1}, "week": {Width: 7, Offset: 3}} // 1970-01-01 is a Thursday
	monthBands = map[string]int64{"month": 1, "quarter": 3, "year": 12}
)

// band reads the band of the field.
func (f Field) band(text string) (crosstab.Band, error) {
	if f.Type != Integer {
		return crosstab.Band{},
			invalid("%s: got the band %q for a field of type %q, want an integer field; try %q without a band",
				f.Name, text, f.Type, f.Name)
	}
	if f.Format == Number {
		width, err := value.Integer(text, f.Scale)
		if err != nil || width <= 0 {
			return crosstab.Band{}, f.notBand(text)
		}
		return crosstab.Band{Width: width}, nil
	}
	day := int64(1)
	if f.Format == Time {
		day = secondsOfADay
	}
	if months, ok := monthBands[text]; ok {
		return crosstab.Band{Months: months, Day: day}, nil
	}
	if band, ok := dayBands[text]; ok {
		return crosstab.Band{Width: band.Width * day, Offset: band.Offset * day}, nil
	}
	if text == "hour" && f.Format == Time {
		return crosstab.Band{Width: secondsOfADay / 24}, nil
	}
	return crosstab.Band{}, f.notBand(text)
}

// notBand is the error of a band that the field does not have.
func (f Field) notBand(text string) error {
	greatest := value.Point(strconv.FormatInt(greatestNumber, 10), f.Scale)
	want, try := "a whole number from 1 to "+greatest, "10"
	switch {
	case f.Format == Date:
		want, try = "day, week, month, quarter or year", "month"
	case f.Format == Time:
		want, try = "hour, day, week, month, quarter or year", "month"
	case f.Scale > 0:
		want = fmt.Sprintf("a number from %s to %s with at most %d digits after the point", value.Point("1", f.Scale),
			greatest, f.Scale)
		try = "0.1"
	}
	return invalid("%s: got the band %.100q, want %s; try %q", f.Name, text, want, f.Name+" by "+try)
}
