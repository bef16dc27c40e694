// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// shortenSlices asks the scheduler for slices of so long for the threads of this process; those that it starts later have the slice of the thread that starts them. Linux heeds that from 6.12 on (EEVDF).
func shortenSlices(slice time.Duration) error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("server: slices: %w", err)
	}
	var failed error
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err == nil {
			err = shortenSlice(id, slice)
		}
		if err != nil && !errors.Is(err, unix.ESRCH) { // which ended meanwhile
			failed = fmt.Errorf("server: slices of %v: thread %s: %w", slice, t.Name(), err)
		}
	}
	return failed
}

// shortenSlice changes the slice of a thread, unless it is one of another kind than others are.
func shortenSlice(thread int, slice time.Duration) error {
	a, err := unix.SchedGetAttr(thread, 0)
	if err != nil || a.Policy != unix.SCHED_NORMAL {
		return err
	}
	a.Runtime = uint64(slice)
	return unix.SchedSetAttr(thread, a, 0)
}

// yield lets other threads that are ready have the processor.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
