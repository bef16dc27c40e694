// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// childDir is set in a process that a test has started for a part of it: the folder to work in.
const childDir = "UPROAR_TEST_CHILD_DIR"

// inChild runs the test that calls it again, in a process of its own, in which it returns the
// folder to work in. In the first process it returns "", when the other has ended.
func inChild(t *testing.T) (dir string) {
	t.Helper()
	if dir := os.Getenv(childDir); dir != "" {
		return dir
	}
	dir = t.TempDir()
	pattern := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	cmd := exec.Command(os.Args[0], "-test.v", "-test.run="+pattern)
	if testing.Short() {
		cmd.Args = append(cmd.Args, "-test.short")
	}
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("in a process of its own: %v\n%s", err, out)
	} else if text := string(out); strings.Contains(text, "--- SKIP") {
		t.Skip(text)
	}
	return ""
}

// fillInodes makes files in a folder until there can be no more, and returns what removes them.
func fillInodes(dir string) (free func() error, err error) {
	for n := 0; ; n++ {
		f, err := os.Create(filepath.Join(dir, "full"+strings.Repeat("x", n)))
		if err != nil {
			break
		}
		_ = f.Close()
	}
	return func() error { return removeAll(filepath.Join(dir, "full*")) }, nil
}

// fillBytes writes a file until the disk is full.
func fillBytes(dir string) (free func() error, err error) {
	f, err := os.Create(filepath.Join(dir, "full"))
	if err != nil {
		return nil, err
	}
	for _, size := range []int{1 << 20, 4096, 1} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
	}
	return func() error { return os.Remove(f.Name()) }, f.Close()
}

func removeAll(pattern string) error {
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		if err == nil {
			err = os.Remove(name)
		}
	}
	return err
}
