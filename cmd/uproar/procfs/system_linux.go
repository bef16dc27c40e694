// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package procfs

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// SyncData writes the data of a file to the disk, with the metadata needed to read them.
func SyncData(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }

// forget has the system drop its copy of a file in memory. The next read comes from the disk. Pages
// that a process has mapped stay.
func forget(f *os.File) error {
	if err := f.Sync(); err != nil { // what is not written yet is not dropped
		return err
	}
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}
