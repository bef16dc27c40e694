// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// BenchmarkMany combines many sets at once and, as a reference, one after the other.
func BenchmarkMany(b *testing.B) {
	r := rand.New(rand.NewPCG(131, 132))
	for _, c := range []struct {
		sets, values int
		universe     uint64
	}{{100, 100_000, 1 << 24}, {1000, 1000, 1 << 24}, {1000, 1000, 1 << 40}} {
		var views []view.View
		for range c.sets {
			values := make([]uint64, c.values)
			for i := range values {
				values[i] = r.Uint64N(c.universe)
			}
			views = append(views, pair.FromSorted(values).View())
		}
		name := func(op string) string {
			return fmt.Sprintf("op=%s/sets=%d/values=%d/universe=%d", op, c.sets, c.values, c.universe)
		}
		b.Run(name("OrAll"), func(b *testing.B) {
			for b.Loop() {
				OrAll(views...)
			}
		})
		b.Run(name("OrAllLen"), func(b *testing.B) {
			for b.Loop() {
				OrAllLen(views...)
			}
		})
		b.Run(name("ParallelOrAll"), func(b *testing.B) {
			for b.Loop() {
				ParallelOrAll(2, views...)
			}
		})
		b.Run(name("Or"), func(b *testing.B) {
			if c.universe > 1<<32 {
				b.Skip("quadratic: minutes")
			}
			for b.Loop() {
				all := new(mutable.Bitmap)
				for _, v := range views {
					all = pair.Or(all.View(), v)
				}
			}
		})
		b.Run(name("AndAllLen"), func(b *testing.B) {
			for b.Loop() {
				AndAllLen(views[:5]...)
			}
		})
		b.Run(name("Hash"), func(b *testing.B) {
			for b.Loop() {
				view.Hash(views[0])
			}
		})
	}
}
