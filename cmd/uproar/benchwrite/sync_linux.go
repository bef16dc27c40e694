// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package benchwrite

import (
	"os"
	"syscall"
)

// syncData brings the data of a file to the disk, and of its metadata what is needed to read them.
func syncData(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }
