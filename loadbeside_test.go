// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLoadPairsBeside has loads of pairs, with and without memory for their keys, while follows are
// set, undone and deleted: what was written before a load begins to merge lies under it, what is
// written while it merges over it.
func TestLoadPairsBeside(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rounds := 12
	if testing.Short() {
		rounds = 4
	}
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 9))
		db, ix := peopleIn(t, memstore.New())
		type pair struct{ of, to string }
		want, exist := map[pair]bool{}, map[string]bool{}
		names := 20 + rng.IntN(3000)
		name := func() string { return fmt.Sprint("somebody with a name ", min(rng.IntN(names), rng.IntN(names))) }
		live := func(deletes bool) {
			known := slices.Collect(maps.Keys(want))
			put(t, ix, func(b *uproar.Batch) {
				for range 1 + rng.IntN(8) {
					p := pair{name(), name()}
					if len(known) > 0 && rng.IntN(2) == 0 {
						p = known[rng.IntN(len(known))]
					}
					switch rng.IntN(5) {
					case 0, 1:
						b.Set("follows", p.of, p.to)
						want[p], exist[p.of], exist[p.to] = true, true, true
					case 2:
						b.Clear("follows", p.of, p.to)
						delete(want, p)
					case 3:
						b.Clear("followers", p.to, p.of)
						delete(want, p)
					case 4:
						if deletes {
							b.DeleteRecord(p.of)
							delete(exist, p.of)
							maps.DeleteFunc(want, func(x pair, _ bool) bool { return x.of == p.of || x.to == p.of })
						}
					}
				}
			})
		}
		for range 4 {
			for range rng.IntN(5) {
				live(true)
			}
			loaded := map[pair]bool{}
			began := false // to merge
			load, err := ix.Load(t.Context(), &uproar.LoadOptions{MemoryBytes: []int64{1000, 100_000,
				8 << 20}[rng.IntN(3)], Progress: func(int64, int64) {
				if !began {
					began = true
					for p := range loaded {
						want[p], exist[p.of], exist[p.to] = true, true, true
					}
				}
				if rng.IntN(3) == 0 {
					live(true)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			for range 1 + rng.IntN(5) {
				var keys [][]byte
				for range rng.IntN(1000) {
					p := pair{name(), name()}
					keys, loaded[p] = append(keys, []byte(p.of), []byte(p.to)), true
				}
				if err := load.SetAll("follows", keys); err != nil {
					t.Fatal(err)
				}
				live(false) // a record that is deleted may stay so, whatever the load says
			}
			if err := load.Commit(); err != nil {
				t.Fatal(err)
			}
			if !began {
				for p := range loaded {
					want[p], exist[p.of], exist[p.to] = true, true, true
				}
			}
			for flushed := range 2 {
				snap := ix.Snapshot()
				n, err := snap.Count(t.Context(), query.All{})
				if err != nil || n != uint64(len(exist)) {
					t.Fatalf("seed %d, flushed %d: got %d records, %v, want %d", seed, flushed, n, err, len(exist))
				}
				follows, followers := map[string][]string{}, map[string][]string{}
				for p := range want {
					follows[p.of] = append(follows[p.of], p.to)
					followers[p.to] = append(followers[p.to], p.of)
				}
				for _, who := range slices.Sorted(maps.Keys(exist)) {
					for field, lists := range map[string]map[string][]string{"follows": follows,
						"followers": followers} {
						got, err := snap.Keys(t.Context(), query.Related{Field: field, Key: who}, uproar.Page{})
						slices.Sort(got.Keys)
						slices.Sort(lists[who])
						if err != nil || !slices.Equal(got.Keys, lists[who]) {
							t.Fatalf("seed %d, flushed %d: %s of %s: got %q, %v, want %q", seed, flushed, field, who,
								got.Keys, err, lists[who])
						}
					}
				}
				snap.Close()
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := db.Verify(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		db.Close()
	}
}
