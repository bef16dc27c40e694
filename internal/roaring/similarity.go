// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Jaccard returns the Jaccard index of the sets (Jaccard 1901): the number of values that both have
// by the number of values that at least one has, from 0 of disjoint sets to 1 of equal ones. Of two
// empty sets it is 1. It costs an [AndLen], and allocates nothing.
func Jaccard(a, b view.View) float64 {
	and := pair.AndLenOf(&a, &b)
	or := a.Len() + b.Len()
	or -= min(or, and)
	if or == 0 {
		return 1
	}
	return float64(min(and, or)) / float64(or) // more than all only in sets that are not valid
}
