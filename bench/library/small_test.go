// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"math/rand/v2"
	"testing"

	roaring "github.com/RoaringBitmap/roaring/v2"
	"github.com/uproar-db/uproar/bitmap"
)

// BenchmarkSmall sets ours beside roaring's (32-bit) on pairs of sets of 1 to 64 values: of one
// chunk, spread over 2^20, and a pair that has no chunk in common. Compare within one run.
func BenchmarkSmall(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 64))
	type pair struct {
		name string
		x, y []uint64
	}
	pairs := []pair{{"apart", []uint64{1, 5, 9}, []uint64{70_001, 70_005}}}
	for _, limit := range []uint64{1 << 16, 1 << 20} {
		for _, n := range []int{1, 3, 8, 20, 64} {
			random := func() (values []uint64) {
				for range n {
					values = append(values, r.Uint64N(limit))
				}
				return values
			}
			x, y := random(), random()
			pairs = append(pairs, pair{fmt.Sprintf("%d of %d", n, limit), x,
				append(y[:len(y)-len(y)/3], x[:len(y)/3]...)})
		}
	}
	for _, p := range pairs {
		x, y, asked := bitmap.Of(p.x...).View(), bitmap.Of(p.y...).View(), append(p.x, p.y...)
		rx, ry := roaring.New(), roaring.New()
		for _, v := range p.x {
			rx.Add(uint32(v))
		}
		for _, v := range p.y {
			ry.Add(uint32(v))
		}
		i := 0
		next := func() uint64 { i = (i + 1) % len(asked); return asked[i] }
		for _, c := range []struct {
			name   string
			ours   func()
			theirs func()
		}{
			{"AndLen", func() { bitmap.AndLen(x, y) }, func() { rx.AndCardinality(ry) }},
			{"Intersects", func() { bitmap.Intersects(x, y) }, func() { rx.Intersects(ry) }},
			{"Contains", func() { x.Contains(next()) }, func() { rx.Contains(uint32(next())) }},
			{"Rank", func() { x.Rank(next()) }, func() { rx.Rank(uint32(next())) }},
			{"Select", func() {
				x.Select(next() % uint64(len(p.x)))
			}, func() { rx.Select(uint32(next() % uint64(len(p.x)))) }},
			{"And", func() { bitmap.And(x, y) }, func() { roaring.And(rx, ry) }},
			{"Or", func() { bitmap.Or(x, y) }, func() { roaring.Or(rx, ry) }},
			{"AndNot", func() { bitmap.AndNot(x, y) }, func() { roaring.AndNot(rx, ry) }},
			{"Xor", func() { bitmap.Xor(x, y) }, func() { roaring.Xor(rx, ry) }},
		} {
			for _, who := range []struct {
				name string
				do   func()
			}{{"ours", c.ours}, {"roaring", c.theirs}} {
				b.Run(p.name+"/"+c.name+"/"+who.name, func(b *testing.B) {
					for b.Loop() {
						who.do()
					}
				})
			}
		}
	}
}
