// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Mixed returns two sets that share about half of their values, each in a random form.
func Mixed(t testing.TB, r *rand.Rand) (a, b Sample) {
	t.Helper()
	list := Samples(r, 2)
	a, b = list[r.IntN(len(list))], list[r.IntN(len(list))]
	switch r.IntN(4) {
	case 0, 1:
		// A short list with values of the other set.
		var few []uint64
		for range 1 + r.IntN(200) {
			few = append(few, r.Uint64()>>(r.IntN(52)))
			if len(a.Values) > 0 {
				few = append(few, a.Values[r.IntN(len(a.Values))])
			}
		}
		slices.Sort(few)
		few = slices.Compact(few)
		b = Sample{Name: "list", Body: ListBody(few, BestLow(few)), Values: few}
	case 2:
		// The same chunks in other kinds, some of them thinned out.
		var cs []Container
		var all []uint64
		for i := 0; i < len(a.Values); {
			key := a.Values[i] >> 16
			c := Container{Key: key}
			for ; i < len(a.Values) && a.Values[i]>>16 == key; i++ {
				if r.IntN(8) > 0 {
					c.Values = append(c.Values, a.Values[i])
				}
			}
			for len(c.Values) > 0 {
				c.Kind = kinds[r.IntN(len(kinds))]
				c.Low = BestLow(Relative(c.Values, key<<16))
				if c.Fits() {
					cs = append(cs, c)
					all = append(all, c.Values...)
					break
				}
			}
		}
		if len(cs) > 0 {
			b = Sample{Name: "compact", Body: CompactBody(cs, 0), Values: all}
		}
	}
	if r.IntN(2) == 0 {
		a, b = b, a
	}
	return a, b
}
