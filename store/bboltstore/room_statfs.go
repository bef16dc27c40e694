// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin || freebsd

package bboltstore

import (
	"math"
	"syscall"
)

// diskRoom returns the bytes that are free on the disk of dir, or math.MaxInt64 if unknown.
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
