// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// model is the reference: a plain set.
type model map[uint64]struct{}

func (m model) sorted() []uint64 {
	values := make([]uint64, 0, len(m))
	for x := range m {
		values = append(values, x)
	}
	slices.Sort(values)
	return values
}

// history applies changes to a Bitmap and to its model.
type history struct {
	t     *testing.T
	b     *mutable.Bitmap
	m     model
	steps int
}

func newHistory(t *testing.T) *history { return &history{t: t, b: new(mutable.Bitmap), m: model{}} }

func (h *history) add(x uint64) {
	h.t.Helper()
	_, had := h.m[x]
	if got := h.b.Add(x); got == had {
		h.t.Fatalf("step %d: Add(%d): got %v, want %v", h.steps, x, got, !had)
	}
	h.m[x] = struct{}{}
	h.steps++
}

func (h *history) remove(x uint64) {
	h.t.Helper()
	_, had := h.m[x]
	if got := h.b.Remove(x); got != had {
		h.t.Fatalf("step %d: Remove(%d): got %v, want %v", h.steps, x, got, had)
	}
	delete(h.m, x)
	h.steps++
}

// check opens and validates the bytes and compares them with the model.
func (h *history) check() {
	h.t.Helper()
	v, err := view.Open(h.b.Bytes())
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		h.t.Fatalf("step %d: %v", h.steps, err)
	}
	values := v.AppendTo(nil)
	if len(values) != len(h.m) || h.b.Len() != uint64(len(h.m)) || !slices.IsSorted(values) {
		h.t.Fatalf("step %d: got %d values, Len %d, want %d", h.steps, len(values), h.b.Len(), len(h.m))
	}
	for _, x := range values {
		if _, ok := h.m[x]; !ok {
			h.t.Fatalf("step %d: %d is there, and should not be", h.steps, x)
		}
	}
	if !slices.Equal(h.b.View().AppendTo(nil), values) {
		h.t.Fatalf("step %d: the View has other values than the bytes", h.steps)
	}
}

// sources are distributions of values.
var sources = []struct {
	name string
	next func(r *rand.Rand, step int) uint64
}{
	{"dense", func(r *rand.Rand, _ int) uint64 { return r.Uint64N(20_000) }},
	{"one chunk", func(r *rand.Rand, _ int) uint64 { return 7<<16 | r.Uint64N(1<<16) }},
	{"few chunks", func(r *rand.Rand, _ int) uint64 { return r.Uint64N(1 << 19) }},
	{"many chunks", func(r *rand.Rand, _ int) uint64 { return r.Uint64N(1 << 24) }},
	{"2^40", func(r *rand.Rand, _ int) uint64 { return r.Uint64N(1 << 40) }},
	{"2^64", func(r *rand.Rand, _ int) uint64 { return r.Uint64() }},
	{"ascending", func(_ *rand.Rand, step int) uint64 { return uint64(step) * 3000 }},
	{"descending", func(_ *rand.Rand, step int) uint64 { return 1<<40 - uint64(step)*3000 }},
	{"runs", func(r *rand.Rand, step int) uint64 { return uint64(step/50)<<13 + uint64(step%50) }},
	{"clusters", func(r *rand.Rand, _ int) uint64 { return r.Uint64N(5)<<33 + uint64(r.ExpFloat64()*5000) }},
	{"boundaries", func(r *rand.Rand, _ int) uint64 {
		edges := []uint64{0, 65535, 65536, 131071, 1<<48 - 1, 1 << 48, 1<<64 - 1, 1<<64 - 65536, 1 << 32}
		return edges[r.IntN(len(edges))] + uint64(r.IntN(5)-2)
	}},
	{"cluster in space", func(r *rand.Rand, _ int) uint64 {
		if r.IntN(4) == 0 {
			return r.Uint64N(1 << 44)
		}
		return 1<<43 + r.Uint64N(1<<r.IntN(18))
	}},
}

