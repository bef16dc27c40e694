// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package procfs

import (
	"os"
	"syscall"
	"time"
)

// SyncData brings the data of a file to the disk, and of its metadata what is needed to read them.
func SyncData(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }

// Processor returns the time that all threads of the process have run, in the program and in the kernel.
func Processor() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return -1
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
