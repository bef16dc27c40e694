// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/uproar-db/uproar/internal/value"
)

// Band is ranges of integers that are grouped together: of one width each, or of months.
// crosstab.Band is its twin: neither package may import the other, and the database converts.
type Band struct {
	Width, Offset int64 // a range begins at a multiple of Width less Offset
	Months        int64 // if not 0: a range is that many months
	Day           int64 // of Months: how many integers a day has
}

// The bands of days and times, in days, and those of the calendar in months.
var (
	dayBands   = map[string]Band{"day": {Width: 1}, "week": {Width: 7, Offset: 3}} // 1970-01-01 is a Thursday
	monthBands = map[string]int64{"month": 1, "quarter": 3, "year": 12}
)

// Band reads the band of the field, such as 10 or month. Errors: ErrInvalid.
func (f Field) Band(text string) (Band, error) {
	if f.Type != Integer {
		return Band{},
			invalid("%s: got the band %q for a field of type %q, want an integer field; try %q without a band",
				f.Name, text, f.Type, f.Name)
	}
	if f.Format == Number {
		width, err := value.Integer(text, f.Scale)
		if err != nil || width <= 0 {
			return Band{}, f.notBand(text)
		}
		return Band{Width: width}, nil
	}
	day := int64(1)
	if f.Format == Time {
		day = value.SecondsOfADay
	}
	if months, ok := monthBands[text]; ok {
		return Band{Months: months, Day: day}, nil
	}
	if band, ok := dayBands[text]; ok {
		return Band{Width: band.Width * day, Offset: band.Offset * day}, nil
	}
	if text == "hour" && f.Format == Time {
		return Band{Width: value.SecondsOfADay / 24}, nil
	}
	return Band{}, f.notBand(text)
}

// notBand is the error of a band that the field does not have.
func (f Field) notBand(text string) error {
	greatest := value.Point(strconv.FormatInt(GreatestNumber, 10), f.Scale)
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

// ParseBy reads what records are grouped by: a field, or an Integer field and its band, such as
// "age by 10". Errors: ErrInvalid.
func ParseBy(text string) (field, band string, err error) {
	if text != "" && !strings.ContainsFunc(text, unicode.IsSpace) {
		return text, "", nil
	}
	switch words := strings.Fields(text); {
	case len(words) == 1:
		return words[0], "", nil
	case len(words) == 3 && words[1] == "by":
		return words[0], words[2], nil
	}
	return "", "", invalid("groups: got %q, want a field, or an integer field and a band, such as %q or %q", text,
		"age by 10", "joined by month")
}
