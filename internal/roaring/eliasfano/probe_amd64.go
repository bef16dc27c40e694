// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package eliasfano

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func packedKeep(dst, values []uint64, base uint64, p *Probe) (n, read int) {
	if cpu.Active >= cpu.AVX2 && p.upper > 0 && p.Low <= maxGatherLow && len(p.Block) >= 8 {
		return packedKeepAVX2(dst, values, base, p)
	}
	return packedKeepGeneric(dst, values, base, p)
}
