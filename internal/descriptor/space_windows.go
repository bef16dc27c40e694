// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package descriptor

import (
	"math"
	"os"

	"golang.org/x/sys/windows"
)

// Space returns how many bytes and how many files the disk of a folder still takes.
// math.MaxUint64 stands for what the system does not bound. Errors: the system's.
func Space(dir string) (bytes, files uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	}
	if err != nil {
		return 0, 0, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: dir, Err: err}
	}
	return bytes, math.MaxUint64, nil
}
