// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package packed

import (
	"strings"
	"testing"
)

// TestCommand measures some pairs for a moment: each has a line, and the forms agree.
func TestCommand(t *testing.T) {
	var stdout, stderr strings.Builder
	if err := Command([]string{"-time", "1us", "-rounds", "1", "-only", "100 and"}, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n2^20: 100 and 1000 in packed       arrays ",
		"\n5.5 M: 100 and 500000 in bitsets   arrays ", "\n5.5 M: 100 and 500000 in packed    bitsets ",
		"\n2^40: 100 and 100 in arrays ", "\nAnd, 14 pairs beside arrays: ", "\nAndLen, 2 pairs beside bitsets: "} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, &stdout)
		}
	}
	for _, args := range [][]string{{"more"}, {"-rounds", "0"}, {"-only", "("}} {
		if err := Command(args, &stdout, &stderr); err == nil {
			t.Errorf("%q: got no error", args)
		}
	}
}
