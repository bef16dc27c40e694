// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestFilesOfKilledProcesses: a process that is killed while it sorts leaves no files to those that
// come after it, which take none away that is in use.
func TestFilesOfKilledProcesses(t *testing.T) {
	if os.Getenv("UPROAR_TEST_SORTS") != "" {
		var files Files
		f, err := files.Create()
		if err == nil {
			_, err = f.WriteString("lines")
		}
		fmt.Println("sorting", err)
		_, _ = io.Copy(io.Discard, os.Stdin) // up to the kill
		return
	}
	dir := filepath.Join(t.TempDir(), "t[1]") // no pattern
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	child := exec.Command(os.Args[0], "-test.run=^TestFilesOfKilledProcesses$")
	child.Env = append(os.Environ(), "UPROAR_TEST_SORTS=1")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, len("sorting <nil>"))
	if _, err := io.ReadFull(out, said); err != nil || string(said) != "sorting <nil>" {
		t.Errorf("the process says %q, %v, want that it sorts", said, err)
	}
	_ = child.Process.Kill()
	_ = child.Wait()

	left := filepath.Join(dir, "uproar-sort-4294967295") // as where files in use cannot be unlinked
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	others := []string{"uproar-other", "uproar-sort-1", "uproar-sort-2", "uproar-sort-mine"}
	for _, name := range []string{others[0], others[3]} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, others[1]), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(others[0], filepath.Join(dir, others[2])); err != nil { // as Windows may not
		others = slices.Delete(others, 2, 3)
	}
	var files Files
	f, err := files.Create()
	if err != nil {
		t.Fatal(err)
	}
	removeUnused()
	if _, err := f.WriteString("lines"); err != nil {
		t.Errorf("a file in use: %v", err)
	}
	if err := files.Close(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	var names []string
	for _, x := range entries {
		names = append(names, x.Name())
	}
	if err != nil || !slices.Equal(names, others) {
		t.Errorf("got the files %v, %v, want those of others: %v", names, err, others)
	}
}
