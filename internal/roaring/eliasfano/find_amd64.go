// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func packedFind(p *Packed, upper, head int, d uint64) (i int, found bool) {
	if cpu.Active >= cpu.AVX2 && upper-1 < findBits-1 && p.Low <= maxGatherLow && len(p.Block)+head >= 8 {
		if i, found = packedFindAVX2(p, upper, d); i >= 0 {
			return i, found
		}
	}
	return packedFindGeneric(p, upper, d)
}

// packedHas looks an upper part of two words through without a jump, as packedFind does: which of
// them is meant cannot be guessed.
func packedHas(p *Packed, upper, head int, d uint64) bool {
	if cpu.Active >= cpu.AVX2 && (uint(upper-1) < meetWord || uint(upper-findBits) < hasBits-findBits) &&
		p.Low <= maxGatherLow && len(p.Block)+head >= 8 {
		if has := packedHasAVX2(p, upper, d); has >= 0 {
			return has > 0
		}
	}
	_, found := packedFind(p, upper, head, d)
	return found
}

func packedAt(p *Packed, upper, head, i int) (d uint64, ok bool) {
	if cpu.Active >= cpu.AVX2 && upper <= findBits && p.Low <= maxGatherLow && len(p.Block)+head >= 8 {
		return packedAtAVX2(p, upper, i)
	}
	return packedAtGeneric(p, upper, i)
}

// hasBits is the number of bits of an upper part that are looked through word by word.
const hasBits = 512

// findBits is the number of bits of an upper part that are looked through without a jump.
const findBits = 128
