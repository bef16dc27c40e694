// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package procfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ForgetFolder has the system drop its copies of the files in a folder. Errors: the
// system's.
func ForgetFolder(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(forget(f), f.Close())
	})
}
