// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2"
)

// roaring32 returns RoaringBitmap/roaring, for values of 32 bits.
func roaring32(label string, runs bool) contestant {
	type set = *roaring.Bitmap
	return &library[set, set]{
		label: label,
		limit: math.MaxUint32,
		build: func(v values) set {
			b := roaring.New()
			b.AddMany(v.of32)
			if runs {
				b.RunOptimize()
			}
			return b
		},
		add: func(shuffled values) set {
			b := roaring.New()
			for _, x := range shuffled.of32 {
				b.Add(x)
			}
			return b
		},
		values: func(s set) []uint64 {
			list := make([]uint64, 0, s.GetCardinality())
			for _, x := range s.ToArray() {
				list = append(list, uint64(x))
			}
			return list
		},
		read: func(r set) set { return r },
		encode: func(s set) []byte {
			b, err := s.ToBytes()
			if err != nil {
				panic(err)
			}
			return b
		},
		decode: func(b []byte) (set, error) {
			s := roaring.New()
			_, err := s.FromBuffer(b)
			return s, err
		},

		and:    roaring.And,
		or:     roaring.Or,
		andNot: roaring.AndNot,
		xor:    roaring.Xor,
		andLen: func(sets []set) (sum uint64) {
			for i := range len(sets) - 1 {
				sum += sets[i].AndCardinality(sets[i+1])
			}
			return sum
		},
		orAll:  func(sets []set) func() set { return func() set { return roaring.FastOr(sets...) } },
		andAll: func(sets []set) func() set { return func() set { return roaring.FastAnd(sets...) } },
		parallelOr: func(workers int, sets []set) func() set {
			return func() set { return roaring.ParOr(workers, sets...) }
		},
		parallelAnd: func(workers int, sets []set) func() set {
			return func() set { return roaring.ParAnd(workers, sets...) }
		},

		contains: func(s set, queries []uint64) (n uint64) {
			for _, x := range queries {
				if s.Contains(uint32(x)) {
					n++
				}
			}
			return n
		},
		rank: func(s set, queries []uint64) (sum uint64) {
			for _, x := range queries {
				sum += s.Rank(uint32(x))
			}
			return sum
		},
		selects: func(s set, queries []uint64) (sum uint64) {
			for _, i := range queries {
				x, _ := s.Select(uint32(i))
				sum += uint64(x)
			}
			return sum
		},
		iterate: func(s set) (sum uint64) {
			for it := s.Iterator(); it.HasNext(); {
				sum += uint64(it.Next())
			}
			return sum
		},
		batches: func(s set, size int) (n, sum uint64) {
			buf := batch32[:]
			it := s.ManyIterator()
			for k := it.NextMany(buf[:size]); k > 0; k = it.NextMany(buf[:size]) {
				n += uint64(k)
				sum += uint64(buf[k-1])
			}
			return n, sum
		},
		open:         openRoaring32,
		openContains: openContainsRoaring32,
		openAndLen:   openAndLenRoaring32,
	}
}

func openRoaring32(encoded [][]byte) (n uint64) {
	for _, b := range encoded {
		s := roaring.New()
		if _, err := s.FromBuffer(b); err == nil {
			n++
		}
	}
	return n
}

func openContainsRoaring32(encoded [][]byte, queries []uint64) (n uint64) {
	for i, b := range encoded {
		s := roaring.New()
		if _, err := s.FromBuffer(b); err == nil && s.Contains(uint32(queries[i])) {
			n++
		}
	}
	return n
}

func openAndLenRoaring32(encoded [][]byte) (sum uint64) {
	for i := range len(encoded) - 1 {
		a, b := roaring.New(), roaring.New()
		_, err := a.FromBuffer(encoded[i])
		_, err2 := b.FromBuffer(encoded[i+1])
		if err == nil && err2 == nil {
			sum += a.AndCardinality(b)
		}
	}
	return sum
}
