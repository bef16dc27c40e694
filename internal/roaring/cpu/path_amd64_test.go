// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package cpu

import "testing"

// TestVendor expects that the processor says who made it.
func TestVendor(t *testing.T) {
	if v := vendor(); len(v) != 12 || v[0] < ' ' {
		t.Errorf("got %q, want twelve letters", v)
	}
}

// TestFastPairs checks the choice of VP2INTERSECT against the processor. The kernels must use it
// where it is fast, and only where the processor has it.
func TestFastPairs(t *testing.T) {
	_, _, _, d := cpuid(7, 0)
	has := Best() == AVX512 && d>>8&1 != 0
	if fast := has && vendor() == "AuthenticAMD"; HasPairs() != has || FastPairs != fast {
		t.Errorf("VP2INTERSECT: there %t, fast %t, want %t and %t (%s)", HasPairs(), FastPairs, has, fast, vendor())
	}
}
