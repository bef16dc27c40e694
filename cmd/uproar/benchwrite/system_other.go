// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package benchwrite

import (
	"os"
	"time"
)

// syncData brings the data of a file to the disk.
func syncData(f *os.File) error { return f.Sync() }

// processor returns -1: the time that the process has run is not known.
func processor() time.Duration { return -1 }
