// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package badgerstore

import (
	"os"

	"golang.org/x/sys/unix"
)

// openable opens so many files, and closes them again. It returns how many it could open, with the error of the next.
func openable(files int) (n int, err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	opened := make([]int, 0, files)
	defer func() {
		for _, fd := range opened {
			_ = unix.Close(fd)
		}
	}()
	for len(opened) < files {
		fd, err := unix.FcntlInt(null.Fd(), unix.F_DUPFD_CLOEXEC, 0)
		if err != nil {
			return len(opened), err
		}
		opened = append(opened, fd)
	}
	return len(opened), nil
}
