// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interchange

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	dgraph "github.com/dgraph-io/sroar"
	weaviate "github.com/weaviate/sroar"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/interop"
)

// sroarSet is what these tests use of a set of either library: dgraph's intersections are known to
// be wrong, so that no algebra is among them.
type sroarSet interface {
	Set(x uint64) bool
	Remove(x uint64) bool
	Contains(x uint64) bool
	GetCardinality() int
	ToArray() []uint64
	ToBuffer() []byte
}

// sroarLibraries are the two libraries.
var sroarLibraries = []struct {
	name   string
	empty  func() sroarSet
	sorted func(values []uint64) sroarSet
	read   func(b []byte) sroarSet // with a copy, so that the set may change
	borrow func(b []byte) sroarSet
}{
	{
		"dgraph",
		func() sroarSet { return dgraph.NewBitmap() },
		func(values []uint64) sroarSet { return dgraph.FromSortedList(values) },
		func(b []byte) sroarSet { return dgraph.FromBufferWithCopy(b) },
		func(b []byte) sroarSet { return dgraph.FromBuffer(b) },
	},
	{
		"weaviate",
		func() sroarSet { return weaviate.NewBitmap() },
		func(values []uint64) sroarSet { return weaviate.FromSortedList(values) },
		func(b []byte) sroarSet { return weaviate.FromBufferWithCopy(b) },
		func(b []byte) sroarSet { return weaviate.FromBuffer(b) },
	},
}

// sroarChunk returns the low 16 bits of random values of one chunk, ascending, in one of many
// shapes.
func sroarChunk(r *rand.Rand) (lows []uint64) {
	keep := func(from, to uint64, one, in int) {
		for x := from; x < to; x++ {
			if r.IntN(in) < one {
				lows = append(lows, x)
			}
		}
	}
	switch r.IntN(8) {
	case 0: // one value, often at an end
		lows = []uint64{[]uint64{0, 65535, r.Uint64N(65536)}[r.IntN(3)]}
	case 1: // a few
		keep(0, 65536, 1, 10_000)
	case 2: // around the largest array of a list, 2 048
		keep(0, 65536, 1, 32)
	case 3: // around the largest array, 4 096
		keep(0, 65536, 1, 16)
	case 4: // dense
		keep(0, 65536, 2, 3)
	case 5: // all
		keep(0, 65536, 1, 1)
	case 6: // a run
		first := r.Uint64N(65536)
		keep(first, min(first+1+r.Uint64N(5000), 65536), 1, 1)
	default: // exactly at a threshold of either format
		n := []uint64{1, 2047, 2048, 2049, 4095, 4096, 4097, 65535}[r.IntN(8)]
		keep(65536-n, 65536, 1, 1)
	}
	return lows
}

// sroarValues returns ascending values of all shapes over all of 64 bits.
func sroarValues(r *rand.Rand) (values []uint64) {
	key := uint64(r.IntN(2)) // the first chunk is a special one for sroar
	for range 1 + r.IntN(12) {
		for _, low := range sroarChunk(r) {
			values = append(values, key<<16|low)
		}
		key += 1 + r.Uint64N(1<<r.IntN(45))
	}
	if r.IntN(4) == 0 {
		for _, low := range sroarChunk(r) {
			values = append(values, math.MaxUint64-65535+low)
		}
	}
	return values
}

// TestSroarBytes compares the bytes that we write with dgraph's for the same values. Weaviate's
// newest rounds the size of an array up to eight bytes, which the format leaves open: it reads
// ours, and we read its own, as the same values.
func TestSroarBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		values := sroarValues(r)
		if round == 0 {
			values = nil
		}
		b := bitmap.FromSorted(values)
		if round%3 == 1 {
			b.Pack(bitmap.Smallest)
		}
		got := interop.AppendSroar(nil, b.View())
		for _, lib := range sroarLibraries {
			want := lib.sorted(values).ToBuffer()
			if lib.name == "weaviate" {
				back, err := interop.FromSroar(want)
				if err != nil || !bitmap.Equal(back.View(), b.View()) {
					t.Fatalf("round %d: %s: its bytes are other values, %v", round, lib.name, err)
				}
				if len(got) > 0 && !slices.Equal(lib.read(got).ToArray(), values) {
					t.Fatalf("round %d: %s: it reads other values", round, lib.name)
				}
				continue
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("round %d: %s: got other bytes for %d values: %d bytes, want %d", round, lib.name, len(values),
					len(got), len(want))
			}
		}
	}
}

