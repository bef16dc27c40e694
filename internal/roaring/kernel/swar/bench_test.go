// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// BenchmarkPrefetch measures the time of asking for 64 bytes, a KiB at a time. The bytes are near
// already, or far away as a rule.
func BenchmarkPrefetch(b *testing.B) {
	const part = 1 << 10
	memory, at := make([]byte, 128<<20), 0
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
	kerneltest.OnPaths(b, "near", part/64, "ns/line", func() { Prefetch(memory[:part]) })
	kerneltest.OnPaths(b, "far", part/64, "ns/line", func() {
		Prefetch(memory[at : at+part])
		at = (at + 65*part) % (len(memory) - part)
	})
}
