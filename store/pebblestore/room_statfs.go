// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd

package pebblestore

import (
	"math"
	"syscall"
)

// diskRoom returns the bytes that are free on the disk of dir; as much as there can be when the
// system does not tell.
func diskRoom(dir string) int64 {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil || st.Bsize <= 0 {
		return math.MaxInt64
	}
	blocks, size := uint64(st.Bavail), uint64(st.Bsize)
	if blocks > math.MaxInt64/size {
		return math.MaxInt64
	}
	return int64(blocks * size)
}

// filesRoom returns how many files can be made on the disk of dir; as many as there can be when the
// system does not tell, or its file system makes them as they are needed.
func filesRoom(dir string) int64 {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil || st.Files == 0 {
		return math.MaxInt64
	}
	return int64(min(uint64(st.Ffree), math.MaxInt64))
}
