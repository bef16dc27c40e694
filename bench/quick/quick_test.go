// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package quick

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bench/chart"
)

// TestCommand measures everything for a moment: twenty lines, each with a ratio.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	picture := t.TempDir() + "/quick"
	args := []string{"-chart", picture, "-people", "1000", "-accounts", "1000", "-records", "1000", "-time", "20us",
		"-data", "no-such-folder", "-limit", "5m"}
	if err := Command(args, &stdout, &stderr); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	drawn, err := chart.Read(picture + ".json")
	if err != nil || len(drawn.Bars) != 20 || drawn.Bars[0].Group != "library" {
		t.Errorf("got the chart %+v (%v), want a bar for each line", drawn, err)
	}
	lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if len(lines) != 20 {
		t.Fatalf("got %d lines, want 20:\n%s", len(lines), &stdout)
	}
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		if len(parts) != 4 || parts[0] != Names()[i] {
			t.Errorf("got %q, want %q and three figures", line, Names()[i])
			continue
		}
		ratio, err := strconv.ParseFloat(parts[3], 64)
		if err != nil || ratio <= 0 {
			t.Errorf("got %q, want a ratio\n%s", line, &stderr)
		}
	}
}

// TestLimit: what could not begin has a ratio of 0.
func TestLimit(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := Command([]string{"-limit", "1ns"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(stdout.String(), "\t0\t0\t0\n"); n != 20 {
		t.Errorf("got %d figures of 0, want 20:\n%s", n, &stdout)
	}
}

// TestNames: the guide names the same figures.
func TestNames(t *testing.T) {
	guide, err := os.ReadFile("../../docs/benchmarks/quick.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		if !strings.Contains(string(guide), "| "+name+" |") {
			t.Errorf("docs/benchmarks/quick.md does not name %q", name)
		}
	}
}
