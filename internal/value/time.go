// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The first and the last second of the years that text can name, 0 to 9999.
const (
	firstSecond = -62167219200
	lastSecond  = 253402300799
)

// SecondsOfADay is how many seconds a day has.
const SecondsOfADay = 24 * 60 * 60

// Date returns a day, 2026-01-31, as the number of days since 1970-01-01. It takes what [Day]
// takes. The error says what was got and wanted.
func Date(text string) (int64, error) {
	t, err := time.Parse(time.DateOnly, Day(text))
	if err != nil {
		return 0, fmt.Errorf("got %.100q, want a day such as 2026-01-31, or its midnight", text)
	}
	return t.Unix() / SecondsOfADay, nil // exact: the day begins at midnight
}

// Time returns a time of RFC 3339 in whole seconds as the number of seconds since
// 1970-01-01T00:00:00Z. A blank may stand for the T, letters may be small, and without a zone it is
// one of UTC. The error says what was got and wanted.
func Time(text string) (int64, error) {
	const bad = "got %.100q, want a time in whole seconds, such as 2026-01-31T12:00:00Z"
	p, ok := cutTime(text)
	if p.zone == "" {
		p.zone = "Z"
	}
	if !ok || strings.Trim(p.fraction, "0") != "" {
		return 0, fmt.Errorf(bad, text)
	}
	t, err := time.Parse(time.RFC3339, p.day+"T"+p.clock+p.zone)
	if err != nil {
		return 0, fmt.Errorf(bad, text)
	}
	x := t.Unix()
	if x < firstSecond || x > lastSecond {
		return 0, fmt.Errorf("got %.100q, want a time that is in the years 0 to 9999 of UTC", text)
	}
	return x, nil
}

// AppendDate appends the day that is so many days after 1970-01-01; in other years than 0 to 9999,
// the number.
func AppendDate(dst []byte, days int64) []byte {
	if days < firstSecond/SecondsOfADay || days > lastSecond/SecondsOfADay {
		return strconv.AppendInt(dst, days, 10)
	}
	// Of the calendar of a cycle of 400 years, whose years begin in March, as a leap day ends them
	// (Hinnant, chrono-Compatible Low-Level Date Algorithms).
	const cycle, before1970 = 146_097, 719_468
	of := days + before1970 + cycle
	in := of % cycle
	year := (in - in/1460 + in/36_524 - in/(cycle-1)) / 365
	day := in - (365*year + year/4 - year/100)
	month := (5*day + 2) / 153
	day -= (153*month+2)/5 - 1
	year += 400 * (of/cycle - 1)
	if month += 3; month > 12 {
		year, month = year+1, month-12
	}
	dst = appendTwo(appendTwo(dst, year/100), year%100)
	return appendTwo(append(appendTwo(append(dst, '-'), month), '-'), day)
}

// AppendTime appends the time, in UTC, that is so many seconds after 1970-01-01T00:00:00Z; in other
// years than 0 to 9999, the number.
func AppendTime(dst []byte, seconds int64) []byte {
	if seconds < firstSecond || seconds > lastSecond {
		return strconv.AppendInt(dst, seconds, 10)
	}
	days, of := seconds/SecondsOfADay, seconds%SecondsOfADay
	if of < 0 {
		days, of = days-1, of+SecondsOfADay
	}
	dst = appendTwo(append(AppendDate(dst, days), 'T'), of/3600)
	return append(appendTwo(append(appendTwo(append(dst, ':'), of/60%60), ':'), of%60), 'Z')
}

// appendTwo appends two digits of a number below 100.
func appendTwo(dst []byte, x int64) []byte { return append(dst, '0'+byte(x/10), '0'+byte(x%10)) }

// Second cuts the fraction of a second from a time of RFC 3339. A blank may stand for the T, as
// pandas and SQL write it, letters may be small, and the zone may be missing. It returns any other
// text as it is.
func Second(text string) string {
	p, ok := cutTime(text)
	if !ok {
		return text
	}
	return p.day + "T" + p.clock + p.zone
}

// HasZone reports whether a text is a time with its zone.
func HasZone(text string) bool {
	p, ok := cutTime(text)
	return ok && p.zone != ""
}

// Day returns the day of a time that is a midnight where it was written. The time may have a zone.
// Tables often have days in that form. Day returns any other text as it is.
func Day(text string) string {
	p, ok := cutTime(text)
	if !ok || p.clock != "00:00:00" || strings.Trim(p.fraction, "0") != "" {
		return text
	}
	return p.day
}

// parts are those of a time: 2026-01-31, 12:00:00, the digits of a fraction or none, and Z, +01:00
// or no zone.
type parts struct{ day, clock, fraction, zone string }

// cutTime cuts a time of RFC 3339, with or without its zone. It looks at the shape itself, because
// time.Parse takes hours of one digit, commas, offsets of more than a day, and fractions of any
// length, and drops all digits behind the ninth.
func cutTime(text string) (p parts, ok bool) {
	const day, second = len(time.DateOnly), len("2006-01-02T15:04:05")
	if len(text) < second || !strings.ContainsRune("Tt ", rune(text[day])) || !isClock(text[day+1:second]) {
		return parts{}, false
	}
	p.day, p.clock, p.zone = text[:day], text[day+1:second], text[second:]
	if _, err := time.Parse(time.DateOnly, p.day); err != nil {
		return parts{}, false
	}
	if rest, found := strings.CutPrefix(p.zone, "."); found {
		p.zone = strings.TrimLeft(rest, "0123456789")
		if p.fraction = rest[:len(rest)-len(p.zone)]; p.fraction == "" {
			return parts{}, false
		}
	}
	switch z := p.zone; {
	case z == "", z == "Z":
		return p, true
	case z == "z":
		p.zone = "Z"
		return p, true
	default:
		return p, len(z) == len("+01:00") && (z[0] == '+' || z[0] == '-') && isClock(z[1:]+":00")
	}
}

// isClock reports whether a text is a time of day, 00:00:00 to 23:59:59.
func isClock(text string) bool {
	return text[2] == ':' && text[5] == ':' && below(text[:2], "24") && below(text[3:5], "60") && below(text[6:], "60")
}

// below reports whether two bytes are digits, of a number below another.
func below(text, bound string) bool { return digits(text) && text < bound }
