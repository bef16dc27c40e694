// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func packedMeet(few, many *Packed, fewUpper, manyUpper int) int {
	if cpu.Active == cpu.Generic {
		return meetInGo(few, many, fewUpper, manyUpper)
	}
	return packedMeetAVX2(few, many, fewUpper, manyUpper)
}

// packedTiny is for lists whose upper parts are one word each, and returns -1 on other paths. The
// bytes before a block that make it eight may be read.
func packedTiny(few, many *Packed, fewUpper, manyUpper int) int {
	if cpu.Active < cpu.AVX2 {
		return -1
	}
	return packedTinyAVX2(few, many, fewUpper, manyUpper)
}