// TestHistories runs histories that first add, then add and remove, then remove. It validates short
// ones after every step, long ones now and then.
func TestHistories(t *testing.T) {
	for _, src := range sources {
		for _, n := range []int{roaringtest.Paced(300, 120), 12_000} {
			if n > 1000 && testing.Short() {
				continue
			}
			t.Run(fmt.Sprintf("%s %d", src.name, n), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(31, uint64(n)))
				h := newHistory(t)
				every := 1 + n/300*n/300/8
				if !roaringtest.Long() {
					every *= 3 // of the step's answers each is compared
				}
				var live []uint64
				for step := range 5 * n {
					grow := step < 2*n || step < 3*n && r.IntN(2) == 0
					if grow || len(live) == 0 {
						x := src.next(r, step)
						h.add(x)
						live = append(live, x)
					} else {
						i := r.IntN(len(live))
						h.remove(live[i])
						live[i] = live[len(live)-1]
						live = live[:len(live)-1]
						if r.IntN(5) == 0 {
							h.remove(src.next(r, step))
						}
					}
					if step%every == 0 {
						h.check()
					}
					switch r.IntN(n / 2) {
					case 8:
						h.recode(r)
					case 3:
						h.many(live[:min(len(live), r.IntN(300))], false)
						live = h.m.sorted()
					case 4:
						values := make([]uint64, r.IntN(1<<r.IntN(12)))
						for i := range values {
							values[i] = src.next(r, step+i)
						}
						h.many(values, true)
						live = h.m.sorted()
					case 5, 6, 7:
						first := src.next(r, step)
						last := first + r.Uint64N(1<<r.IntN(13))
						h.rangeOp(r.IntN(3), first, max(first, last))
						live = h.m.sorted()
					case 0:
						h.b.Pack(pack.Smallest)
					case 1:
						h.b.Pack(pack.Fastest)
					case 2:
						h.b = h.b.Clone()
					}
				}
				h.check()
				for _, x := range h.m.sorted() {
					h.remove(x)
				}
				h.check()
				if !h.b.IsEmpty() || len(h.b.Bytes()) > 2000 {
					t.Errorf("all values removed: %d bytes are left", len(h.b.Bytes()))
				}
			})
		}
	}
}

// TestWritePacked writes to sets that have been packed in either layout.
func TestWritePacked(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		for _, layout := range []pack.Layout{pack.Smallest, pack.Fastest} {
			if len(values) > 20_000 && (testing.Short() || roaringtest.RaceEnabled) {
				continue
			}
			t.Run(fmt.Sprintf("%s layout=%d", name, layout), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(33, uint64(len(values))))
				h := newHistory(t)
				h.b = pair.FromSorted(values)
				h.b.Pack(layout)
				for _, x := range values {
					h.m[x] = struct{}{}
				}
				rounds := roaringtest.Paced(40, 40)
				for round := range rounds {
					for range 1 + round*round/4 {
						x := r.Uint64() >> r.IntN(64)
						if len(values) > 0 && r.IntN(4) > 0 {
							x = values[r.IntN(len(values))] + uint64(r.IntN(3)-1)*r.Uint64N(1<<r.IntN(20))
						}
						if r.IntN(2) == 0 {
							h.add(x)
						} else {
							h.remove(x)
						}
					}
					if round < 5 || len(values) < 5000 || round == rounds-1 {
						h.check()
					}
				}
			})
		}
	}
}

