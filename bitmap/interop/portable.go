// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

// The portable format of RoaringFormatSpec (https://github.com/RoaringBitmap/RoaringFormatSpec),
// which every Roaring library reads and writes.
const (
	cookieNoRuns = 12346 // u32, followed by the number of containers
	cookieRuns   = 12347 // low u16; the high one is the number of containers - 1

	portableContainers = 1 << 16 // a 32-bit set has no more
	portableOffsets    = 4       // containers from which on a file with runs has offsets
)

// Runs says which containers of a portable file hold runs. The others are arrays up to 4 096
// values, bitsets beyond.
type Runs uint8

const (
	// RunsIfSmaller writes runs where they are smaller than an array or a bitset: what the
	// libraries write after their runOptimize.
	RunsIfSmaller Runs = iota

	// NoRuns writes arrays and bitsets only: what the libraries write for sets that were made value
	// by value, and what the oldest of them read.
	NoRuns

	// RunsAsStored writes runs where the set has a run container. A set that was read from a
	// portable file, and not changed, becomes that file again byte for byte, whatever its writer
	// chose: see [FromPortable32].
	RunsAsStored
)
