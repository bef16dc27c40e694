// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package database

import (
	"runtime/debug"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// LeastMemory is the least that a process can be held to: below it, the engine and the runtime
// alone take more.
const LeastMemory terminal.ByteSize = 64 << 20

// Memory holds the process to all bytes, as far as Go's garbage collector can. It returns the
// database's part of them. The collector begins a little before: the process grows while it runs,
// and takes some memory that is not Go's.
func Memory(all terminal.ByteSize) int64 {
	debug.SetMemoryLimit(int64(all - min(all/6, 64<<20)))
	return int64(all) / 2
}
