// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package procfs tells what the system says of the running process, as far as it does: Linux does.
// It also syncs files as benchmarks need it.
package procfs

import (
	"bytes"
	"os"
	"strconv"
)

// Anonymous returns the anonymous memory of the process, which no file backs: in bytes, -1 where
// the system does not tell.
func Anonymous() int64 {
	kilobytes := procField("/proc/self/status", "RssAnon:")
	if kilobytes < 0 {
		return -1
	}
	return kilobytes << 10
}

// Written returns how many bytes the process has caused to be written to disks; -1: unknown. Linux
// counts a page of a file when it becomes dirty, so writes that are never synced count as well.
func Written() int64 { return procField("/proc/self/io", "write_bytes:") }

// procField returns the number after a name at the beginning of a line of a file, or -1.
func procField(file, name string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return -1
	}
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, []byte(name))
		if !ok {
			continue
		}
		digits, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
		if n, err := strconv.ParseInt(string(digits), 10, 64); err == nil {
			return n
		}
	}
	return -1
}
