// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import "github.com/uproar-db/uproar/internal/roaring/cpu"

func packedMeet(few, many *Packed, fewUpper, manyUpper int) int {
	if cpu.Active == cpu.Generic {
		return meetInGo(few, many, fewUpper, manyUpper)
	}
	return packedMeetAVX2(few, many, fewUpper, manyUpper)
}

// packedPair is for lists whose upper parts are one word each, and before which as many bytes may
// be read as make eight with theirs; elsewhere it returns -1.
func packedPair(few, many *Packed, fewUpper, manyUpper int) int {
	switch {
	case cpu.Active < cpu.AVX2:
		return -1
	case cpu.Active == cpu.AVX512 && few.N >= pairFrom && many.N <= pairMost &&
		max(len(few.Block), len(many.Block)) <= pairBytes:
		return packedPairAVX512(few, many, fewUpper, manyUpper)
	}
	return packedTinyAVX2(few, many, fewUpper, manyUpper)
}

// packedPairLong returns -1 of lists that are not compared so.
func packedPairLong(few, many *Packed, fewUpper, manyUpper int) int {
	if cpu.Active == cpu.AVX512 && few.N >= longFrom && pairsLong(few, many, fewUpper, manyUpper) {
		return packedPairLongAVX512(few, many, fewUpper, manyUpper)
	}
	return -1
}
