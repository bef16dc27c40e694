// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package swar

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

func prefetch(b []byte) {
	if cpu.Active >= cpu.AVX2 {
		prefetchAVX2(b)
	} else {
		prefetchGeneric(b)
	}
}
