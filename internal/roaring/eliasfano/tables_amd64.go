// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"math/bits"
)

// zerosOfByte has the number of zeros of each byte, for lanes of 16 and of 32 bits.
//
//lint:ignore U1000 assembly uses it
var zerosOfByte = func() (t [256]uint32) {
	for b := range t {
		t[b] = uint32(8 - bits.OnesCount8(uint8(b)))
	}
	return t
}()
