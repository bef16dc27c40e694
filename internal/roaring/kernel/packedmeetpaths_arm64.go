// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

func packedMeet(few, many *Packed, fewUpper, manyUpper int) int {
	return meetInGo(few, many, fewUpper, manyUpper)
}

// packedPair and packedPairLong return -1: no form compares all with all at once.
func packedPair(_, _ *Packed, _, _ int) int { return -1 }

func packedPairLong(_, _ *Packed, _, _ int) int { return -1 }
