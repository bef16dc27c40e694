// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package extsort

import (
	"errors"
	"os"
	"slices"
)

// Files are temporary files. The zero value has none. Not for concurrent use.
type Files struct {
	Open  []*os.File
	named []string // of files that could not be unlinked while they are open
}

// Create makes a file. It goes with Close, and where the system can also when the process is
// killed.
func (t *Files) Create() (*os.File, error) {
	f, err := os.CreateTemp("", "uproar-sort-*")
	if err != nil {
		return nil, err
	}
	t.Open = append(t.Open, f)
	if os.Remove(f.Name()) != nil {
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
