// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"slices"
)

// CombineSorted is the model of an operation on sorted values.
func CombineSorted(a, b []uint64, f func(a, b bool) bool) (out []uint64) {
	all := slices.Concat(a, b)
	slices.Sort(all)
	for _, x := range slices.Compact(all) {
		for len(a) > 0 && a[0] < x {
			a = a[1:]
		}
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if f(len(a) > 0 && a[0] == x, len(b) > 0 && b[0] == x) {
			out = append(out, x)
		}
	}
	return out
}
