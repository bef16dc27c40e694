// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build croaring

package library

import "github.com/uproar-db/uproar/bench/croaring"

func init() {
	skewedInC = func(sets [][]uint32) func() int {
		var all []croaring.Set
		built := map[*uint32]croaring.Set{} // sets that are there more than once are built once
		for _, values := range sets {
			s, ok := built[&values[0]]
			if !ok {
				s = croaring.Build(values)
				built[&values[0]] = s
			}
			all = append(all, s)
		}
		return func() int { return int(croaring.AndLen(all)) }
	}
}
