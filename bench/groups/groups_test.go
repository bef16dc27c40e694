// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groups

import (
	"strings"
	"testing"
)

// TestCommand asks everything of a few records. Without DuckDB nothing is compared.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := Command([]string{"-records", "3000", "-many", "5000", "-repeat", "1", "-python", "no-such-interpreter"},
		&stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for _, q := range questions {
		if !strings.Contains(stdout.String(), "| "+q.name+" | all ") {
			t.Errorf("got no %q in\n%s", q.name, &stdout)
		}
	}
}

// TestAgree checks that answers that differ are found. Groups of the least count may differ.
func TestAgree(t *testing.T) {
	of := func(rows ...string) (a answer) {
		for _, row := range rows {
			a.rows = append(a.rows, strings.Fields(row))
		}
		a.count = len(rows)
		return a
	}
	one := of("x 3", "y 2", "z 2")
	for _, c := range []struct {
		name  string
		other answer
		want  bool
	}{
		{"equal", of("x 3", "y 2", "z 2"), true},
		{"others of the least", of("x 3", "v 2", "w 2"), true},
		{"another first", of("v 3", "y 2", "z 2"), false},
		{"another count", of("x 3", "y 2", "z 1"), false},
		{"fewer", of("x 3", "y 2"), false},
	} {
		if got := agree(one, c.other); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
