// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package descriptor

import (
	"errors"
	"os"
)

// SyncFolder makes names in a folder durable. Elsewhere than on Unix it does nothing.
func SyncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
