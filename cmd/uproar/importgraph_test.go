// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// An import that lacks memory for its keys says what to do, and that nothing was imported.
func TestImportGraphAdvisesMemory(t *testing.T) {
	var list strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&list, "%0500d,b\n", i)
	}
	var failure bytes.Buffer
	args := []string{"import", "graph", "--dir", t.TempDir(), "--cluster", "--memory", "64MiB", "-"}
	if status := run(t.Context(), args, strings.NewReader(list.String()), io.Discard, &failure, noEnv); status != 1 {
		t.Errorf("got status %d, want 1", status)
	}
	if want := "; nothing was imported\nTry: a larger --memory\n"; !strings.HasSuffix(failure.String(), want) {
		t.Errorf("got\n%s\nwant it to end with %q", failure.String(), want)
	}
}
