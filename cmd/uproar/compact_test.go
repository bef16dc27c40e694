// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/cmd/uproar/database"
)

// interruptingWriter cancels when it is written to.
type interruptingWriter struct {
	strings.Builder
	cancel context.CancelFunc
}

func (w *interruptingWriter) Write(p []byte) (int, error) {
	w.cancel()
	return w.Builder.Write(p)
}

// TestCompactInterrupted interrupts a compact at its first word of progress. It says so and leaves
// the database as it was.
func TestCompactInterrupted(t *testing.T) {
	for _, engine := range []string{database.Bbolt, database.Pebble} {
		dir := t.TempDir()
		call := func(ctx context.Context, errOut io.Writer, input string, args ...string) (int, string) {
			var out strings.Builder
			code := run(ctx, args, strings.NewReader(input), &out, errOut, noEnv)
			return code, out.String()
		}
		if code, _ := call(t.Context(), io.Discard, "alice,bob\nalice,carol\n", "import", "graph", "--dir", dir,
			"--store", engine, "-"); code != exitOK {
			t.Fatalf("import: got exit code %d", code)
		}
		ctx, cancel := context.WithCancel(t.Context())
		errOut := &interruptingWriter{cancel: cancel}
		code, out := call(ctx, errOut, "", "compact", "--dir", dir)
		if code != exitFailure || out != "" || errOut.String() != "compact\nuproar: interrupted\n" {
			t.Errorf("%s: got exit code %d, %q and %q, want %d and interrupted", engine, code, out, errOut.String(),
				exitFailure)
		}
		if code, out := call(t.Context(), io.Discard, "", "query", "--dir", dir, "follows(alice)"); code != exitOK ||
			out != "bob\ncarol\n" {
			t.Errorf("%s: got exit code %d and %q, want the follows", engine, code, out)
		}
	}
}
