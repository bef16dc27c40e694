// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math"
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

// longest returns how many random values below limit take at most a number of bytes in their
// entropy bound.
func longest(limit uint64, bytes int) (n int) {
	for step := 1 << 17; step > 0; step /= 2 {
		if k := n + step; float64(k)*(2+math.Log2(float64(limit)/float64(k))) <= float64(8*bytes) {
			n = k
		}
	}
	return n
}

// TestLongListOverhead is TestListOverhead for lists of more than 10 000 values. They go up to what
// fills an ordinary page, with ranges of all sizes, and above all ranges whose bound is exact.
func TestLongListOverhead(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(113, 114))
	heads := map[int]int{}
	check := func(n int, limit uint64) {
		t.Helper()
		values := randomList(r, n, limit)
		if n = len(values); n <= view.MaxList {
			return
		}
		bound := math.Ceil(float64(n) * (2 + math.Log2(float64(limit)/float64(n))) / 8)
		b := new(pack.Builder)
		b.AppendSorted(values)
		for _, layout := range []pack.Layout{pack.Smallest, pack.Balanced} {
			body := b.BodyIn(nil, layout)
			if float64(len(body)+2) > bound+4 {
				if len(body) > view.MaxLongBody {
					return // has pages of its own
				}
				t.Fatalf("%d values below %d: got %d bytes with the slot, want at most %.0f + 4", n, limit, len(body)+2,
					bound)
			}
			v := open(t, body)
			heads[int(v.Ow())]++
			if err := v.Validate(); err != nil {
				t.Fatalf("%d values below %d: %v", n, limit, err)
			}
			if got := v.AppendTo(nil); !slices.Equal(got, values) {
				t.Fatalf("%d values below %d: got %d of them, or others", n, limit, len(got))
			}
			if got := roaringtest.LongListBody(values, view.List(&v).Low); !slices.Equal(got, body) {
				t.Fatalf("%d values below %d: got the header % x, want % x", n, limit, body[:4], got[:4])
			}
		}
	}
	for bits := 20; bits <= 40; bits++ {
		limit := uint64(1) << bits
		most := longest(limit, view.MaxLongBody-2)
		if most <= view.MaxList {
			continue // they have pages of their own
		}
		for range roaringtest.Paced(6, 3) {
			check(view.MaxList+1+r.IntN(most-view.MaxList), limit)
		}
		check(most-r.IntN(100), limit)
		check(view.MaxList+1+r.IntN(200), limit)
		for range roaringtest.Paced(20, 4) {
			// A power of two for each value, and what is near to it.
			n := view.MaxList + 100 + r.IntN(most-view.MaxList)
			for limit := uint64(n) << (bits - 14); limit>>bits == 0; limit <<= 1 {
				check(n, limit+uint64(r.IntN(300)))
			}
		}
	}
	if heads[view.HeaderNear] == 0 || heads[view.HeaderLong] == 0 {
		t.Errorf("got headers of %v bytes, want both of 2 and of 4", heads)
	}
}

// TestLongListHeaderSaysNumberOfValues checks that the header of a block says how many values it
// has. It tries every number of zeros that the upper part may have. A header of four bytes must
// only be written where the block is at least two bytes below its bound.
func TestLongListHeaderSaysNumberOfValues(t *testing.T) {
	r := rand.New(rand.NewPCG(115, 116))
	for low := range uint(24) { // wider ones do not fit in 32 KB
		for range roaringtest.Paced(6, 1) {
			n := view.MaxList + 1 + r.IntN(2*view.MaxList)
			n = min(n, 8*(view.MaxLongBody-view.HeaderLong)/int(low+3))
			for zeros := n; zeros < 2*n; zeros++ {
				if zeros-n > 700 && 2*n-zeros > 700 && zeros%97 != 0 && !roaringtest.Long() {
					continue
				}
				first, last := uint64(zeros)<<low, uint64(zeros+1)<<low-1
				s := pack.LongShape(n, first)
				if s.Low != low {
					t.Fatalf("low width of %d values up to %d: got %d, want %d", n, first, s.Low, low)
				}
				block := s.Size - int(s.Header)
				if block != eliasfano.Bytes(n, last, low) || int(pack.LongShape(n, last).Header) != int(s.Header) {
					t.Fatalf("%d values: other sizes up to %d and up to %d", n, first, last)
				}
				bound := math.Ceil(float64(n) * (2 + math.Log2(float64(first+1)/float64(n))) / 8)
				if float64(s.Size+2) > bound+4 {
					t.Fatalf("%d values up to %d: got %d bytes with the slot, want at most %.0f + 4", n, first,
						s.Size+2, bound)
				}
				body := make([]byte, s.Size)
				view.PutLongHeader(body[:s.Header], n, block, low)
				if v := open(t, body); v.Form() != view.FormList || v.Len() != uint64(n) || uint(v.Kw()) != low ||
					v.Ow() != s.Header {
					t.Fatalf("header of %d values in low width %d: got %d in %d", n, low, v.Len(), v.Kw())
				}
			}
		}
	}
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
