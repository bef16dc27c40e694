// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKilledKeyedImport kills an import of follows with keys: inspect and stats say that it has not
// ended, an import without --resume or of other files says what to do, and one that resumes goes on
// to the end.
func TestKilledKeyedImport(t *testing.T) {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "did:plc:%024d,3m6i4wtqkuf2l,did:plc:%024d\n", i, i%900)
	}
	dir, list := filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "follows.csv")
	if err := os.WriteFile(list, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"import", "graph", "--dir", dir, "--keys", "--header", "no"}
	cmd := exec.Command("uproar", append(args, "-")...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than the pipe and all buffers hold: some commits are done once it is written.
	if _, err := io.WriteString(in, b.String()); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	uproar := func(want string, ok bool, args ...string) {
		t.Helper()
		out, err := exec.Command("uproar", args...).CombinedOutput()
		if (err == nil) != ok || !strings.Contains(string(out), want) {
			t.Errorf("%q: got %v, %s; want %q", args, err, out, want)
		}
	}
	uproar("a load has not ended: ", true, "inspect", "--dir", dir)
	uproar(`"unfinished_follows": `, true, "inspect", "--dir", dir, "--json")
	uproar("accounts: a load has not ended, ", true, "stats", "--dir", dir)
	const try = "--keys --resume with the same files to go on, or a new --dir to begin again"
	uproar(try, false, append(args, list)...)
	uproar(try, false, "import", "graph", "--dir", dir, "--header", "no", "--separator", "comma", list)
	args = append(args, "--resume")
	for _, other := range []string{"", strings.Replace(b.String(), ":0", ":1", 1)} {
		file := filepath.Join(t.TempDir(), "other.csv")
		if err := os.WriteFile(file, []byte(other), 0o644); err != nil {
			t.Fatal(err)
		}
		uproar(try, false, append(args, file)...)
	}
	uproar(" are stored; got 0 follows, which cannot be all of it\n", false, append(args, os.DevNull)...)
	uproar("imported 60 000 follows from 60 000 lines", true, append(args, list)...)
	out, err := exec.Command("uproar", "inspect", "--dir", dir).CombinedOutput()
	if err != nil || strings.Contains(string(out), "has not ended") ||
		!strings.Contains(string(out), "index accounts: 60 000 records\n") {
		t.Errorf("got %v, %s; want 60000 accounts of an import that has ended", err, out)
	}
}
