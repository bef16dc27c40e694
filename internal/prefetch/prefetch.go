// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package prefetch asks the processor to bring bytes near that will be read soon. Go has no such
// instruction. Loads do it as well, but a load that waits holds up all that follow, so that only a
// few are under way at a time.
package prefetch

// Ends asks for the first and the last byte of each byte slice of a list, without waiting. Empty
// slices are allowed. It reads no bytes, so that nobody need hold still for it. Safe for concurrent
// use.
func Ends(list [][]byte) {
	if len(list) > 0 {
		ends(list)
	}
}
