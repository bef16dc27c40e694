// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestHashPages merges hashes in many rounds, so that pages split again and again, and then finds
// each one: hashes as keys have them, some of them equal; and few that agree in most bits.
func TestHashPages(t *testing.T) {
	t.Run("even", func(t *testing.T) {
		testHashPages(t, 6000, 15, func(rng *rand.Rand) uint64 {
			if rng.IntN(20) == 0 {
				return rng.Uint64N(100) << 57 // equal to others
			}
			return rng.Uint64()
		})
	})
	t.Run("crowded", func(t *testing.T) {
		testHashPages(t, 20, 1, func(rng *rand.Rand) uint64 { return rng.Uint64() | 0xFFFFFFFFFFFF<<16 })
	})
}

func testHashPages(t *testing.T, each, pages int, draw func(*rand.Rand) uint64) {
	rng := rand.New(rand.NewPCG(4, 4))
	s := memstore.New()
	ix := open(t, s, testConfig(t, 1<<20))
	defer ix.Close()
	m := format.EmptyManifest()
	ids := map[uint64][]uint64{}
	next := uint64(0)
	for round := range 12 {
		var entries []format.HashEntry
		for range each {
			hash := draw(rng)
			entries = append(entries, format.HashEntry{Hash: hash, ID: next})
			ids[hash] = append(ids[hash], next)
			next++
		}
		slices.SortFunc(entries, format.CompareHashes)
		g := ix.manifests.merger(context.Background(), m)
		if err := g.Hashes(2, entries); err != nil {
			t.Fatal(err)
		}
		if err := g.Out.Flush(); err != nil {
			t.Fatal(err)
		}
		var err error
		if m, err = m.Apply(&format.ManifestChange{Dropped: g.Out.Dropped, Added: g.Out.Added},
			ix.manifests.generation.Load()); err != nil {
			t.Fatal(err)
		}
		if round%4 != 3 {
			continue
		}
		strangers := 0
		for hash, want := range ids {
			r, ok := m.HashPage(2, hash)
			if !ok {
				t.Fatalf("hash %x: got no page", hash)
			}
			p, err := ix.source.Page(r)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			p.Candidates(r.First, hash, func(id uint64) bool {
				if slices.Contains(want, id) {
					found++
				} else {
					strangers++
				}
				return true
			})
			if found != len(want) {
				t.Fatalf("hash %x: got %d of its IDs, want %d", hash, found, len(want))
			}
		}
		if pages > 1 && strangers > len(ids)/100 {
			t.Errorf("got %d wrong candidates for %d hashes, want hardly any", strangers, len(ids))
		}
	}
	if n := len(m.Fields[2].Refs); n < pages {
		t.Errorf("got %d pages, want at least %d", n, pages)
	}
}
