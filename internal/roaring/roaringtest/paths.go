// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// OnPaths runs a test on every path of the processor.
func OnPaths(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	taken := cpu.Active
	defer cpu.Use(taken)
	for _, path := range cpu.Paths() {
		cpu.Use(path)
		t.Run(path.String(), test)
	}
}
