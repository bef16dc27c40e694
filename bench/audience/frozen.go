// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"bufio"
	"cmp"
	"os"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar/bench/population"
)

// frozen has a roaring bitmap for each value in one mapped file. It makes views of them for each
// question. A program that cannot hold all of them in its heap would do so.
type frozen struct {
	dir   string
	data  []byte
	unmap func() error
	lists [3 + len(population.Demographics)][]extent // of terms, postal codes, cities, and demographic fields
	sizes []uint32                                   // of the terms
	sets  []*roaring.Bitmap
}

// extent is where a bitmap begins and ends in the file.
type extent struct{ from, to int }

const (
	frozenTerms = iota
	frozenPostals
	frozenCities
	frozenDemographics
)

func (f *frozen) name() string   { return "roaring, FrozenView" }
func (f *frozen) threads() []int { return []int{1, 2} }

func (f *frozen) load(p *population.Population) (err error) {
	var maps [len(f.lists)][]*roaring.Bitmap
	counts := [len(f.lists)]int{population.Terms, population.Postals, population.Cities}
	for i, d := range population.Demographics {
		counts[frozenDemographics+i] = d.Values
	}
	for i, n := range counts {
		for range n {
			maps[i] = append(maps[i], roaring.New())
		}
	}
	for i, one := range p.All(0) {
		for _, t := range one.Terms {
			maps[frozenTerms][t].Add(uint32(i))
		}
		maps[frozenPostals][one.Postal].Add(uint32(i))
		maps[frozenCities][one.City].Add(uint32(i))
		for k, v := range one.Demographic {
			maps[frozenDemographics+k][v].Add(uint32(i))
		}
	}
	if f.dir, err = os.MkdirTemp("", "bench-audience-"); err != nil {
		return err
	}
	file, err := os.Create(f.dir + "/lists")
	if err != nil {
		return err
	}
	w, at := bufio.NewWriterSize(file, 1<<20), 0
	for i := range maps {
		for _, m := range maps[i] {
			m.RunOptimize()
			b, err := m.Freeze()
			if err != nil {
				return err
			}
			f.lists[i] = append(f.lists[i], extent{at, at + len(b)})
			padding := -len(b) & 31 // a view must begin at a multiple of 32
			if _, err := w.Write(append(b, make([]byte, padding)...)); err != nil {
				return err
			}
			at += len(b) + padding
			if i == frozenTerms {
				f.sizes = append(f.sizes, uint32(m.GetCardinality()))
			}
		}
	}
	if err := cmp.Or(w.Flush(), file.Close()); err != nil {
		return err
	}
	f.data, f.unmap, err = mapped(f.dir + "/lists")
	f.sets = make([]*roaring.Bitmap, len(population.Audiences()))
	return err
}

func (f *frozen) disk() (int64, error) { return int64(len(f.data)), nil }

// view returns the bitmap of a value.
func (f *frozen) view(field, value int) *roaring.Bitmap {
	b := new(roaring.Bitmap)
	f.open(b, field, value)
	return b
}

func (f *frozen) open(b *roaring.Bitmap, field, value int) {
	x := f.lists[field][value]
	if err := b.FrozenView(f.data[x.from:x.to:x.to]); err != nil {
		panic(err) // they are what Freeze has written
	}
}

// operands returns the parts of an audience. The second is intersected with the first, or taken
// away from it.
func (f *frozen) operands(audience int) (a, b *roaring.Bitmap, without bool) {
	term := func(n int) *roaring.Bitmap { return f.view(frozenTerms, n) }
	field := func(i, value int) *roaring.Bitmap { return f.view(frozenDemographics+i, value) }
	switch population.Audiences()[audience].Name {
	case "tiny":
		return roaring.And(term(50), term(80)), term(20), false
	case "narrow":
		return roaring.FastOr(term(200), term(300), term(400), term(500)), field(0, 0), false
	case "mid":
		return roaring.Or(term(20), term(30)), roaring.Or(field(4, 0), field(4, 1)), false
	case "broad":
		return roaring.Or(term(5), term(8)), field(1, 6), true
	default:
		return roaring.FastOr(term(2), field(1, 0), field(1, 1), field(4, 2)), nil, false
	}
}

func (f *frozen) audience(audience int) *roaring.Bitmap {
	switch a, b, without := f.operands(audience); {
	case b == nil:
		return a
	case without:
		return roaring.AndNot(a, b)
	default:
		return roaring.And(a, b)
	}
}

func (f *frozen) count(audience int) uint64 {
	switch a, b, without := f.operands(audience); {
	case b == nil:
		return a.GetCardinality()
	case without:
		return a.GetCardinality() - a.AndCardinality(b)
	default:
		return a.AndCardinality(b)
	}
}

func (f *frozen) keep(audience int) error {
	f.sets[audience] = f.audience(audience)
	return nil
}

// counts returns how many of a set have each value of a field.
func (f *frozen) counts(set *roaring.Bitmap, field, threads int) []uint32 {
	n := len(f.lists[field])
	counts := make([]uint32, n)
	if n < 1000 {
		threads = 1
	}
	part := func(t int) {
		var b roaring.Bitmap
		for value := t * n / threads; value < (t+1)*n/threads; value++ {
			f.open(&b, field, value)
			counts[value] = uint32(b.AndCardinality(set))
		}
	}
	var group sync.WaitGroup
	for t := range threads - 1 {
		group.Go(func() { part(t + 1) })
	}
	part(0)
	group.Wait()
	return counts
}

func (f *frozen) ask(now clock, audience int, q question, threads int, whole bool) (rows []row, took time.Duration,
	err error) {
	set := f.sets[audience]
	start := now()
	if q == size {
		n := f.count(audience)
		return []row{{count: n}}, now.since(start), nil
	}
	if whole {
		set = f.audience(audience)
	}
	byCount := func(_ int, n uint32) float64 { return float64(n) }
	switch q {
	case cloudByLift:
		rows = best(f.counts(set, frozenTerms, threads), func(value int, n uint32) float64 {
			return float64(n) / float64(f.sizes[value])
		})
	case cloudByCount:
		rows = best(f.counts(set, frozenTerms, threads), byCount)
	case postalCodes:
		rows = best(f.counts(set, frozenPostals, threads), byCount)
	case cities:
		rows = best(f.counts(set, frozenCities, threads), byCount)
	case demographics:
		rows = f.demographics(set)
	}
	return rows, now.since(start), nil
}

func (f *frozen) demographics(set *roaring.Bitmap) (rows []row) {
	add := func(value int, n uint64) {
		if n > 0 {
			rows = append(rows, row{value: uint32(value), count: n})
		}
	}
	for i := range population.Demographics {
		for value, n := range f.counts(set, frozenDemographics+i, 1) {
			add(100*i+value, uint64(n))
		}
	}
	for a := range population.Demographics[crossed0].Values {
		of := roaring.And(set, f.view(frozenDemographics+crossed0, a))
		for b, n := range f.counts(of, frozenDemographics+crossed1, 1) {
			add(1000+10*a+b, uint64(n))
		}
	}
	return rows
}

func (f *frozen) close() (err error) {
	if f.unmap != nil {
		err = f.unmap()
	}
	return cmp.Or(err, os.RemoveAll(f.dir))
}
