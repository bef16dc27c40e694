// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd

package descriptor

import (
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// Space returns how many bytes and how many files the disk of a folder still takes.
// math.MaxUint64 stands for what the system does not bound. Errors: the system's.
func Space(dir string) (bytes, files uint64, err error) {
	var st unix.Statfs_t
	for {
		if err = unix.Statfs(dir, &st); err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return 0, 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	bytes, files = math.MaxUint64, math.MaxUint64
	// Of a number that may be negative, the largest is none.
	blocks, size := uint64(max(int64(st.Bavail), 0)), uint64(st.Bsize)
	if size > 0 && blocks <= math.MaxInt64/size {
		bytes = blocks * size
	}
	if st.Files > 0 { // otherwise the file system makes entries for files as it needs them
		files = uint64(max(int64(st.Ffree), 0))
	}
	return bytes, files, nil
}
