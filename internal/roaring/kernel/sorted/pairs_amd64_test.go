// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package sorted

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestPairs expects that functions are left out only for want of VP2INTERSECT. TestAssembly runs
// them wherever they can, and where they cannot, it is said here.
func TestPairs(t *testing.T) {
	has := cpu.HasPairs()
	t.Logf("VP2INTERSECT: compared with its reference %t, taken %t", has, cpu.FastPairs)
	var left []string
	for _, c := range forms {
		if name := kerneltest.NameOf(c.Assembly); kerneltest.Lacks(name) != "" {
			left = append(left, name)
		}
	}
	if has != (len(left) == 0) {
		t.Errorf("VP2INTERSECT is there: %t; without it are %v", has, left)
	}
	if len(left) > 0 && cpu.Active == cpu.Best() {
		t.Logf("kernel forms not run: %s, as this processor has no VP2INTERSECT", strings.Join(left, ", "))
	}
}
