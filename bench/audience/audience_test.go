// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bench/chart"
)

// TestCommand asks everybody who is a Go library about a small population, and compares the
// answers. A peer that is not installed is said to be missing.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	picture := t.TempDir() + "/mid"
	args := []string{"-chart", picture, "-people", "3000", "-time", "0s", "-python", "no-such-interpreter"}
	if err := Command(args, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	if c, err := chart.Read(picture + ".json"); err != nil || len(c.Bars) < 15 {
		t.Errorf("got the chart %+v (%v), want a bar for each question", c, err)
	}
	for _, want := range []string{"roaring, FrozenView", "DuckDB is missing", "ClickHouse is missing",
		"Word cloud by lift, end to end, threads: 2", "best peer / ours"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("got no %q in\n%s", want, &stdout)
		}
	}
}

// TestAgree checks that answers that differ are found. Values of equal scores at the end may
// differ.
func TestAgree(t *testing.T) {
	full := make([]row, shown)
	for i := range full {
		full[i] = row{uint32(i), uint64(1000 - i/10), float64(1000 - i/10)}
	}
	change := func(at int, r row) []row {
		changed := append([]row(nil), full...)
		changed[at] = r
		return changed
	}
	for _, c := range []struct {
		name string
		b    []row
		want bool
	}{
		{"equal", full, true},
		{"another of the last", change(99, row{500, 991, 991}), true},
		{"another in front", change(5, row{500, 1000, 1000}), false},
		{"another count", change(5, row{5, 999, 1000}), false},
		{"another score", change(99, row{500, 990, 990}), false},
		{"fewer", full[:99], false},
	} {
		if got := agree(cloudByCount, full, c.b); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
