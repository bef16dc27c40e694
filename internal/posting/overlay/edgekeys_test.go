// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package overlay

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// manyKeys returns the keys of a long list, and its pages.
func manyKeys(pages int) (all []model.EdgeKey, lists EdgeKeys) {
	const inPage = 1024
	var bodies [][]byte
	for p := range pages {
		begin := len(all)
		for i := range inPage {
			key := model.FirstTID + uint64(p)<<edgePieceShift + uint64(i)
			all = append(all, model.EdgeKey{Key: key, Target: uint64(i)})
		}
		ref := format.Ref{}
		if p > 0 {
			ref.Piece = all[begin].Key>>edgePieceShift + 1
		}
		lists.Refs = append(lists.Refs, ref)
		bodies = append(bodies, format.AppendEdgeKeyBody(nil, all[begin:]))
	}
	lists.Body = func(i int) ([]byte, error) { return bodies[i], nil }
	return all, lists
}

// TestLongList: the last keys of a list of many pages are those of the list, and reading them takes
// memory for the keys once or twice, not for each page again.
func TestLongList(t *testing.T) {
	all, lists := manyKeys(400)
	for _, most := range []int{1, 1023, 1024, 1025, 5000, 1 << 31} {
		for _, at := range []int{0, 1, 1024, 4000, len(all)} {
			below := uint64(model.EdgeGone)
			if at < len(all) {
				below = all[at].Key
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := lists.Last(nil, below, most)
			runtime.ReadMemStats(&after)
			if want := all[max(0, at-most):at]; err != nil || !slices.Equal(got, want) {
				t.Errorf("%d below key %d: got %d keys, %v, want %d", most, at, len(got), err, len(want))
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
				t.Errorf("%d below key %d: took %d MiB of memory for 6", most, at, took>>20)
			}
		}
	}
}

// BenchmarkLongList reads all of a long list, by its last keys.
func BenchmarkLongList(b *testing.B) {
	for _, pages := range []int{100, 400} {
		all, lists := manyKeys(pages)
		b.Run(fmt.Sprint(len(all)), func(b *testing.B) {
			for b.Loop() {
				if got, err := lists.Last(nil, model.EdgeGone, len(all)); len(got) != len(all) || err != nil {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}
