// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// operands are what the calls on sets are made with.
type operands struct {
	a, b   view.View
	points []uint64 // values to ask for
	t      testing.TB
}

// setCalls are all calls on sets.
func setCalls() []roaringtest.Call[*operands] {
	return slices.Concat(viewCalls, rangeCalls, pairCalls, blockCalls, bitmapCalls, bitmapReadCalls)
}

// readCalls are all calls that read bytes that may be anything at all.
func readCalls() []roaringtest.Call[rawBytes] {
	return nativeReadCalls
}

// exercise makes every call on two sets, whatever their bytes.
func exercise(t testing.TB, a, b view.View) (sums []uint64) {
	t.Helper()
	o := &operands{a: a, b: b, t: t, points: []uint64{0, 1, 65535, 65536, 1 << 40, container.MaxKey << 16, ^uint64(0)}}
	if x, ok := a.Min(); ok {
		o.points = append(o.points, x)
	}
	if x, ok := a.Max(); ok {
		o.points = append(o.points, x, x+1)
	}
	return roaringtest.Run(t, setCalls(), o, roaringtest.BudgetFor(a.Count()+b.Count(), len(a.Raw())+len(b.Raw())))
}

// values returns the first values of a, n at most.
func (o *operands) values(n int) []uint64 {
	dst := make([]uint64, n)
	it := o.a.Iterator(0)
	return dst[:it.Read(dst)]
}

// listable reports whether a set has so few containers that all its values can be listed.
func listable(v view.View) bool { return v.Count() <= 4 }

// result reads a set that was made from the operands: it can be opened, and after a change it is
// valid, whatever it was made from.
func (o *operands) result(m *mutable.Bitmap) (sum uint64) {
	o.t.Helper()
	v, err := view.Open(m.Bytes())
	if err != nil {
		o.t.Fatalf("a set that was made cannot be opened: %v", err)
	}
	sum = v.Len() + uint64(len(v.Raw()))*31 + v.Rank(1<<50)
	if m.Add(1<<50 | 77) {
		o.valid(m)
	}
	return sum
}

// valid demands that a set is valid.
func (o *operands) valid(m *mutable.Bitmap) {
	o.t.Helper()
	v, err := view.Open(m.Bytes())
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		o.t.Fatalf("a set that was changed: %v", err)
	}
}
