// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// prefix is what the names of temporary files begin with. A number follows.
const prefix = "uproar-sort-"

// removeLeft is removeUnused, once in a process.
var removeLeft = sync.OnceFunc(removeUnused)

// removeUnused removes the files that killed processes have left. Files are unlinked while they are
// open where the system allows that: what has a name and can be removed is in no use. Folders,
// links, and what has no name of Create's are of others.
func removeUnused() {
	dir := os.TempDir()
	entries, _ := os.ReadDir(dir)
	for _, x := range entries {
		number, ours := strings.CutPrefix(x.Name(), prefix)
		if _, err := strconv.ParseUint(number, 10, 64); ours && err == nil && x.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, x.Name()))
		}
	}
}

// Files are temporary files. The zero value has none. Not for concurrent use.
type Files struct {
	Open  []*os.File
	named []string // of files that could not be unlinked while they are open
}

// Create makes a file. It goes with Close, and when the process is killed: at once where the system
// can, or else when another process makes its first file.
func (t *Files) Create() (*os.File, error) {
	removeLeft()
	f, err := os.CreateTemp("", prefix+"*")
	if err != nil {
		return nil, err
	}
	t.Open = append(t.Open, f)
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.named = append(t.named, f.Name())
	}
	return f, nil
}

// CloseFirst deletes the first file.
func (t *Files) CloseFirst() error {
	f := t.Open[0]
	t.Open = t.Open[1:]
	err := f.Close()
	if i := slices.Index(t.named, f.Name()); i >= 0 {
		t.named = slices.Delete(t.named, i, i+1)
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// Adopt takes over the files of another, which has none afterwards.
func (t *Files) Adopt(other *Files) {
	t.Open, t.named = append(t.Open, other.Open...), append(t.named, other.named...)
	other.Open, other.named = nil, nil
}

// Close deletes the files.
func (t *Files) Close() (err error) {
	for _, f := range t.Open {
		err = errors.Join(err, f.Close())
	}
	for _, name := range t.named {
		err = errors.Join(err, os.Remove(name))
	}
	t.Open, t.named = nil, nil
	return err
}