// TestSroarRead reads what the libraries write: sets that were built from lists and value by value,
// with values removed and whole containers emptied.
func TestSroarRead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 60 {
		values := sroarValues(r)
		for _, lib := range sroarLibraries {
			check := func(what string, s sroarSet) {
				t.Helper()
				want := s.ToArray()
				got, err := interop.FromSroar(s.ToBuffer())
				if err != nil {
					t.Fatalf("round %d: %s: %s: %v", round, lib.name, what, err)
				}
				if !slices.Equal(got.View().AppendTo(nil), want) {
					t.Fatalf("round %d: %s: %s: got %d values, want %d", round, lib.name, what, got.Len(), len(want))
				}
			}
			s := lib.sorted(values)
			check("from a list", s)
			for _, x := range values {
				if x>>16 == values[0]>>16 || r.IntN(10) == 0 { // the first container becomes empty
					s.Remove(x)
				}
			}
			check("with values removed", s)
			if len(values) > 60_000 {
				continue // they take long to add values one by one
			}
			s = lib.empty()
			for _, i := range r.Perm(len(values)) {
				s.Set(values[i])
			}
			check("one by one", s)
			for _, x := range values {
				s.Remove(x)
			}
			check("with all values removed", s)
			for range 100 {
				s.Set(r.Uint64())
			}
			check("filled again", s)
		}
	}
}

// TestSroarReadAlgebra reads results of operations, whose containers the libraries lay out in other
// ways: without room to spare, and as arrays that claim to have no room at all.
func TestSroarReadAlgebra(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		x, y := sroarValues(r), sroarValues(r)
		y = append(y, x[:len(x)/2]...)
		slices.Sort(y)
		y = slices.Compact(y)
		check := func(what string, buffer []byte, want []uint64) {
			t.Helper()
			got, err := interop.FromSroar(buffer)
			if err != nil {
				t.Fatalf("round %d: %s: %v", round, what, err)
			}
			if !slices.Equal(got.View().AppendTo(nil), want) {
				t.Fatalf("round %d: %s: got %d values, want %d", round, what, got.Len(), len(want))
			}
		}
		{
			a, b := dgraph.FromSortedList(x), dgraph.FromSortedList(y)
			c := dgraph.Or(a, b)
			check("dgraph: or", c.ToBuffer(), c.ToArray())
			c = dgraph.FastOr(a, b, dgraph.FromSortedList([]uint64{1, 1 << 40}))
			check("dgraph: many-way or", c.ToBuffer(), c.ToArray())
			c = a.Clone()
			c.AndNot(b)
			check("dgraph: and-not", c.ToBuffer(), c.ToArray())
			c = a.Clone()
			if hi := x[len(x)-1]; hi < math.MaxUint64 {
				c.RemoveRange(x[len(x)/2], hi+1)
				check("dgraph: a range removed", c.ToBuffer(), c.ToArray())
			}
		}
		a, b := weaviate.FromSortedList(x), weaviate.FromSortedList(y)
		for what, c := range map[string]*weaviate.Bitmap{
			"or": weaviate.Or(a, b), "and": weaviate.And(a, b), "and-not": weaviate.AndNot(a, b),
			"many-way or": weaviate.FastOr(a, b),
			"or in place": a.Clone().Or(b), "and in place": a.Clone().And(b), "and-not in place": a.Clone().AndNot(b),
			"prefilled": weaviate.Prefill(r.Uint64N(1 << 19)),
		} {
			check("weaviate: "+what, c.ToBuffer(), c.ToArray())
		}
		c := a.Clone()
		c.ConvertToBitmapContainers()
		check("weaviate: bitsets", c.ToBuffer(), c.ToArray())
	}
}

// TestSroarMutable changes sets that we wrote in the libraries: adds until arrays grow and become
// bitsets, new containers on all sides, and removes.
func TestSroarMutable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 40 {
		values := sroarValues(r)
		buffer := interop.AppendSroar(nil, bitmap.FromSorted(values).View())
		for _, lib := range sroarLibraries {
			if s := lib.borrow(buffer); !slices.Equal(s.ToArray(), values) || s.GetCardinality() != len(values) {
				t.Fatalf("round %d: %s: got %d values, want %d", round, lib.name, s.GetCardinality(), len(values))
			}
			s, model := lib.read(buffer), bitmap.FromSorted(values)
			for step := range 3000 {
				x := values[r.IntN(len(values))] + r.Uint64N(1<<r.IntN(17))
				if step%40 == 0 {
					x = r.Uint64()
				}
				if s.Contains(x) != model.Contains(x) {
					t.Fatalf("round %d: %s: step %d: Contains(%d) differs", round, lib.name, step, x)
				}
				if r.IntN(3) == 0 {
					if s.Remove(x) != model.Remove(x) {
						t.Fatalf("round %d: %s: step %d: Remove(%d) differs", round, lib.name, step, x)
					}
				} else if s.Set(x) != model.Add(x) {
					t.Fatalf("round %d: %s: step %d: Set(%d) differs", round, lib.name, step, x)
				}
			}
			if want := model.View().AppendTo(nil); !slices.Equal(s.ToArray(), want) {
				t.Fatalf("round %d: %s: after the changes: got %d values, want %d", round, lib.name, s.GetCardinality(),
					len(want))
			}
			back, err := interop.FromSroar(s.ToBuffer())
			if err != nil || !bitmap.Equal(back.View(), model.View()) {
				t.Fatalf("round %d: %s: read again: %v", round, lib.name, err)
			}
		}
	}
}
