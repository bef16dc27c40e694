// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"hash/crc32"
)

// The head of serialized integers: magic, version and flags, number of slices, a reserved byte,
// base. The ends of the bodies follow.
const (
	magic     = 0xBA
	version   = 1
	headBytes = 12
)

// The byte of version and flags, and the checksum at the end. Both are as in the envelope of a set.
const (
	versionMask   = 0x0F
	widthShift    = 4
	widthMask     = 0x03
	flagChecksum  = 0x40
	flagReserved  = 0x80
	checksumBytes = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
