// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package array

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

func keepLows(dst, lows []uint16, a *bitset.Words) int { return keepLowsGeneric(dst, lows, a) }

func patch(dst, lows []byte, set, unset []uint16) int { return patchGeneric(dst, lows, set, unset) }
