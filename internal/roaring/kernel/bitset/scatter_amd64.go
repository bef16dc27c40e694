// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package bitset

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func scatter(bits *Words, lows []byte) {
	if cpu.Active >= cpu.AVX2 {
		scatterAVX2(bits, lows)
	} else {
		scatterGeneric(bits, lows)
	}
}
