// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

import (
	"math/bits"
)

// Lanes of a word that are uint32 with a uint16 inside.
const (
	Even16  = 0x0000FFFF0000FFFF
	Carry32 = 0x0001000000010000
	Lanes32 = 0x0000000100000001
)

// SignBit is the place of the sign in an int: shifted right by it, a uint is 1 if it was made of a
// negative int, else 0.
const SignBit = bits.UintSize - 1
