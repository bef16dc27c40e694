// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"errors"
	"io"
	"os"
)

// TempFile writes a text into a temporary file (os.TempDir), for a format whose end is read first.
// The caller calls remove, after which the file is gone. Errors: those of text and of the file.
func TempFile(text io.Reader) (file *os.File, size int64, remove func() error, err error) {
	file, err = os.CreateTemp("", "uproar-import-*")
	if err != nil {
		return nil, 0, nil, err
	}
	unlinked := os.Remove(file.Name()) == nil // else the system lets nobody remove an open file
	remove = func() error {
		err := file.Close()
		if !unlinked {
			err = errors.Join(err, os.Remove(file.Name()))
		}
		return err
	}
	if size, err = io.Copy(file, text); err != nil {
		return nil, 0, nil, errors.Join(err, remove())
	}
	return file, size, remove, nil
}
