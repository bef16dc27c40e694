// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"testing"
	"time"
)

func TestRelative(t *testing.T) {
	now := time.Date(2026, 3, 31, 23, 30, 0, 0, time.FixedZone("", 3600))
	for text, want := range map[string]string{ // "": an error, "-": no distance from now
		"now":               "2026-03-31T22:30:00Z",
		"now-30s":           "2026-03-31T22:29:30Z",
		"now-30m":           "2026-03-31T22:00:00Z",
		"now+2h":            "2026-04-01T00:30:00Z",
		"now-30d":           "2026-03-01T22:30:00Z",
		"now-0d":            "2026-03-31T22:30:00Z",
		"now-2w":            "2026-03-17T22:30:00Z",
		"now+1mo":           "2026-05-01T22:30:00Z",
		"now-1y":            "2025-03-31T22:30:00Z",
		"now-9000y":         "",
		"now-":              "",
		"now-d":             "",
		"now-3":             "",
		"now-3D":            "",
		"now--3d":           "",
		"now-3d4h":          "",
		"now-1000000001s":   "",
		"now-9999999999999": "",
		"today":             "2026-03-31T00:00:00Z",
		"today-7d":          "2026-03-24T00:00:00Z",
		"today+9h":          "2026-03-31T09:00:00Z",
		"today-7":           "",
		"todays":            "-",
		"nowhere":           "-",
		"2026-01-31":        "-",
		"":                  "-",
	} {
		got, ok, err := Relative(text, now)
		switch {
		case want == "-" && (ok || err != nil), want == "" && err == nil:
			t.Errorf("%s: got %v, %v, %v", text, got, ok, err)
		case len(want) > 1 && (!ok || err != nil || got.Format(time.RFC3339) != want):
			t.Errorf("%s: got %v, %v, %v, want %s", text, got, ok, err, want)
		}
	}
}