// TestInPlaceAlgebra compares the operations in place with the model.
func TestInPlaceAlgebra(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for round := range 300 {
		h := newHistory(t)
		fill := func(b *mutable.Bitmap, m model) {
			src := sources[r.IntN(len(sources))]
			for step := range r.IntN(1 << r.IntN(12)) {
				x := src.next(r, step)
				b.Add(x)
				m[x] = struct{}{}
			}
			switch r.IntN(4) {
			case 0:
				b.Pack(pack.Smallest)
			case 1:
				b.Pack(pack.Fastest)
			case 2:
				*b = *recoded(t, r, m.sorted())
			}
		}
		fill(h.b, h.m)
		for range 3 {
			other, m := new(mutable.Bitmap), model{}
			fill(other, m)
			if r.IntN(10) == 0 {
				other, m = h.b, h.m
			}
			h.apply(r.IntN(4), other.View(), m)
			h.check()
			h.add(r.Uint64())
			h.check()
		}
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
}

// apply runs operation number op.
func (h *history) apply(op int, v view.View, other model) {
	next := model{}
	keep := func(from model, in model, want bool) {
		for x := range from {
			if _, ok := in[x]; ok == want {
				next[x] = struct{}{}
			}
		}
	}
	switch op {
	case 0:
		AndWith(h.b, v)
		keep(h.m, other, true)
	case 1:
		OrWith(h.b, v)
		keep(h.m, model{}, false)
		keep(other, model{}, false)
	case 2:
		AndNotWith(h.b, v)
		keep(h.m, other, false)
	default:
		XorWith(h.b, v)
		keep(h.m, other, false)
		keep(other, h.m, false)
	}
	h.m = next
	h.steps++
}

// TestBytesStayNearPacked checks the size of a changing set against the same set packed.
func TestBytesStayNearPacked(t *testing.T) {
	n := roaringtest.Paced(200_000, 30_000)
	r := rand.New(rand.NewPCG(37, 38))
	against := func(name string, b *mutable.Bitmap, layout pack.Layout, times float64) {
		t.Helper()
		packed := b.Clone()
		packed.Pack(layout)
		got := float64(len(b.Bytes())) / float64(len(packed.Bytes()))
		t.Logf("%s: %d values, %d bytes, %.2f times the packed size; moved %d bytes a value", name, b.Len(),
			len(b.Bytes()), got, b.Moved()/max(b.Len(), 1))
		if got > times {
			t.Errorf("%s: got %.2f times the packed size, want at most %.1f", name, got, times)
		}
	}
	b := new(mutable.Bitmap)
	for range n {
		b.Add(r.Uint64N(1 << 40))
	}
	against("random over 2^40", b, pack.Smallest, 2)
	for _, x := range b.View().AppendTo(nil) {
		if r.IntN(100) > 0 {
			b.Remove(x)
		}
	}
	against("one in a hundred left", b, pack.Smallest, 2)

	b = new(mutable.Bitmap)
	for x := range uint64(n) {
		b.Add(x * 3_000_001)
	}
	against("ascending over many chunks", b, pack.Smallest, 2)

	b = pair.FromSorted(roaringtest.Span(0, 4096*16, 16))
	largest := 0
	for range 20_000 {
		b.Add(5)
		largest = max(largest, len(b.Bytes()))
		b.Remove(5)
		largest = max(largest, len(b.Bytes()))
	}
	if packed := pair.FromSorted(roaringtest.Span(0, 4096*16, 16)); largest > 2*len(packed.Bytes()) {
		t.Errorf("to and fro at 4 096 values: up to %d bytes, want at most twice %d", largest, len(packed.Bytes()))
	}
	against("to and fro at 4 096 values", b, pack.Fastest, 2)

	b = pair.FromSorted(roaringtest.Span(0, 64*16*100, 16))
	for step := range uint64(40_000) {
		x := step%25<<16 + 5 // arrays at the boundary of a room
		b.Add(x)
		b.Remove(x)
	}
	against("to and fro at the boundaries of rooms", b, pack.Fastest, 2)
}

// TestSmallChangesMoveLittle checks that the amount of work for a change does not depend on the
// size of the set.
func TestSmallChangesMoveLittle(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	for _, n := range []int{10_000, 100_000} {
		b := new(mutable.Bitmap)
		for range n {
			b.Add(r.Uint64N(uint64(n) << 20))
		}
		if got := b.Moved() / uint64(n); got > 5000 {
			t.Errorf("%d values: %d bytes moved for each, want at most 5000", n, got)
		}
	}
}

// TestNeighboursBecomeRuns adds values that follow each other, in one run a chunk and in several,
// one by one: they become runs before they are many.
func TestNeighboursBecomeRuns(t *testing.T) {
	const chunks = 500
	for _, values := range []uint64{21, 40, 63, 64, 300} {
		for _, parts := range []uint64{1, 3} {
			if values/parts < 2*32/5 {
				continue // as an array, it is not far larger
			}
			for _, backward := range []bool{false, true} {
				var b mutable.Bitmap
				for k := range uint64(chunks) {
					for j := range values {
						if backward {
							j = values - 1 - j
						}
						b.Add(k<<16 | j + j*parts/values*1000)
					}
				}
				if err := b.View().Validate(); err != nil || b.Len() != chunks*values {
					t.Fatalf("%d values, %v", b.Len(), err)
				}
				got := len(b.Bytes())
				// An entry takes 16 bytes, with up to a quarter of them to spare, and runs have the
				// room of twice as many.
				if most := int(chunks * (24 + 8*parts + 8)); got > most {
					t.Errorf("%d values a chunk in %d runs, backward %v: got %d bytes, want at most %d", values, parts,
						backward, got, most)
				}
			}
		}
	}
}

func ExampleBitmap() {
	var b mutable.Bitmap
	b.Add(7)
	b.Add(1 << 40)
	OrWith(&b, pair.Of(8, 9).View())
	b.Remove(9)
	v, _ := view.Open(b.Bytes())
	for x := range v.All() {
		fmt.Println(x)
	}
	// Output:
	// 7
	// 8
	// 1099511627776
}

func ExampleBitmap_Pack() {
	var b mutable.Bitmap
	for x := uint64(0); x < 1_000_000; x += 1000 {
		b.Add(x)
	}
	b.Pack(pack.Smallest)
	fmt.Println(b.Len(), "values in", len(b.Bytes()), "bytes")
	// Output: 1000 values in 1500 bytes
}
