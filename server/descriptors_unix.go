// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package server

import (
	"math"
	"os"
	"syscall"
)

// spareFiles returns how many files the process can open beside those that it has open.
func spareFiles() (n int64, known bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, false
	}
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return 0, false
	}
	return int64(min(limit.Cur, math.MaxInt32)) - int64(len(open)), true
}
