// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func TestIterator(t *testing.T) {
	r := rand.New(rand.NewPCG(111, 112))
	for _, s := range roaringtest.Samples(r, 12) {
		v := open(t, s.Body)
		points := append(roaringtest.Asked(r, s.Values)[:20], 0)
		for _, x := range points {
			at, _ := slices.BinarySearch(s.Values, x)
			want := s.Values[at:]
			it := v.Iterator(x)
			dst := make([]uint64, 1+r.IntN(1<<r.IntN(16)))
			if len(want) > 2000 && x != 0 {
				want = want[:2000]
			}
			for len(want) > 0 {
				size := r.IntN(len(dst) + 1)
				n := it.Read(dst[:size])
				if n != min(size, len(s.Values[at:])) {
					t.Fatalf("%s from %d: read %d of %d values into %d", s.Name, x, n, len(s.Values[at:]), size)
				}
				if !slices.Equal(dst[:n], s.Values[at:at+n]) {
					t.Fatalf("%s from %d: wrong values", s.Name, x)
				}
				at += n
				want = want[min(n, len(want)):]
			}
			if x == 0 && it.Read(dst) != 0 {
				t.Fatalf("%s: values after the end", s.Name)
			}
		}
	}
}

func TestReverseIterator(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(115, 116))
	for _, s := range roaringtest.Samples(r, 12) {
		v := open(t, s.Body)
		for _, x := range append(roaringtest.Asked(r, s.Values)[:20], 0, ^uint64(0)) {
			at, found := slices.BinarySearch(s.Values, x)
			if found {
				at++
			}
			want := slices.Clone(s.Values[:at])
			slices.Reverse(want)
			if x != ^uint64(0) {
				want = want[:min(len(want), 3000)]
			}
			i := 0
			for got := range v.BackwardFrom(x) {
				if i == len(want) {
					break
				}
				if got != want[i] {
					t.Fatalf("%s down from %d: value %d is %d, want %d", s.Name, x, i, got, want[i])
				}
				i++
			}
			if i < len(want) {
				t.Fatalf("%s down from %d: %d values, want %d", s.Name, x, i, len(want))
			}
			it := v.ReverseIterator(x)
			dst := make([]uint64, 1+r.IntN(1<<r.IntN(16)))
			for n := 0; len(want) > 0; want = want[min(n, len(want)):] {
				size := r.IntN(len(dst) + 1)
				n = it.Read(dst[:size])
				if n != min(size, at) {
					t.Fatalf("%s down from %d: read %d of %d values into %d", s.Name, x, n, at, size)
				}
				if k := min(n, len(want)); !slices.Equal(dst[:k], want[:k]) {
					t.Fatalf("%s down from %d: wrong values", s.Name, x)
				}
				at -= n
			}
			if x == ^uint64(0) && it.Read(dst) != 0 {
				t.Fatalf("%s: values after the end", s.Name)
			}
		}
	}
}

func TestRangesOfViews(t *testing.T) {
	r := rand.New(rand.NewPCG(113, 114))
	list := roaringtest.Samples(r, 20)
	for _, values := range [][]uint64{roaringtest.Span(65_000, 200_000, 1),
		roaringtest.Span(container.MaxKey<<16-5, container.MaxKey<<16+5, 1),
		append(roaringtest.Span(^uint64(0)-9, ^uint64(0), 1), ^uint64(0))} {
		for range 4 {
			list = append(list, encoded(r, values))
		}
	}
	for _, s := range list {
		var got []uint64
		for first, last := range open(t, s.Body).Ranges() {
			if last < first || len(got) > 0 && first-1 <= got[len(got)-1] {
				t.Fatalf("%s: run from %d to %d", s.Name, first, last)
			}
			for x := first; ; x++ {
				if got = append(got, x); x == last {
					break
				}
			}
		}
		if !slices.Equal(got, s.Values) {
			t.Fatalf("%s: runs of %d values, want %d", s.Name, len(got), len(s.Values))
		}
		n := 0
		for range open(t, s.Body).Ranges() {
			if n++; n == 2 {
				break
			}
		}
	}
}

// TestIteratorReadsArrays: arrays that follow each other are read as they are elsewhere, into room
// of any length, between other containers, and where the directory claims another cardinality than
// an array has.
func TestIteratorReadsArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	left := 0
	for round := range 300 {
		var b pack.Builder
		for key := range uint64(2 + r.IntN(30)) {
			n, step := 1+r.IntN(40), uint64(1+r.IntN(900))
			switch r.IntN(12) {
			case 0:
				step = 1 // a run
			case 1:
				n, step = 20_000, 3 // a bitset
			}
			for i := range uint64(n) {
				b.Append(key<<16 + i*step%(1<<16))
				if (i+1)*step >= 1<<16 {
					break
				}
			}
		}
		v := mutable.NewBitmap(&b, pack.Fastest).View()
		if v.Form() != view.FormCompact {
			continue
		}
		if round%2 == 1 { // the cardinality of some container
			v.Raw()[2+int(v.Kw())*(v.Count()+1)+2*r.IntN(v.Count())] ^= byte(1 + r.IntN(255))
		}
		want := v.AppendTo(nil)
		for _, size := range []int{1, 7, 64, 1000, 1 << 20} {
			dst, got := make([]uint64, size), []uint64(nil)
			it := v.Iterator(0)
			for n := it.Read(dst); n > 0; n = it.Read(dst) {
				got = append(got, dst[:n]...)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("round %d, %d at a time: got %d values, want %d", round, size, len(got), len(want))
			}
		}
		left++
	}
	if left < 200 {
		t.Fatalf("got %d sets of containers, want more", left)
	}
}

// TestIteratorPassesLongArrays: an array of more values than one may have is none, whatever room
// there is for it, and wherever the directory says that it ends.
func TestIteratorPassesLongArrays(t *testing.T) {
	var arrays []roaringtest.Container
	for key := range uint64(3) {
		arrays = append(arrays, roaringtest.Container{Key: key, Kind: container.Array,
			Values: roaringtest.Span(key<<16, key<<16+4096*15, 15)})
	}
	body := roaringtest.CompactBody(arrays, 0)
	v := open(t, body)
	cards, ow := 2+int(v.Kw())*(v.Count()+1), int(v.Ow())
	// the first array ends in its middle, where the second one begins
	binary.LittleEndian.PutUint32(body[cards:], 2048-1|(4096+2048-1)<<16)
	copy(body[cards+2*v.Count():], binary.LittleEndian.AppendUint32(nil, 2*2048<<2)[:ow])
	v = open(t, body)
	want := slices.Concat(arrays[0].Values[:2048], arrays[2].Values)
	if got := v.AppendTo(nil); !slices.Equal(got, want) {
		t.Fatalf("got %d values, want %d: this tests nothing", len(got), len(want))
	}
	for _, size := range []int{1, 5000, 1 << 20} {
		dst, got := make([]uint64, size), []uint64(nil)
		it := v.Iterator(0)
		for n := it.Read(dst); n > 0; n = it.Read(dst) {
			got = append(got, dst[:n]...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d at a time: got %d values, want %d", size, len(got), len(want))
		}
	}
}
