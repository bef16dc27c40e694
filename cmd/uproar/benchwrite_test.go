// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

// TestBenchRefuses checks that what cannot be measured is refused before anything is. No figures
// are printed then.
func TestBenchRefuses(t *testing.T) {
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "at most 1024", []string{"write", "--batch", "99999999"}},
		{exitUsage, "got keys of 1 bytes", []string{"write", "--key-size", "1"}},
	} {
		var out, errOut strings.Builder
		code := run(t.Context(), append([]string{"bench"}, c.args...), strings.NewReader(""), &out, &errOut, noEnv)
		if code != c.code || !strings.Contains(errOut.String(), c.want) || out.Len() > 0 {
			t.Errorf("%q: got code %d, %q and %q on the standard output, want %d, %q and nothing", c.args, code,
				errOut.String(), out.String(), c.code, c.want)
		}
	}
}
