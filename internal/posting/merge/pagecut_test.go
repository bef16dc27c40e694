// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// cutBatch returns an output whose pages are only counted.
func cutBatch() *PageBatch {
	n := uint64(0)
	return &PageBatch{Store: memstore.New(), Index: 1, Most: 1 << 30, Generation: func() uint64 { n++; return n }}
}

// checkCut checks that pages are cut at the right size. No row or record may take more than largest
// bytes. A page has at most format.Target bytes, unless it would be less than half full without its
// last row. Every page but the last is at least half full.
func checkCut(t *testing.T, name string, pages []format.Ref, largest int) {
	t.Helper()
	most := max(format.Target, format.Target/2+largest)
	for i, r := range pages {
		if int(r.Bytes) > most || i+1 < len(pages) && int(r.Bytes) < format.Target/2 {
			t.Errorf("%s: page %d of %d has %d bytes, want %d to %d", name, i, len(pages), r.Bytes, format.Target/2,
				most)
		}
	}
}

// TestRowsAreCut: pages of rows fit into 32 KB of memory, heads and slots included, however long
// the rows are.
func TestRowsAreCut(t *testing.T) {
	const seed = 31
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, largest := range []int{1, 10, 100, 1000, 5000, format.Target / 4, format.Target / 2, format.Target} {
		for _, rows := range []int{1, 7, 100, 3000} {
			o := cutBatch()
			w := &rowWriter{Out: o, Field: someField}
			for i := range min(rows, 64*format.Target/largest) {
				if err := w.add(uint64(i), make([]byte, 1+rng.IntN(largest)), 1); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.finish(); err != nil {
				t.Fatal(err)
			}
			checkCut(t, fmt.Sprintf("seed %d: %d rows of up to %d bytes", seed, rows, largest), o.Added, largest)
		}
	}
}

// TestRecordsAreCut: pages of columns do as well, in both layouts, also where a record needs wider
// rows than those before it.
func TestRecordsAreCut(t *testing.T) {
	const seed = 32
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, layout := range []model.Column{model.FastColumn, model.SmallColumn} {
		widest := uint64(1 << 16) // in FastColumn, one record can make all before it take twice as much, and not more
		if layout == model.SmallColumn {
			widest = 1 << 40
		}
		for _, each := range []int{1, 5, 50, 900} {
			for _, rare := range []int{2, 100, 10_000} {
				o := cutBatch()
				w := &columnWriter{Out: o, Field: someField + 3, Room: columnRoom{Layout: layout}}
				for i := range min(60_000, 1_000_000/each) {
					rows := make([]uint64, 1+rng.IntN(each))
					for j := range rows {
						rows[j] = rng.Uint64N(200)
						if rng.IntN(rare) == 0 {
							rows[j] = rng.Uint64N(widest)
						}
					}
					slices.Sort(rows)
					if err := w.add(uint64(i), slices.Compact(rows)); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.finish(); err != nil {
					t.Fatal(err)
				}
				checkCut(t, fmt.Sprintf("seed %d: layout %d, up to %d rows, one wide in %d", seed, layout, each, rare),
					o.Added, 0)
			}
		}
	}
}

const someField uint32 = 4
