// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package swar

import (
	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

var forms = []kerneltest.Form{
	kerneltest.NewForm(cpu.AVX2, prefetchAVX2, nil, prefetchGeneric),
}
