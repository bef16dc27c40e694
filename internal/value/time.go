// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value

import "time"

// Second cuts the fraction of a second from a time of RFC 3339, in which a blank may stand for the
// T, as pandas and SQL write it, and letters may be small. Any other text it returns as it is.
func Second(text string) string {
	plain := RFC3339(text)
	t, err := time.Parse(time.RFC3339, plain)
	switch {
	case err != nil:
		return text
	case t.Nanosecond() == 0:
		return plain
	}
	return t.Truncate(time.Second).Format(time.RFC3339)
}

// Day returns the day of a time that is a midnight where it was written, with a zone or without:
// tables often have days in that form. Any other text it returns as it is.
func Day(text string) string {
	if len(text) <= len(time.DateOnly) {
		return text
	}
	plain := RFC3339(text)
	t, err := time.Parse(time.RFC3339, plain)
	if err != nil {
		t, err = time.Parse(time.RFC3339, plain+"Z")
	}
	if err != nil || t.Nanosecond() != 0 || t.Format(time.TimeOnly) != "00:00:00" {
		return text
	}
	return t.Format(time.DateOnly)
}

// RFC3339 returns a time with the T and the Z that RFC 3339 asks for: people and programs write a
// blank or small letters instead. Any other text it returns as it is.
func RFC3339(text string) string {
	const day = len(time.DateOnly)
	last := len(text) - 1
	if last <= day {
		return text
	}
	if text[day] == ' ' || text[day] == 't' {
		text = text[:day] + "T" + text[day+1:]
	}
	if text[last] == 'z' {
		text = text[:last] + "Z"
	}
	return text
}
