// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kernel

import (
	"strings"
	"testing"
)

// hasPairs asks the processor for VP2INTERSECT (bit 8 of register d) itself: what is compared must
// not depend on what the kernels found out.
func hasPairs() bool {
	_, _, _, d := cpuid(7, 0)
	return Best() == AVX512 && d>>8&1 != 0
}

// TestPairs fails where lists are not compared by VP2INTERSECT although that is fast, or are
// although the processor has not got it; TestAssembly runs the functions wherever they can, and
// where they cannot, it is said here.
func TestPairs(t *testing.T) {
	has := hasPairs()
	if fast := has && vendor() == "AuthenticAMD"; pairs != fast {
		t.Errorf("lists are compared by VP2INTERSECT: got %t, want %t (%s, has it: %t)", pairs, fast, vendor(), has)
	}
	t.Logf("VP2INTERSECT: compared with its reference %t, taken %t", has, pairs)
	var left []string
	for _, c := range comparisons {
		if name := nameOf(c.assembly); lacks(name) != "" {
			left = append(left, name)
		}
	}
	if has != (len(left) == 0) {
		t.Errorf("VP2INTERSECT is there: %t; without it are %v", has, left)
	}
	if len(left) > 0 && Taken() == Best() {
		t.Logf("kernel forms not run: %s, as this processor has no VP2INTERSECT", strings.Join(left, ", "))
	}
}
