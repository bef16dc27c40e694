// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package tolerance_test

import (
	"fmt"
	"testing"

	"github.com/uproar-db/uproar/internal/tolerance"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		good, bad int64
		share     float64
		want      string // "": no error
	}{
		{0, 0, 0, ""},
		{20, 0, 0, ""},
		{19, 1, 0, "got 1 bad of 20 lines, want at most 0%: bad 0"},
		{19, 1, 0.05, ""},
		{18, 2, 0.05, "got 2 bad of 20 lines, want at most 5%: bad 0; bad 1"},
		{1, 19, 0.9, "got 19 bad of 20 lines, want at most 90%: bad 0; bad 1; bad 2; and 16 more"},
		{0, 1, 0.9, "got 1 bad of 1 line, want at most 90%: bad 0"},
		{0, 5, 1, ""},
	} {
		tally := tolerance.Tally{Good: c.good}
		for i := range c.bad {
			tally.Reject(fmt.Sprint("bad ", i))
		}
		if err := tally.Check(c.share, "line"); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%d good, %d bad, share %v: got %v, want %q", c.good, c.bad, c.share, err, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0.05": 0.05, "0": 0, "0%": 0, "100%": 1, "1.0": 1,
		"12.5%": 0.125} {
		got, err := tolerance.Parse(text)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
		if again, err := tolerance.Parse(tolerance.Share(got).String()); err != nil || again != got {
			t.Errorf("%s: got %v, %v once written as %s", text, again, err, tolerance.Share(got).String())
		}
	}
	for _, text := range []string{"", "%", "5", "1", "101%", "-1%", "1.5", "NaN%", "x", "5%%", "+Inf%"} {
		if got, err := tolerance.Parse(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}
