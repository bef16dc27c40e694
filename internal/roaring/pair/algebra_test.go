// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// viewOps are the operations on whole sets, and their models.
var viewOps = []struct {
	Name string
	Do   func(a, b view.View) *mutable.Bitmap
	N    func(a, b view.View) uint64
	F    func(a, b bool) bool
}{
	{"And", And, AndLen, func(a, b bool) bool { return a && b }},
	{"Or", Or, OrLen, func(a, b bool) bool { return a || b }},
	{"AndNot", AndNot, AndNotLen, func(a, b bool) bool { return a && !b }},
	{"Xor", Xor, XorLen, func(a, b bool) bool { return a != b }},
}

func TestAlgebra(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	rounds := roaringtest.Paced(150, 30)
	for range rounds {
		x, y := roaringtest.Mixed(t, r)
		a, b := open(t, x.Body), open(t, y.Body)
		for _, op := range viewOps {
			want := roaringtest.CombineSorted(x.Values, y.Values, op.F)
			got := op.Do(a, b)
			if !slices.Equal(got.View().AppendTo(nil), want) {
				t.Fatalf("%s of %s (%d values) and %s (%d values): wrong values", op.Name, x.Name, len(x.Values),
					y.Name, len(y.Values))
			}
			if err := got.View().Validate(); err != nil {
				t.Fatalf("%s of %s and %s: %v", op.Name, x.Name, y.Name, err)
			}
			if reopened, err := view.Open(got.Bytes()); err != nil || reopened.Len() != uint64(len(want)) {
				t.Fatalf("%s of %s and %s: its bytes: %v", op.Name, x.Name, y.Name, err)
			}
		}
	}
}

func TestClone(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, s := range roaringtest.Samples(r, 3) {
		v := open(t, s.Body)
		c := mutable.Clone(v)
		if !Equal(v, c.View()) || len(s.Body) > 0 && &c.View().Body()[0] == &s.Body[0] {
			t.Fatalf("%s: not a copy", s.Name)
		}
	}
}

func TestAlgebraAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	cs, values := roaringtest.RandomContainers(r, 8)
	few := values[:200]
	a, b := open(t, roaringtest.CompactBody(cs, 0)), open(t, roaringtest.LooseBody(cs[2:], r))
	list := open(t, roaringtest.ListBody(few, roaringtest.BestLow(few)))
	for _, op := range viewOps {
		for _, pair := range [][2]view.View{{a, b}, {a, list}, {list, b}, {list, list}} {
			// The Bitmap, and its bytes unless the result is empty.
			if got := roaringtest.Allocations(30, func() { op.Do(pair[0], pair[1]) }); got > 2 {
				t.Errorf("%s: got %v allocations, want at most 2", op.Name, got)
			}
		}
	}
}
