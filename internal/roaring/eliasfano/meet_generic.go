// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package eliasfano

func packedMeet(few, many *Packed, fewUpper, manyUpper int) int {
	return meetInGo(few, many, fewUpper, manyUpper)
}

// packedTiny is for lists whose upper parts are one word each.
func packedTiny(few, many *Packed, fewUpper, manyUpper int) int {
	return packedTinyGeneric(few, many, fewUpper, manyUpper)
}
