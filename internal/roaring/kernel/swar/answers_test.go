// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

import (
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// answersOf asks for memory, which has no answer to compare. TestAssemblyIsFuzzed reads which
// kernels are asked.
func answersOf(a, _ []byte, _ uint) (all kerneltest.Answers) {
	Prefetch(a)
	return all
}
