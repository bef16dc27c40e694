// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package moment_test

import (
	"testing"

	"github.com/uproar-db/uproar/internal/moment"
)

func TestSecond(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-31T12:00:00.999Z":            "2026-01-31T12:00:00Z",
		"1969-12-31T23:59:59.5+01:00":         "1969-12-31T23:59:59+01:00",
		"2026-01-31T12:00:00Z":                "2026-01-31T12:00:00Z",
		"2026-01-31T12:00:00.000Z":            "2026-01-31T12:00:00.000Z",
		"2026-01-31 12:00:00.5":               "2026-01-31 12:00:00.5",
		"2026-02-30T12:00:00.5Z":              "2026-02-30T12:00:00.5Z",
		"soon":                                "soon",
		"2026-01-31T12:00:00.123456789+14:00": "2026-01-31T12:00:00+14:00",
	} {
		if got := moment.Second(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestDay(t *testing.T) {
	for text, want := range map[string]string{
		"2026-01-31T00:00:00Z":      "2026-01-31",
		"2026-01-31T00:00:00+02:00": "2026-01-31",
		"2026-01-31T00:00:00.1Z":    "2026-01-31T00:00:00.1Z",
		"2026-01-31T01:00:00Z":      "2026-01-31T01:00:00Z",
		"2026-01-31":                "2026-01-31",
		"":                          "",
	} {
		if got := moment.Day(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
