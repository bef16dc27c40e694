// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestListOverhead bounds the size of a list of random values by its entropy plus 4 bytes. Two of
// the 4 are the slot in a page. It tries all lengths and ranges, and above all ranges of a power of
// two per value, whose bound is exact.
func TestListOverhead(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(13, 14))
	var body []byte
	for i := range 3000 {
		n := 1 + r.IntN(1<<r.IntN(14))%view.MaxList
		if i%50 == 0 {
			n = view.MaxList - i/50
		}
		limit := r.Uint64() >> r.IntN(64)
		if i%3 == 0 {
			limit = uint64(n) << r.IntN(51)
		}
		limit = max(limit, uint64(n))
		values := make([]uint64, n)
		for i := range values {
			values[i] = r.Uint64N(limit)
		}
		values[0] = limit - 1
		slices.Sort(values)
		values = slices.Compact(values)
		n = len(values)
		bound := math.Ceil(float64(n) * (2 + math.Log2(float64(limit)/float64(n))) / 8)
		if body = pack.AppendBody(body[:0], values); float64(len(body)+2) > bound+4 {
			t.Fatalf("%d values below %d: got %d bytes with the slot, want at most %.0f + 4", n, limit, len(body)+2,
				bound)
		}
		checkBody(t, body, values)
	}
}

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

// open opens a body.
func open(t testing.TB, body []byte) view.View {
	t.Helper()
	v, err := view.OpenBody(body)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
