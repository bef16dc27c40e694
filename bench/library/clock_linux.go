// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import "golang.org/x/sys/unix"

const hasThreadTime = true

// threadTime returns the processor time of the calling thread.
func threadTime() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // the clock is always there
	}
	return t.Nano()
}
