// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// TestUsage checks that words that are not understood are refused.
func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"libary"}, {"library", "-no-such-flag"}, {"library", "more"},
		{"library", "-time", "-1s"}, {"library", "-only", "no such set"}, {"library", "-op", "("}} {
		var stdout, stderr strings.Builder
		if code := run(args, &stdout, &stderr); code == 0 || stderr.Len() == 0 {
			t.Errorf("%q: got code %d and %q, want an error that is explained", args, code, stderr.String())
		}
	}
}
