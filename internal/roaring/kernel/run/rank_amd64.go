// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func runSelect(runs []byte, i uint32) (x uint16, ok bool) {
	if cpu.Active == cpu.AVX512 {
		return runSelectAVX512(runs, i)
	}
	return runSelectGeneric(runs, i)
}
