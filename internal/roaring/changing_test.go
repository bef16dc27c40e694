// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestRemoveWhileIterating: a loop that removes what it is at ends with the rest, whatever the kind
// of the containers.
func TestRemoveWhileIterating(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 1))
	for i, s := range roaringtest.Samples(r, 6) {
		if len(s.Values) > 20_000 {
			s.Values = s.Values[:20_000]
		}
		for name, loop := range map[string]func(b *mutable.Bitmap, f func(x uint64)){
			"All": func(b *mutable.Bitmap, f func(x uint64)) {
				b.All()(func(x uint64) bool { f(x); return true })
			},
			"Backward": func(b *mutable.Bitmap, f func(x uint64)) {
				b.Backward()(func(x uint64) bool { f(x); return true })
			},
			"RemoveFunc": func(b *mutable.Bitmap, f func(x uint64)) {
				RemoveFunc(b, func(x uint64) bool { return x%2 == 0 })
			},
		} {
			b := pair.FromSorted(s.Values)
			loop(b, func(x uint64) {
				if x%2 == 0 {
					b.Remove(x)
				}
			})
			want := slices.DeleteFunc(slices.Clone(s.Values), func(x uint64) bool { return x%2 == 0 })
			if got := b.AppendTo(nil); !slices.Equal(got, want) || b.View().Validate() != nil {
				t.Fatalf("%s of sample %d (%s): got %d values, want %d", name, i, s.Name, len(got), len(want))
			}
		}
	}
	b := new(mutable.Bitmap) // the case of the report
	b.AddRange(0, 99_999)
	for x := range b.All() {
		if x%2 == 0 {
			b.Remove(x)
		}
	}
	if got := b.Len(); got != 50_000 {
		t.Errorf("got %d values, want 50000", got)
	}
}

// tracked is a set, what it must be, and the values that changes have touched.
type tracked struct {
	r       *rand.Rand
	b       *mutable.Bitmap
	model   map[uint64]bool
	touched map[uint64]bool
}

func newTracked(r *rand.Rand, values []uint64) *tracked {
	c := &tracked{r, pair.FromSorted(values), map[uint64]bool{}, map[uint64]bool{}}
	for _, x := range values {
		c.model[x] = true
	}
	return c
}

func (c *tracked) set(on bool, values ...uint64) {
	for _, y := range values {
		c.touched[y] = true
		if delete(c.model, y); on {
			c.model[y] = true
		}
	}
}

// values returns what the set must have.
func (c *tracked) values() []uint64 { return slices.Sorted(maps.Keys(c.model)) }

// change makes a random change around x.
func (c *tracked) change(x uint64) {
	near := x + c.r.Uint64N(1<<c.r.IntN(18)) - c.r.Uint64N(1<<c.r.IntN(18))
	few := []uint64{near, near + 1, near + 70_000, x, near - 1, near + 2, near + 3, near + 9, near + 10}
	last := near + min(c.r.Uint64N(300), math.MaxUint64-near)
	around := make([]uint64, last-near+1)
	for i := range around {
		around[i] = near + uint64(i)
	}
	switch c.r.IntN(14) {
	case 0, 1:
		c.b.Remove(x)
		c.set(false, x)
	case 2:
		c.b.Add(near)
		c.set(true, near)
	case 3:
		c.b.Remove(near)
		c.set(false, near)
	case 4:
		c.b.AddMany(few...)
		c.set(true, few...)
	case 5:
		c.b.RemoveMany(few...)
		c.set(false, few...)
	case 6:
		c.b.AddRange(near, last)
		c.set(true, around...)
	case 7:
		c.b.RemoveRange(near, last)
		c.set(false, around...)
	case 8:
		OrWith(c.b, pair.Of(few...).View())
		c.set(true, few...)
	case 9:
		AndNotWith(c.b, pair.Of(few...).View())
		c.set(false, few...)
	case 10:
		c.b.Flip(near, last)
		for _, y := range around {
			c.set(!c.model[y], y)
		}
	case 11:
		c.b.Pack(pack.Layout(c.r.IntN(3)))
	case 12:
		c.b.CopyFrom(c.b.Clone().View())
	case 13:
		if c.r.IntN(30) == 0 {
			c.b.Reset()
			c.set(false, c.values()...)
		}
	}
}

