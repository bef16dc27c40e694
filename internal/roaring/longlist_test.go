// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// randomList returns about n distinct values below limit. The largest is limit - 1.
func randomList(r *rand.Rand, n int, limit uint64) []uint64 {
	values := make([]uint64, n)
	for i := range values {
		values[i] = r.Uint64N(limit)
	}
	values[0] = limit - 1
	slices.Sort(values)
	return slices.Compact(values)
}

// longSamples are bodies of more than 10 000 values in headers of all kinds: near to the largest
// number that their block may have, near to the smallest, and between; spread evenly and in
// clusters.
func longSamples(r *rand.Rand) (out []roaringtest.Sample) {
	add := func(name string, values []uint64) {
		out = append(out, roaringtest.Sample{Name: name, Body: roaringtest.LongListBody(values,
			eliasfano.LowWidth(len(values), values[len(values)-1])), Values: values})
	}
	evenly := func(name string, last func(n uint64) uint64) {
		values := randomList(r, view.MaxList+100+r.IntN(500), 500*view.MaxList)
		values[len(values)-1] = last(uint64(len(values)))
		add(name, values)
	}
	evenly("most", func(n uint64) uint64 { return n << 9 })
	evenly("least", func(n uint64) uint64 { return n<<9 + n<<9 - 1 })
	evenly("between", func(n uint64) uint64 { return 700 * n })
	add("crowded", randomList(r, 30_000, 1<<18)) // chunks with more values than an array may have
	var clustered []uint64
	x := uint64(0)
	for i := range view.MaxList + 100 {
		if x++; i%1000 == 0 {
			x += r.Uint64N(1 << 22)
		}
		clustered = append(clustered, x)
	}
	add("clustered", clustered)
	return out
}

// longRuns returns a set of long runs.
func longRuns(limit uint64) *mutable.Bitmap {
	m := new(mutable.Bitmap)
	for from := uint64(100); from+9000 < limit; from += 20_000 {
		m.AddRange(from, from+9000)
	}
	m.Pack(pack.Fastest)
	return m
}

// TestLongLists compares every read of long lists with the values. It compares the algebra on them
// with that on other forms of the same sets.
func TestLongLists(t *testing.T) {
	r := rand.New(rand.NewPCG(117, 118))
	for _, s := range longSamples(r) {
		t.Run(s.Name, func(t *testing.T) {
			v := checkBody(t, s.Body, s.Values)
			if v.Form() != view.FormList || len(s.Values) <= view.MaxList {
				t.Fatalf("got form %d of %d values", v.Form(), len(s.Values))
			}
			if near, least := v.Ow() == view.HeaderNear, s.Body[1]&view.FromLeast != 0; s.Name == "most" &&
				(!near || least) ||
				s.Name == "least" && !(near && least) || s.Name == "between" && near {
				t.Fatalf("got the header % x", s.Body[:v.Ow()])
			}
			packed := pair.FromSorted(s.Values)
			for name, o := range map[string]view.View{
				"few":   pair.FromSorted([]uint64{0, s.Values[7], s.Values[9000] + 1, s.Values[9999], 1 << 50}).View(),
				"dense": pair.FromSorted(roaringtest.Span(s.Values[100], s.Values[100]+90_000, 3)).View(),
				"list":  pair.FromSorted(randomList(r, 3000, 1<<23)).View(),
				"long":  open(t, longSamples(r)[r.IntN(4)].Body),
				"same":  packed.View(),
				"words": pair.FromSorted(randomList(r, 90_000, 1<<18)).View(),
				"some":  pair.FromSorted(randomList(r, 4_000, 1<<18)).View(),
				"runs":  longRuns(1 << 18).View(),
			} {
				for op, f := range map[string]func(a, b view.View) *mutable.Bitmap{"And": pair.And, "Or": pair.Or,
					"AndNot": pair.AndNot,
					"Xor":    pair.Xor} {
					for i, got := range []*mutable.Bitmap{f(v, o), f(o, v)} {
						want := f(packed.View(), o)
						if i == 1 {
							want = f(o, packed.View())
						}
						if err := got.View().Validate(); err != nil ||
							!slices.Equal(got.View().AppendTo(nil), want.View().AppendTo(nil)) {
							t.Fatalf("%s with %s: got %d values, %v, want %d", op, name, got.Len(), err, want.Len())
						}
					}
				}
				if got, want := pair.AndLen(v, o), pair.AndLen(packed.View(), o); got != want {
					t.Fatalf("AndLen with %s: got %d, want %d", name, got, want)
				}
				if got, want := pair.Intersects(v, o), pair.Intersects(packed.View(), o); got != want {
					t.Fatalf("Intersects with %s: got %v, want %v", name, got, want)
				}
			}
			m := mutable.Clone(v)
			if !m.Add(s.Values[5]+1) == !slices.Contains(s.Values, s.Values[5]+1) || !m.Remove(s.Values[8000]) {
				t.Fatal("a copy that is changed: want an add and a removal")
			}
			if err := m.View().Validate(); err != nil || m.Contains(s.Values[8000]) || !m.Contains(s.Values[5]+1) {
				t.Fatalf("a copy that is changed: %v", err)
			}
			for i := 0; i < len(s.Body) && i < 40; i++ {
				if w, err := view.OpenBody(s.Body[:i]); i > 0 && err == nil && w.Validate() == nil {
					t.Fatalf("the first %d bytes are valid", i)
				}
			}
		})
	}
}

