// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"strings"
	"testing"
)

// TestParseWrk reads what the script of wrk prints.
func TestParseWrk(t *testing.T) {
	s, err := parseWrk("Running 1s test\nfigures 80001 40000.500000 360.000000 1200.000000 7800.000000 9000.000000 0\n")
	if err != nil || s.Requests != 80001 || s.PerSecond != 40000.5 || s.P50 != 360 || s.P90 != 1200 || s.P99 != 7800 ||
		s.P999 != 9000 {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, out := range []string{"", "figures 1 1.0 2.0 3.0 4\n", "figures 1 1.0 2.0 3.0 4.0 5.0 6\n"} {
		if _, err := parseWrk(out); err == nil {
			t.Errorf("%q: got no error", out)
		}
	}
	script := wrkScript([]Request{{Path: "/one", Body: `{"a":"b<c&d"}`}, {Path: "/two?a=1&b=2"}})
	for _, want := range []string{`{"/one", "{\"a\":\"b<c&d\"}"}`, `{"/two?a=1&b=2", ""}`} {
		if !strings.Contains(script, want) {
			t.Errorf("got script %s, want %s in it", script, want)
		}
	}
}

// TestMedian takes the middle of three.
func TestMedian(t *testing.T) {
	if got := Median([]Slot{{P50: 3}, {P50: 1}, {P50: 2}}, func(s Slot) float64 { return s.P50 }); got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}
