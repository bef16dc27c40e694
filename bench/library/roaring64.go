// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
)

// roaring64bit returns the roaring64 package of RoaringBitmap/roaring, with run containers.
func roaring64bit(label string) contestant {
	type set = *roaring64.Bitmap
	return &library[set, set]{
		label: label,
		limit: math.MaxUint64,
		build: func(v values) set {
			b := roaring64.New()
			b.AddMany(v.wide)
			b.RunOptimize()
			return b
		},
		add: func(shuffled values) set {
			b := roaring64.New()
			for _, x := range shuffled.wide {
				b.Add(x)
			}
			return b
		},
		values: func(s set) []uint64 { return s.ToArray() },
		read:   func(r set) set { return r },
		encode: func(s set) []byte {
			b, err := s.ToBytes()
			if err != nil {
				panic(err)
			}
			return b
		},
		decode: func(b []byte) (set, error) {
			s := roaring64.New()
			_, err := s.FromUnsafeBytes(b)
			return s, err
		},

		and:    roaring64.And,
		or:     roaring64.Or,
		andNot: roaring64.AndNot,
		xor:    roaring64.Xor,
		andLen: func(sets []set) (sum uint64) {
			for i := range len(sets) - 1 {
				sum += sets[i].AndCardinality(sets[i+1])
			}
			return sum
		},
		orAll:  func(sets []set) func() set { return func() set { return roaring64.FastOr(sets...) } },
		andAll: func(sets []set) func() set { return func() set { return roaring64.FastAnd(sets...) } },
		parallelOr: func(workers int, sets []set) func() set {
			return func() set { return roaring64.ParOr(workers, sets...) }
		},

		contains: func(s set, queries []uint64) (n uint64) {
			for _, x := range queries {
				if s.Contains(x) {
					n++
				}
			}
			return n
		},
		rank: func(s set, queries []uint64) (sum uint64) {
			for _, x := range queries {
				sum += s.Rank(x)
			}
			return sum
		},
		selects: func(s set, queries []uint64) (sum uint64) {
			for _, i := range queries {
				x, _ := s.Select(i)
				sum += x
			}
			return sum
		},
		iterate: func(s set) (sum uint64) {
			for it := s.Iterator(); it.HasNext(); {
				sum += it.Next()
			}
			return sum
		},
		batches: func(s set, size int) (n, sum uint64) {
			buf := wideBatch[:]
			it := s.ManyIterator()
			for k := it.NextMany(buf[:size]); k > 0; k = it.NextMany(buf[:size]) {
				n += uint64(k)
				sum += buf[k-1]
			}
			return n, sum
		},
		open: func(encoded [][]byte) (n uint64) {
			for _, b := range encoded {
				s := roaring64.New()
				if _, err := s.FromUnsafeBytes(b); err == nil {
					n++
				}
			}
			return n
		},
		openContains: func(encoded [][]byte, queries []uint64) (n uint64) {
			for i, b := range encoded {
				s := roaring64.New()
				if _, err := s.FromUnsafeBytes(b); err == nil && s.Contains(queries[i]) {
					n++
				}
			}
			return n
		},
		openAndLen: func(encoded [][]byte) (sum uint64) {
			for i := range len(encoded) - 1 {
				a, b := roaring64.New(), roaring64.New()
				_, err := a.FromUnsafeBytes(encoded[i])
				_, err2 := b.FromUnsafeBytes(encoded[i+1])
				if err == nil && err2 == nil {
					sum += a.AndCardinality(b)
				}
			}
			return sum
		},
	}
}
