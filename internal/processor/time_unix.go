// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package processor

import (
	"syscall"
	"time"
)

// Time returns how long all threads of the process have run, in the program and in the kernel. It
// returns -1 where the system does not tell.
func Time() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return -1
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
