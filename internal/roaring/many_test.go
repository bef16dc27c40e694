// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// encoded returns the values in a random form: any containers, packed in either layout, or
// changing.
func encoded(r *rand.Rand, values []uint64) roaringtest.Sample {
	b := pair.FromSorted(values)
	name := "fastest"
	switch r.IntN(4) {
	case 0:
		b.Pack(pack.Smallest)
		name = "smallest"
	case 2:
		return roaringtest.Sample{Name: "recoded", Body: roaringtest.Recode(r, values), Values: values}
	case 1:
		if b.Add(9) {
			b.Remove(9)
		}
		name = "changed"
	}
	return roaringtest.Sample{Name: name, Body: b.View().Body(), Values: values}
}

// family returns sets that share values, in all forms.
func family(r *rand.Rand, n int) (sets []roaringtest.Sample) {
	for range n {
		var s roaringtest.Sample
		switch kind := r.IntN(10); {
		case kind < 3 || len(sets) == 0:
			cs, values := roaringtest.RandomContainers(r, 1+r.IntN(3))
			s = roaringtest.Sample{Name: "compact", Body: roaringtest.CompactBody(cs, r.IntN(3)), Values: values}
			if r.IntN(2) == 0 {
				s = roaringtest.Sample{Name: "loose", Body: roaringtest.LooseBody(cs, r), Values: values}
			}
		case kind < 4:
			list := roaringtest.Samples(r, 1)
			s = list[r.IntN(len(list))]
		case kind < 6:
			// A short list of values of another set.
			from := sets[r.IntN(len(sets))].Values
			var few []uint64
			for range r.IntN(100) {
				few = append(few, r.Uint64()>>r.IntN(64))
				if len(from) > 0 {
					few = append(few, from[r.IntN(len(from))])
				}
			}
			slices.Sort(few)
			s = encoded(r, slices.Compact(few))
		default:
			// Another set, thinned out.
			var some []uint64
			keep := 1 + r.IntN(16)
			for _, x := range sets[r.IntN(len(sets))].Values {
				if r.IntN(16) < keep {
					some = append(some, x)
				}
			}
			s = encoded(r, some)
		}
		sets = append(sets, s)
	}
	return sets
}

// counted is a value, in how many sets it is, and whether in the first.
type counted struct {
	value uint64
	n     int
	first bool
}

// countAll returns the values of the sets in ascending order.
func countAll(sets []roaringtest.Sample) (out []counted) {
	var all []uint64
	for _, s := range sets {
		all = append(all, s.Values...)
	}
	slices.Sort(all)
	for i := 0; i < len(all); {
		c := counted{value: all[i]}
		for ; i < len(all) && all[i] == c.value; i++ {
			c.n++
		}
		_, c.first = slices.BinarySearch(sets[0].Values, c.value)
		out = append(out, c)
	}
	return out
}

// combineAll is the model of an operation on many sets: the values for which keep says yes, given
// in how many sets they are and whether in the first.
func combineAll(counts []counted, keep func(n int, first bool) bool) (out []uint64) {
	for _, c := range counts {
		if keep(c.n, c.first) {
			out = append(out, c.value)
		}
	}
	return out
}

// manyOps are the operations on many sets, and their models.
var manyOps = []struct {
	name string
	do   func(views ...view.View) *mutable.Bitmap
	n    func(views ...view.View) uint64
	keep func(sets int) func(n int, first bool) bool
}{
	{"OrAll", OrAll, OrAllLen, func(int) func(int, bool) bool { return func(int, bool) bool { return true } }},
	{"XorAll", XorAll, XorAllLen, func(int) func(int, bool) bool {
		return func(n int, _ bool) bool { return n%2 == 1 }
	}},
	{"AndAll", AndAll, AndAllLen, func(sets int) func(int, bool) bool {
		return func(n int, _ bool) bool { return n == sets }
	}},
	{"AndNotAll", andNotFirst, andNotFirstLen, func(int) func(int, bool) bool {
		return func(n int, first bool) bool { return first && n == 1 }
	}},
	{"ParallelOrAll", func(views ...view.View) *mutable.Bitmap {
		return ParallelOrAll(3, views...)
	}, OrAllLen, func(int) func(int, bool) bool { return func(int, bool) bool { return true } }},
	{"ParallelAndAll", func(views ...view.View) *mutable.Bitmap {
		return ParallelAndAll(3, views...)
	}, AndAllLen, func(sets int) func(int, bool) bool { return func(n int, _ bool) bool { return n == sets } }},
	{"ParallelXorAll", func(views ...view.View) *mutable.Bitmap {
		return ParallelXorAll(3, views...)
	}, XorAllLen, func(int) func(int, bool) bool { return func(n int, _ bool) bool { return n%2 == 1 } }},
	{"ParallelAndNotAll", parallelAndNotFirst, andNotFirstLen, func(int) func(int, bool) bool {
		return func(n int, first bool) bool { return first && n == 1 }
	}},
}

