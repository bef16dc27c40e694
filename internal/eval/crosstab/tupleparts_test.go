// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// TestGroupsInParts: groups of many records are the same whether one processor counts them or
// several do, dense and packed, in much memory and in little.
func TestGroupsInParts(t *testing.T) {
	defer func(before uint64) { recordsOfPart = before }(recordsOfPart)
	recordsOfPart = 1 << 10
	const distance = 41 // so that they are in several containers
	for _, memory := range []int64{64 << 20, 2 << 20} {
		c := openCrowd(t, memory, 7)
		var b posting.Batch
		var ids []uint64
		for record := range 5 * recordsOfPart {
			id := model.ID(distance * record)
			ids = append(ids, distance*record)
			b.Set(model.Exists, model.ID(0), id)
			b.Assign(crowdFew, id, model.ID(record%crowdRows[crowdFew]))
			b.Assign(crowdSingle, id, model.ID(record*record%crowdRows[crowdSingle]))
			b.AssignInt(crowdAge, id, int64(record%100)-50)
			b.AssignInt(crowdAny, id, int64(record*0x9E3779B97F4A7C15))
			if b.Len() > 1000 {
				if _, err := c.ix.Commit(t.Context(), &b); err != nil {
					t.Fatal(err)
				}
				b.Reset()
			}
		}
		if _, err := c.ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if err := c.ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		snap := c.ix.Snapshot()
		defer snap.Close()
		all := pair.FromSorted(ids).View()
		for _, by := range [][]By{{{Field: crowdAge}}, {{Field: crowdAge, Band: Band{Width: 10}}, {Field: crowdSingle}},
			{{Field: crowdSingle}, {Field: crowdAny}}, {{Field: crowdAny}},
			{{Field: crowdFew}, {Field: crowdSingle}, {Field: crowdAge}}} {
			var want []Group
			for _, processors := range []int{1, 2, 3, 8} {
				before := runtime.GOMAXPROCS(processors)
				var got []Group
				err := EachGroup(t.Context(), snap, by, all, func(g Group) error { got = append(got, g); return nil })
				runtime.GOMAXPROCS(before)
				name := fmt.Sprintf("%d bytes, %v, %d processors", memory, by, processors)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if want == nil {
					want = got
				}
				if len(got) == 0 || !slices.Equal(got, want) {
					t.Fatalf("%s: got %d groups, want the %d of one", name, len(got), len(want))
				}
			}
		}
	}
}
