// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package descriptor

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// askedAtOnce is of how many numbers of files the system is asked at a time.
const askedAtOnce = 256

// Free returns how many more files the process may have open, up to a number. Safe for concurrent
// use. Errors: the system's.
func Free(most int) (n int, err error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, os.NewSyscallError("getrlimit", err)
	}
	asked := make([]unix.PollFd, askedAtOnce)
	for next := int(min(uint64(limit.Cur), math.MaxInt32)); next > 0 && n < most; {
		part := asked[:min(len(asked), next)]
		for i := range part {
			next--
			part[i] = unix.PollFd{Fd: int32(next)}
		}
		for {
			if _, err = unix.Poll(part, 0); !errors.Is(err, unix.EINTR) {
				break
			}
		}
		if err != nil {
			return 0, os.NewSyscallError("poll", err)
		}
		for _, file := range part {
			if file.Revents&unix.POLLNVAL != 0 {
				n++
			}
		}
	}
	return min(n, most), nil
}
