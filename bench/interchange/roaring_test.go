// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interchange

import (
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/interop"
)

// peer is a set of a library.
type peer interface {
	RunOptimize()
	ToBytes() ([]byte, error)
	UnmarshalBinary([]byte) error
	Validate() error
}

// bits32 and wide give the sets of roaring and roaring64 one face.
type (
	bits32 struct{ *roaring.Bitmap }
	wide   struct{ *roaring64.Bitmap }
)

func (w wide) Validate() error { return nil } // roaring64 does not offer it

// TestRoaring exchanges sets with RoaringBitmap/roaring and roaring64: made value by value or by
// ranges, with and without RunOptimize.
func TestRoaring(t *testing.T) {
	for _, f := range formats {
		make, values := newBits32, bits32Values
		if f.bits == 64 {
			make, values = newWide, wideValues
		}
		runs, files, kept := 0, 0, 0
		for _, s := range shapes(1, f.last) {
			written := map[interop.Runs][]byte{}
			for _, way := range []struct {
				name               string
				byRanges, optimize bool
			}{{"values", false, false}, {"values, optimized", false, true}, {"ranges", true, false},
				{"ranges, optimized", true, true}} {
				p := make(s, way.byRanges)
				if way.optimize {
					p.RunOptimize()
				}
				file, err := p.ToBytes()
				if err != nil {
					t.Fatal(err)
				}
				what := s.name + ", made by " + way.name
				if f.checkStored(t, what, file, s.values) {
					kept++
				}
				files++
				full, manyRuns := s.quirks()
				switch {
				case !way.byRanges && way.optimize && !manyRuns:
					written[interop.RunsIfSmaller] = file
				case !way.byRanges && !way.optimize && !full:
					written[interop.NoRuns] = file
				}
			}
			for how, file := range written {
				for _, layout := range []bitmap.Layout{bitmap.Fastest, bitmap.Smallest} {
					got := f.write(s.ours(layout), how)
					checkBytes(t, s.name+", ours", got, file)
					p := make(shape{}, false)
					if err := p.UnmarshalBinary(got); err != nil {
						t.Fatalf("%s: the peer says: %v", s.name, err)
					}
					if err := p.Validate(); err != nil {
						t.Fatalf("%s: the peer says: %v", s.name, err)
					}
					if !slices.Equal(values(p), s.values) {
						t.Fatalf("%s: the peer reads other values", s.name)
					}
				}
			}
			if len(written) == 2 && len(written[interop.RunsIfSmaller]) < len(written[interop.NoRuns]) {
				runs++
			}
		}
		if kept < files*9/10 {
			t.Errorf("%d bits: only %d of %d files were written again byte for byte", f.bits, kept, files)
		}
		if runs < 10 {
			t.Errorf("%d bits: only %d sets have runs", f.bits, runs)
		}
	}
}

func newBits32(s shape, byRanges bool) peer {
	b := roaring.New()
	if byRanges {
		for _, i := range s.intervals {
			b.AddRange(i.first, i.last+1)
		}
		return bits32{b}
	}
	for _, x := range s.values {
		b.Add(uint32(x))
	}
	return bits32{b}
}

func bits32Values(p peer) (values []uint64) {
	for _, x := range p.(bits32).ToArray() {
		values = append(values, uint64(x))
	}
	return values
}

func newWide(s shape, byRanges bool) peer {
	b := roaring64.New()
	if byRanges {
		for _, i := range s.intervals {
			if i.last == 1<<64-1 {
				b.Add(i.last) // the end of a range is not in it
				if i.first == i.last {
					continue
				}
				i.last--
			}
			b.AddRange(i.first, i.last+1)
		}
		return wide{b}
	}
	b.AddMany(s.values)
	return wide{b}
}

func wideValues(p peer) []uint64 { return p.(wide).ToArray() }
