// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package eliasfano

func packedMeet(few, many *Packed, fewUpper, manyUpper int) int {
	return meetInGo(few, many, fewUpper, manyUpper)
}

// packedTiny returns -1: no form looks the values of a list up without a jump.
func packedTiny(_, _ *Packed, _, _ int) int { return -1 }