// TestLongAllocatesNothing reads long lists.
func TestLongAllocatesNothing(t *testing.T) {
	for _, s := range longSamples(rand.New(rand.NewPCG(119, 120))) {
		x, sink := s.Values[len(s.Values)*2/3], uint64(0)
		other := open(t, s.Body)
		if got := roaringtest.Allocations(10, func() {
			v, _ := view.OpenBody(s.Body)
			next, _ := v.Next(x + 1)
			previous, _ := v.Previous(x - 1)
			selected, _ := v.Select(9000)
			sink += next + previous + selected + v.Rank(x) + view.LenRange(v, x/2, x) + view.Hash(v) +
				pair.AndLen(v, other)
			if v.Contains(x) && v.Validate() == nil {
				sink++
			}
			for y := range v.From(x) {
				sink += y
			}
		}); got != 0 {
			t.Errorf("%s: got %v allocations, want 0", s.Name, got)
		}
	}
}

// TestHostileLong changes the bytes of long lists, most often those of the header.
func TestHostileLong(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 122))
	list := longSamples(r)
	h := newHostile(t)
	rounds := roaringtest.Paced(60, 12)
	for i := range rounds {
		b := slices.Clone(list[i%len(list)].Body)
		for range 1 + r.IntN(3) {
			at := r.IntN(4)
			if r.IntN(2) == 0 {
				at = r.IntN(len(b))
			}
			b[at] ^= 1 << r.IntN(8)
		}
		h.check(b[:len(b)-r.IntN(2)*r.IntN(2000)], list[(i+1)%len(list)].Body)
	}
	if h.opened < rounds/4 {
		t.Fatalf("only %d of %d sets opened", h.opened, rounds)
	}
}

// BenchmarkLongList reads a list of 20 000 values as the body of a page, which is one block. It
// reads the same values in containers, too.
func BenchmarkLongList(b *testing.B) {
	for _, bits := range []int{21, 23, 25} { // 25 nearly fills a page
		r := rand.New(rand.NewPCG(1, 2))
		values := randomList(r, 20_000, 1<<bits)
		builder := new(pack.Builder)
		builder.AppendSorted(values)
		probes := make([]uint64, 4096)
		for i := range probes {
			if probes[i] = r.Uint64N(1 << bits); i%2 == 0 {
				probes[i] = values[r.IntN(len(values))]
			}
		}
		for _, form := range []struct {
			name string
			v    view.View
		}{
			{"block", open(b, builder.Body(nil))},
			{"containers", mutable.NewBitmap(builder, pack.Smallest).View()},
		} {
			v := form.v
			if block := form.name == "block"; block != (v.Form() == view.FormList) {
				b.Fatalf("got form %d", v.Form())
			}
			for _, op := range []struct {
				name string
				f    func(x uint64) uint64
			}{
				{"contains", func(x uint64) uint64 { return roaringtest.One(v.Contains(x)) }},
				{"next", func(x uint64) uint64 { y, _ := v.Next(x); return y }},
				{"rank", func(x uint64) uint64 { return v.Rank(x) }},
				{"select", func(x uint64) uint64 { y, _ := v.Select(x % uint64(len(values))); return y }},
			} {
				b.Run(fmt.Sprintf("of=2^%d/%s/%s", bits, op.name, form.name), func(b *testing.B) {
					i, sum := 0, uint64(0)
					for b.Loop() {
						sum += op.f(probes[i&4095])
						i++
					}
				})
			}
		}
	}
}
