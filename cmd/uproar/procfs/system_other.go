// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package procfs

import (
	"os"
	"time"
)

// SyncData brings the data of a file to the disk.
func SyncData(f *os.File) error { return f.Sync() }

// Processor returns -1: the time that the process has run is not known.
func Processor() time.Duration { return -1 }