// TestLoopsOverChangingSets: whatever a loop's body does to the set, each value is in the set when
// it is yielded, order is kept, and none that stays is left out.
func TestLoopsOverChangingSets(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	for round := range 60 {
		list := roaringtest.Samples(r, 1)
		s := list[r.IntN(len(list))]
		values := s.Values[:min(len(s.Values), 3000)]
		for _, backward := range []bool{false, true} {
			c := newTracked(r, values)
			all := c.b.All()
			if backward {
				all = c.b.Backward()
			}
			var seen []uint64
			for x := range all {
				if !c.model[x] {
					t.Fatalf("round %d, backward %v: %d is not in the set", round, backward, x)
				}
				if n := len(seen); n > 0 && (x == seen[n-1] || x < seen[n-1] != backward) {
					t.Fatalf("round %d, backward %v: got %d after %d", round, backward, x, seen[n-1])
				}
				seen = append(seen, x)
				if r.IntN(8) == 0 {
					c.change(x)
				}
			}
			if backward {
				slices.Reverse(seen)
			}
			for _, x := range values {
				if _, ok := slices.BinarySearch(seen, x); !ok && !c.touched[x] {
					t.Fatalf("round %d, backward %v: %d is left out", round, backward, x)
				}
			}
			checkView(t, r, c.b.View(), c.values())
		}
	}
}

// TestRunsOverChangingSets does the same for loops over runs.
func TestRunsOverChangingSets(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 4))
	for round := range 60 {
		values := roaringtest.RandomValues(r, 1+r.IntN(2000), 1<<(11+r.IntN(20)))
		c := newTracked(r, values)
		var before uint64
		some := false
		for first, last := range c.b.Ranges() {
			if last < first || some && first <= before {
				t.Fatalf("round %d: got the run %d to %d after %d", round, first, last, before)
			}
			if n := view.LenRange(c.b.View(), first, last); !c.model[first] || !c.model[last] || n != last-first+1 {
				t.Fatalf("round %d: the run %d to %d has %d values", round, first, last, n)
			}
			before, some = last, true
			if r.IntN(6) == 0 {
				c.change(first)
			}
		}
	}
}

// TestStaleViews: a View, and what was taken from it, answers nonsense once its Bitmap has changed,
// but does not panic, end the process or go on for ever.
func TestStaleViews(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 3))
	for round := range 60 {
		list := roaringtest.Samples(r, 1)
		s := list[r.IntN(len(list))]
		b := newTracked(r, s.Values[:min(len(s.Values), 3000)])
		if r.IntN(2) == 0 {
			b.b.Add(r.Uint64()) // from here on the set is changed where it lies
		}
		v := b.b.View()
		it, back, c := v.Iterator(0), v.ReverseIterator(math.MaxUint64), v.Cursor(new(container.Scratch))
		dst := make([]uint64, 1+r.IntN(50))
		it.Read(dst)
		back.Read(dst)
		more := c.Next()
		for range 1 + r.IntN(30) {
			b.change(dst[r.IntN(len(dst))])
		}
		for range 5000 {
			it.Read(dst)
			back.Read(dst)
			if more {
				c.Block().AppendLow(nil)
				c.Undecoded()
				more = c.Next() && (r.IntN(2) == 0 || c.Seek(c.Key()+r.Uint64N(9)))
			}
		}
		other := pair.FromSorted(list[r.IntN(len(list))].Values).View()
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			o := &operands{a: v, b: other, t: t, points: []uint64{0, 1, dst[0], 1 << 40, ^uint64(0)}}
			roaringtest.Run(t, staleCalls(), o, roaringtest.BudgetFor(v.Count()+other.Count(),
				len(v.Raw())+len(other.Raw())))
			o.a, o.b = other, v
			roaringtest.Run(t, staleCalls(), o, roaringtest.BudgetFor(v.Count()+other.Count(),
				len(v.Raw())+len(other.Raw())))
		})
		n := 0
		for x := range v.All() { // changed while a loop over the View is under way
			b.change(x)
			if n++; n > 300 {
				break
			}
		}
		for range v.Ranges() {
			b.change(dst[0])
			if n++; n > 600 {
				break
			}
		}
		for range view.RangesBackward(v) {
			b.change(dst[0])
			if n++; n > 900 {
				break
			}
		}
		for range v.Backward() {
			b.change(dst[0])
			if n++; n > 1200 {
				break
			}
		}
	}
}

// staleCalls are the calls on sets that promise nothing of their results.
func staleCalls() []roaringtest.Call[*operands] {
	calls := slices.Concat(viewCalls, rangeCalls, pairCalls, blockCalls)
	return slices.DeleteFunc(calls, func(c roaringtest.Call[*operands]) bool {
		return c.Name == "View.AppendChecked" // whose result cannot always be opened
	})
}
