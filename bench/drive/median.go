// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package drive

import "slices"

// Median returns the middle one of some figures of measurements. There must be at least one.
func Median(slots []Slot, of func(s Slot) float64) float64 {
	all := make([]float64, len(slots))
	for i, s := range slots {
		all[i] = of(s)
	}
	slices.Sort(all)
	return all[len(all)/2]
}
