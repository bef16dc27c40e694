// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// fewAsked is up to how many values are asked for one by one: to make ready to ask for several at
// once costs about as much.
const fewAsked = 2

// Among keeps the values that are in the set, in their order. It overwrites values and returns a
// part of it. It allocates nothing.
//
// Strictly ascending values are looked up together, which costs less than a [View.Contains] each,
// most of all where several meet one container. Others are looked up one by one.
func Among(v view.View, values []uint64) []uint64 {
	if len(values) > fewAsked && v.Form() != view.FormSingle && mutable.Ascends(values) {
		var p pair.Prober
		p.Open(&v)
		return values[:p.Keep(values)]
	}
	n := 0
	for _, x := range values {
		if v.Has(x) {
			values[n] = x
			n++
		}
	}
	return values[:n]
}
