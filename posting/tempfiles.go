// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"os"
	"slices"
)

// tempFiles are the files into which a load sorts what has no room in memory.
type tempFiles struct {
	files []*os.File
	named []string // of files that could not be unlinked while they are open: to be deleted at the end
}

// create makes a file, which is one of the temporary files until close.
func (t *tempFiles) create() (*os.File, error) {
	f, err := os.CreateTemp("", "uproar-load-*")
	if err != nil {
		return nil, err
	}
	t.files = append(t.files, f)
	if os.Remove(f.Name()) != nil { // at once where the system can: then nothing stays behind when the process is killed
		t.named = append(t.named, f.Name())
	}
	return f, nil
}

// closeFirst deletes the first file.
func (t *tempFiles) closeFirst() error {
	f := t.files[0]
	t.files = t.files[1:]
	err := f.Close()
	if i := slices.Index(t.named, f.Name()); i >= 0 {
		t.named = slices.Delete(t.named, i, i+1)
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// close deletes the files.
func (t *tempFiles) close() (err error) {
	for _, f := range t.files {
		err = errors.Join(err, f.Close())
	}
	for _, name := range t.named {
		err = errors.Join(err, os.Remove(name))
	}
	t.files, t.named = nil, nil
	return err
}
