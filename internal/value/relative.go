// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// units of a distance from now. Months and years are those of the calendar.
var units = map[string]func(t time.Time, n int) time.Time{
	"s":  func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Second) },
	"m":  func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Minute) },
	"h":  func(t time.Time, n int) time.Time { return t.Add(time.Duration(n) * time.Hour) },
	"d":  func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) },
	"w":  func(t time.Time, n int) time.Time { return t.AddDate(0, 0, 7*n) },
	"mo": func(t time.Time, n int) time.Time { return t.AddDate(0, n, 0) },
	"y":  func(t time.Time, n int) time.Time { return t.AddDate(n, 0, 0) },
}

// mostUnits is how many units a distance may have: so many seconds are 31 years.
const mostUnits = 1_000_000_000

// Relative returns the time that a text names by its distance from now, such as now, now-30d or
// now+2h, or from the beginning of the day in UTC, such as today or today-7d. ok is false for a
// text that does not begin so. The error of a distance that is none says what was got and wanted.
func Relative(text string, now time.Time) (t time.Time, ok bool, err error) {
	now = now.UTC()
	rest, ok := strings.CutPrefix(text, "now")
	if !ok {
		rest, ok = strings.CutPrefix(text, "today")
		now = now.Truncate(SecondsOfADay * time.Second)
	}
	if !ok || rest != "" && rest[0] != '-' && rest[0] != '+' {
		return time.Time{}, false, nil
	}
	if rest == "" {
		return now, true, nil
	}
	unit := strings.TrimLeft(rest[1:], "0123456789")
	add := units[unit]
	n, err := strconv.Atoi(rest[1 : len(rest)-len(unit)])
	if err != nil || add == nil || n > mostUnits {
		return time.Time{}, true,
			fmt.Errorf("got %.100q, want now or today, or now-30d with s, m, h, d, w, mo or y after a number up to %d", text, mostUnits)
	}
	if rest[0] == '-' {
		n = -n
	}
	if t = add(now, n); t.Unix() < firstSecond || t.Unix() > lastSecond {
		return time.Time{}, true, fmt.Errorf("got %.100q, want a time in the years 0 to 9999", text)
	}
	return t, true, nil
}
