// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package prefetch asks the processor to bring bytes near that will be read soon. Go has no such
// instruction: loads do it as well, but those that wait keep all that follow from being done with,
// so that only a few are under way at a time.
package prefetch

// Ends asks for the first and the last byte of each of a list of byte slices, and does not wait for
// them. Empty ones are allowed. It reads none of them, so that nobody need hold still for it. Safe
// for concurrent use; about a nanosecond each, where the processor can ask for so many more.
func Ends(list [][]byte) {
	if len(list) > 0 {
		ends(list)
	}
}
