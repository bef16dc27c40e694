// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package unions

import (
	"io"
	"strings"
	"testing"
)

// TestCommand compares all answers on little data.
func TestCommand(t *testing.T) {
	var out strings.Builder
	if err := Command([]string{"-records", "3000", "-values", "1000", "-each", "3", "-rounds", "1"}, &out,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 2+2*len(questions) {
		t.Errorf("got %d lines, want one for each question and number of values:\n%s", n, out.String())
	}
	if err := Command([]string{"-records", "0"}, io.Discard, io.Discard); err == nil {
		t.Error("took -records 0")
	}
}
