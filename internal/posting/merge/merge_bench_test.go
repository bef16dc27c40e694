// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// BenchmarkMerge times the merge of changes into a list during a flush. Three quarters of the
// changes set, one quarter unsets. Lists lie within 2^20 records. Each is read as a page has it and
// written as a page again. UPROAR_KERNELS names the path of the kernels.
func BenchmarkMerge(b *testing.B) {
	r := rand.New(rand.NewPCG(95, 96))
	for _, size := range [][2]int{{20, 1}, {60, 4}, {200, 20}, {1000, 10}, {1000, 200}, {10000, 100}, {10000, 2000},
		{50000, 5000}} {
		const variants = 32
		var bodies [variants]view.View
		var changes [variants][]model.Edit
		for i := range bodies {
			var set pack.Builder
			for _, x := range distinct(r, size[0]) {
				set.Append(x)
				if r.IntN(4*size[0]) < size[1] {
					changes[i] = append(changes[i], model.Edit{Record: x})
				}
			}
			for _, x := range distinct(r, size[1]*3/4+1) {
				changes[i] = append(changes[i], model.Edit{Record: x, Set: true})
			}
			changes[i] = model.NormalizeEdits(changes[i])
			v, err := view.OpenBody(set.BodyIn(nil, pack.Balanced))
			if err != nil {
				b.Fatal(err)
			}
			bodies[i] = v
		}
		b.Run(fmt.Sprintf("values=%d/changes=%d", size[0], size[1]), func(b *testing.B) {
			declared := func(uint32) model.Field { return model.Field{} }
			m := Merger{Declared: declared}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.List.Reset(bodies[i%variants], changes[i%variants])
				m.merged(0)
			}
		})
	}
}

// distinct returns n different records below 2^20, ascending.
func distinct(r *rand.Rand, n int) []uint64 {
	in := new(mutable.Bitmap)
	for in.Len() < uint64(n) {
		in.Add(r.Uint64N(1 << 20))
	}
	return in.View().AppendTo(nil)
}
