// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"math"
	"slices"

	"github.com/dgraph-io/sroar"
)

// dgraph returns dgraph-io/sroar, from which Weaviate's was made. Its And is known to be wrong on
// some sets, so that its lines with an intersection may say "wrong". It has no Xor and no run
// containers.
func dgraph(label string) contestant {
	type set = *sroar.Bitmap
	return &library[set, set]{
		label: label,
		limit: math.MaxUint64,
		build: func(v values) set { return sroar.FromSortedList(v.wide) },
		add: func(shuffled values) set {
			b := sroar.NewBitmap()
			for _, x := range shuffled.wide {
				b.Set(x)
			}
			return b
		},
		values: func(s set) []uint64 { return s.ToArray() },
		read:   func(r set) set { return r },
		encode: func(s set) []byte { return s.ToBuffer() },
		decode: func(b []byte) (set, error) { return sroar.FromBuffer(b), nil },

		and: sroar.And,
		or:  sroar.Or,
		andNot: func(a, b set) set {
			c := a.Clone()
			c.AndNot(b)
			return c
		},
		andLen: func(sets []set) (sum uint64) {
			for i := range len(sets) - 1 {
				sum += uint64(sroar.And(sets[i], sets[i+1]).GetCardinality())
			}
			return sum
		},
		orAll: func(sets []set) func() set { return func() set { return sroar.FastOr(sets...) } },
		andAll: func(sets []set) func() set {
			operands := slices.Clone(sets)
			return func() set {
				operands[0] = sets[0].Clone() // FastAnd changes its first operand
				return sroar.FastAnd(operands...)
			}
		},
		parallelOr: func(workers int, sets []set) func() set {
			return func() set { return sroar.FastParOr(workers, sets...) }
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
				sum += uint64(s.Rank(x) + 1) // its ranks begin with 0, and values that are not in the set have none
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
			it := s.NewIterator()
			for range s.GetCardinality() { // Next returns 0 at the end, which may be a value
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
				if s := sroar.FromBuffer(b); s != nil {
					n++
				}
			}
			return n
		},
		openContains: func(encoded [][]byte, queries []uint64) (n uint64) {
			for i, b := range encoded {
				if sroar.FromBuffer(b).Contains(queries[i]) {
					n++
				}
			}
			return n
		},
		openAndLen: func(encoded [][]byte) (sum uint64) {
			for i := range len(encoded) - 1 {
				sum += uint64(sroar.And(sroar.FromBuffer(encoded[i]), sroar.FromBuffer(encoded[i+1])).GetCardinality())
			}
			return sum
		},
	}
}