// appendManyOps are in the order of manyOps.
var appendManyOps = []func(dst []byte, views ...view.View) []byte{AppendOrAll, AppendXorAll, AppendAndAll,
	appendAndNotFirst}

func parallelAndNotFirst(views ...view.View) *mutable.Bitmap {
	if len(views) == 0 {
		return ParallelAndNotAll(3, view.View{})
	}
	return ParallelAndNotAll(3, views[0], views[1:]...)
}

func appendAndNotFirst(dst []byte, views ...view.View) []byte {
	if len(views) == 0 {
		return AppendAndNotAll(dst, view.View{})
	}
	return AppendAndNotAll(dst, views[0], views[1:]...)
}

func andNotFirst(views ...view.View) *mutable.Bitmap {
	if len(views) == 0 {
		return AndNotAll(view.View{})
	}
	return AndNotAll(views[0], views[1:]...)
}

func andNotFirstLen(views ...view.View) uint64 {
	if len(views) == 0 {
		return AndNotAllLen(view.View{})
	}
	return AndNotAllLen(views[0], views[1:]...)
}

// checkMany compares every operation on many sets with its model.
func checkMany(t *testing.T, sets []roaringtest.Sample) {
	t.Helper()
	views := make([]view.View, len(sets))
	var names []string
	for i, s := range sets {
		views[i] = open(t, s.Body)
		names = append(names, s.Name)
	}
	counts := countAll(sets)
	for i, op := range manyOps {
		want := combineAll(counts, op.keep(len(sets)))
		got := op.do(views...)
		if !slices.Equal(got.View().AppendTo(nil), want) {
			t.Fatalf("%s of %v: got %d values, want %d", op.name, names, got.Len(), len(want))
		}
		if err := got.View().Validate(); err != nil {
			t.Fatalf("%s of %v: %v", op.name, names, err)
		}
		if n := op.n(views...); n != uint64(len(want)) {
			t.Fatalf("length of %s of %v: got %d, want %d", op.name, names, n, len(want))
		}
		if i >= len(appendManyOps) {
			continue
		}
		dst := appendManyOps[i]([]byte("before"), views...)
		if v := open(t, dst[len("before"):]); string(dst[:6]) != "before" || v.Validate() != nil ||
			!slices.Equal(v.AppendTo(nil), want) {
			t.Fatalf("Append%s of %v: got %d values, want %d", op.name, names, v.Len(), len(want))
		}
	}
}

func TestManySets(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	rounds := roaringtest.Paced(120, 12)
	for range rounds {
		checkMany(t, family(r, r.IntN(7)))
	}
}

// TestManySetsOfOneChunk has enough operands in a chunk for every way of gathering them.
func TestManySetsOfOneChunk(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	rounds := roaringtest.Paced(40, 5)
	for range rounds {
		var sets []roaringtest.Sample
		for range 2 + r.IntN(12) {
			c := roaringtest.Container{Values: roaringtest.RandomChunk(r), Key: 5}
			for i := range c.Values {
				c.Values[i] += 5 << 16
			}
			for c.Kind = uint8(r.IntN(4)); ; c.Kind = uint8(r.IntN(4)) {
				if c.Low = roaringtest.BestLow(roaringtest.Relative(c.Values, 5<<16)); c.Fits() {
					break
				}
			}
			sets = append(sets, roaringtest.Sample{Name: "chunk",
				Body: roaringtest.CompactBody([]roaringtest.Container{c}, 0), Values: c.Values})
		}
		// A set twice: what one operand adds to an Xor, another takes away.
		sets = append(sets, sets[0], sets[len(sets)-1])
		checkMany(t, sets)
	}
}

// TestThousands combines thousands of short lists, dense and sparse.
func TestThousands(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	for _, universe := range []uint64{1 << 14, 1 << 32, 1 << 63} {
		var sets []roaringtest.Sample
		for range roaringtest.Paced(3000, 2000) {
			values := []uint64{77}
			for range r.IntN(40) {
				values = append(values, r.Uint64N(universe))
			}
			slices.Sort(values)
			values = slices.Compact(values)
			sets = append(sets, roaringtest.Sample{Name: "list", Body: pack.AppendBody(nil, values), Values: values})
		}
		checkMany(t, sets)
	}
}

func TestManyAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	var views []view.View
	for _, s := range family(r, 12) {
		views = append(views, open(t, s.Body))
	}
	for i, op := range manyOps[:4] {
		dst := make([]byte, 6, 1<<20)
		if got := roaringtest.Allocations(20, func() { appendManyOps[i](dst, views...) }); got != 0 {
			t.Errorf("Append%s: got %v allocations, want 0", op.name, got)
		}
		if got := roaringtest.Allocations(20, func() { op.n(views...) }); got != 0 {
			t.Errorf("length of %s: got %v allocations, want 0", op.name, got)
		}
		// The Bitmap, and its bytes.
		if got := roaringtest.Allocations(20, func() { op.do(views...) }); got > 2 {
			t.Errorf("%s: got %v allocations, want at most 2", op.name, got)
		}
	}
}
