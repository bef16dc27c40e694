// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"math"
	"math/bits"
)

// Band says which integers are grouped together. The zero value groups equal ones only.
//
// Bands are numbered in ascending order, and each begins with its lower end. Both are exact for
// every int64.
type Band struct {
	Width  int64 // of every band, from a multiple of it less Offset on; 0: bands of Months, or single integers
	Offset int64 // from 0 to Width-1
	Months int64 // of the calendar in a band: 1, 3 or 12; 0: bands of Width, or single integers
	Day    int64 // how many integers a day has, with Months: day 0 is 1970-01-01, in the Gregorian calendar
}

// index returns the number of the band that an integer is in.
func (b *Band) index(x int64) int64 {
	switch {
	case b.Months > 0:
		day, _ := floorDivide(x, b.Day)
		band, _ := floorDivide(monthOf(day), b.Months)
		return band
	case b.Width > 1:
		band, rest := floorDivide(x, b.Width)
		if rest >= b.Width-b.Offset {
			band++
		}
		return band
	}
	return x
}

// low returns the lower end of a band, or the least int64 if that is below it.
func (b *Band) low(band int64) int64 {
	switch {
	case b.Months > 0:
		day, ok := monthBegin(band * b.Months)
		high, x := bits.Mul64(magnitudeOf(day), uint64(b.Day))
		if !ok || high > 0 || x > 1<<63 {
			return math.MinInt64
		}
		return day * b.Day
	case b.Width > 1:
		high, x := bits.Mul64(magnitudeOf(band), uint64(b.Width))
		if x += uint64(b.Offset); band < 0 && (high > 0 || x > 1<<63) {
			return math.MinInt64
		}
		return band*b.Width - b.Offset
	}
	return band
}

// magnitudeOf returns the absolute value of a number, that of the least int64 too.
func magnitudeOf(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// floorDivide returns the quotient, rounded down, and the rest, from 0 to y-1; y is above 0.
func floorDivide(x, y int64) (quotient, rest int64) {
	quotient, rest = x/y, x%y
	if rest < 0 {
		quotient, rest = quotient-1, rest+y
	}
	return quotient, rest
}

// The calendar repeats itself after 400 years. An era is as many, counted from March of the year 0
// on, so that a leap day is the last of its year.
const (
	eraDays    = 146097
	eraMonths  = 4800
	epochShift = 719468 // days from 0000-03-01 to 1970-01-01
	yearDays   = 365
	epochMonth = 1970*12 - 2 // months from 0000-03 to 1970-01
)

// monthOf returns the number of a day's month; that of 1970-01 is 0.
func monthOf(day int64) int64 {
	era, rest := floorDivide(day, eraDays)
	rest += epochShift // before it is divided: the sum with day may overflow
	era, rest = era+rest/eraDays, rest%eraDays
	year := (rest - rest/1460 + rest/36524 - rest/(eraDays-1)) / yearDays
	ofYear := rest - (yearDays*year + year/4 - year/100)
	return era*eraMonths + year*12 + (5*ofYear+2)/153 - epochMonth
}

// monthBegin returns the first day of a month; ok is false if it is below the least int64.
func monthBegin(month int64) (day int64, ok bool) {
	era, rest := floorDivide(month+epochMonth, eraMonths)
	year, ofYear := rest/12, rest%12
	rest = yearDays*year + year/4 - year/100 + (153*ofYear+2)/5 - epochShift
	if era < (math.MinInt64-rest)/eraDays {
		return 0, false
	}
	return era*eraDays + rest, true
}

// Ends returns the lower ends of all bands from that of one integer to that of another, and the
// lower end of the band behind them. If that is above the greatest int64 it is left out. ok is
// false if there are more than most bands.
func (b Band) Ends(least, greatest int64, most int) (ends []int64, ok bool) {
	first := b.index(least)
	distance := uint64(b.index(greatest)) - uint64(first)
	if distance >= uint64(most) {
		return nil, false
	}
	for i := range int64(distance) + 2 {
		end := b.low(first + i)
		if i > 0 && end <= ends[i-1] { // it has overflowed
			break
		}
		ends = append(ends, end)
	}
	return ends, true
}
