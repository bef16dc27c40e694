// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// BenchmarkAndLen counts the intersections of lists with pending edits. The name says how many
// values of each list are in pages and how many in deltas. The lists are many, so that few of them
// are in the processor's caches.
func BenchmarkAndLen(b *testing.B) {
	for _, c := range []struct{ short, ofShort, long, ofLong int }{
		{30, 0, 50, 10}, {30, 5, 50, 8}, {40, 8, 330, 50}, {140, 26, 1_000, 197}, {370, 65, 400, 80},
		{320, 57, 1_400, 220}, {580, 82, 740, 160},
		{70, 13, 42_000, 10_800}, {430, 84, 42_000, 10_800}, {430, 70, 7_500, 1_570}, {1_200, 220, 2_300, 400},
		{2_000, 400, 3_000, 600}, {5_000, 900, 5_000, 900}, {20_000, 4_000, 42_000, 10_800},
	} {
		for _, spread := range []uint64{100_000, 550_000, 5_500_000} {
			b.Run(fmt.Sprintf("%d+%d∩%d+%d/%d", c.short, c.ofShort, c.long, c.ofLong, spread), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 503))
				ix := open(b, memstore.New(), testConfig(b, 256<<20))
				defer ix.Close()
				lists := max(4, min(400, 400_000/c.long))
				sizes, edits := make([]int, 2*lists), make([]int, 2*lists)
				for i := range sizes {
					sizes[i], edits[i] = c.short, c.ofShort
					if i%2 == 1 {
						sizes[i], edits[i] = c.long, c.ofLong
					}
				}
				for row, n := range sizes {
					var batch Batch
					for range n {
						batch.Set(follows, model.ID(uint64(row)), model.ID(r.Uint64N(spread)))
					}
					if _, err := ix.Commit(b.Context(), &batch); err != nil {
						b.Fatal(err)
					}
				}
				if err := ix.Flush(b.Context()); err != nil {
					b.Fatal(err)
				}
				st, d, n := *ix.source.State.Load(), delta.New(nil), 0
				var all []model.Edit
				for row, n := range edits {
					for range n {
						all = append(all, model.Edit{Field: follows, Row: uint64(row), Record: r.Uint64N(spread),
							Set: true})
					}
				}
				r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
				for _, e := range all {
					if d.Put(e); n%100 == 99 {
						d.Arrange()
					}
					n++
				}
				d.Arrange()
				st.Active = d.Publish()
				snap, got := reader.Snapshot{St: &st}, make([]overlay.List, len(sizes))
				for row := range got {
					if err := snap.List(follows, uint64(row), &got[row]); err != nil {
						b.Fatal(err)
					}
				}
				b.ResetTimer()
				walked := 0
				for i := range b.N {
					if _, ok := overlay.AndLen(&got[i*14%len(got)], &got[(i*22+1)%len(got)]); !ok {
						walked++
						n += walkedPairLen(&got[i*14%len(got)], &got[(i*22+1)%len(got)])
					}
				}
				b.ReportMetric(float64(walked)/float64(b.N), "walked/op")
			})
		}
	}
}

// walkedPairLen is what is done where AndLen does not count: a walk over the blocks of both lists.
func walkedPairLen(x, y *overlay.List) (n int) {
	var p, q overlay.Cursor
	p.Reset(x)
	q.Reset(y)
	for ok := p.Seek(0) && q.Seek(0); ok; {
		switch {
		case p.Key() < q.Key():
			ok = p.Seek(q.Key())
		case q.Key() < p.Key():
			ok = q.Seek(p.Key())
		default:
			n += p.Block().AndLen(q.Block())
			ok = p.Next() && q.Next()
		}
	}
	p.Release()
	q.Release()
	return n
}
