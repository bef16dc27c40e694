// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package procfs

import (
	"errors"
	"os"
)

// SyncData brings the data of a file to the disk.
func SyncData(f *os.File) error { return f.Sync() }

// forget has the system drop what it keeps of a file in memory. Here it cannot.
func forget(*os.File) error { return errors.ErrUnsupported }
