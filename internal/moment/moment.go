// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package moment brings days and times of tables into the notation of the database.
package moment

import "time"

// Second cuts the fraction of a second from a time of RFC 3339. Any other text it returns as it is.
func Second(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.Nanosecond() == 0 {
		return text
	}
	return t.Truncate(time.Second).Format(time.RFC3339)
}

// Day returns the day of a time of RFC 3339 that is a midnight where it was written: tables often
// have days in that form. Any other text it returns as it is.
func Day(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.Nanosecond() != 0 || t.Format(time.TimeOnly) != "00:00:00" {
		return text
	}
	return t.Format(time.DateOnly)
}
