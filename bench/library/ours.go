// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"math"

	"github.com/uproar-db/uproar/bitmap"
)

// uproar returns this project's bitmaps, packed as Fastest or as Smallest.
func uproar(label string, layout bitmap.Layout) contestant {
	pairwise := func(do func(a, b bitmap.View) *bitmap.Bitmap) func(a, b *bitmap.View) *bitmap.Bitmap {
		return func(a, b *bitmap.View) *bitmap.Bitmap { return do(*a, *b) }
	}
	together := func(do func(views ...bitmap.View) *bitmap.Bitmap) func([]*bitmap.View) func() *bitmap.Bitmap {
		return func(sets []*bitmap.View) func() *bitmap.Bitmap {
			views := viewsOf(sets)
			return func() *bitmap.Bitmap { return do(views...) }
		}
	}
	parallel := func(do func(workers int, views ...bitmap.View) *bitmap.Bitmap) func(int,
		[]*bitmap.View) func() *bitmap.Bitmap {
		return func(workers int, sets []*bitmap.View) func() *bitmap.Bitmap {
			views := viewsOf(sets)
			return func() *bitmap.Bitmap { return do(workers, views...) }
		}
	}
	return &library[*bitmap.View, *bitmap.Bitmap]{
		label: label,
		own:   true,
		limit: math.MaxUint64,
		build: func(v values) *bitmap.View {
			if layout == bitmap.Fastest {
				return viewOf(bitmap.FromSorted(v.wide))
			}
			s, err := bitmap.OpenBody(bitmap.AppendBody(nil, v.wide))
			if err != nil {
				panic(err)
			}
			return &s
		},
		add: func(shuffled values) *bitmap.View {
			b := new(bitmap.Bitmap)
			for _, x := range shuffled.wide {
				b.Add(x)
			}
			return viewOf(b)
		},
		values: func(s *bitmap.View) []uint64 { return s.AppendTo(nil) },
		read:   viewOf,
		encode: func(s *bitmap.View) []byte { return s.Clone().Bytes() },
		decode: func(b []byte) (*bitmap.View, error) {
			v, err := bitmap.Open(b)
			return &v, err
		},

		and:         pairwise(bitmap.And),
		or:          pairwise(bitmap.Or),
		andNot:      pairwise(bitmap.AndNot),
		xor:         pairwise(bitmap.Xor),
		andLen:      ourAndLen,
		orAll:       together(bitmap.OrAll),
		andAll:      together(bitmap.AndAll),
		parallelOr:  parallel(bitmap.ParallelOrAll),
		parallelAnd: parallel(bitmap.ParallelAndAll),

		contains:     ourContains,
		rank:         ourRank,
		selects:      ourSelect,
		iterate:      ourIterate,
		batches:      ourBatches,
		open:         ourOpen,
		openContains: ourOpenContains,
		openAndLen:   ourOpenAndLen,
	}
}

func viewOf(b *bitmap.Bitmap) *bitmap.View {
	v := b.View()
	return &v
}

func viewsOf(sets []*bitmap.View) []bitmap.View {
	views := make([]bitmap.View, len(sets))
	for i, s := range sets {
		views[i] = *s
	}
	return views
}

func ourAndLen(sets []*bitmap.View) (sum uint64) {
	for i := range len(sets) - 1 {
		sum += bitmap.AndLen(*sets[i], *sets[i+1])
	}
	return sum
}

func ourContains(s *bitmap.View, queries []uint64) (n uint64) {
	for _, x := range queries {
		if s.Contains(x) {
			n++
		}
	}
	return n
}

func ourRank(s *bitmap.View, queries []uint64) (sum uint64) {
	for _, x := range queries {
		sum += s.Rank(x)
	}
	return sum
}

func ourSelect(s *bitmap.View, queries []uint64) (sum uint64) {
	for _, i := range queries {
		x, _ := s.Select(i)
		sum += x
	}
	return sum
}

func ourIterate(s *bitmap.View) (sum uint64) {
	for x := range s.All() {
		sum += x
	}
	return sum
}

func ourBatches(s *bitmap.View, size int) (n, sum uint64) {
	buf := wideBatch[:]
	it := s.Iterator(0)
	for k := it.Read(buf[:size]); k > 0; k = it.Read(buf[:size]) {
		n += uint64(k)
		sum += buf[k-1]
	}
	return n, sum
}

func ourOpen(encoded [][]byte) (n uint64) {
	for _, b := range encoded {
		if v, err := bitmap.Open(b); err == nil && len(v.Body()) > 0 {
			n++
		}
	}
	return n
}

func ourOpenContains(encoded [][]byte, queries []uint64) (n uint64) {
	for i, b := range encoded {
		if v, err := bitmap.Open(b); err == nil && v.Contains(queries[i]) {
			n++
		}
	}
	return n
}

func ourOpenAndLen(encoded [][]byte) (sum uint64) {
	for i := range len(encoded) - 1 {
		a, err := bitmap.Open(encoded[i])
		b, err2 := bitmap.Open(encoded[i+1])
		if err == nil && err2 == nil {
			sum += bitmap.AndLen(a, b)
		}
	}
	return sum
}
