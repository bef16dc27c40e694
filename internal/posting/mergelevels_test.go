// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// watchedStore notes how much memory merges hold when something is written.
type watchedStore struct {
	store.Store
	memory   *memory.Bound
	greatest atomic.Int64
}

func (s *watchedStore) Apply(b *store.Batch, sync bool) error {
	for now := s.memory.Usage().Merges; ; {
		before := s.greatest.Load()
		if before >= now || s.greatest.CompareAndSwap(before, now) {
			break
		}
	}
	return s.Store.Apply(b, sync)
}

// TestMergeWindow: a flush takes the edits of some pages at a time, wherever they are: also behind
// the last page, where the new rows of a growing field come.
func TestMergeWindow(t *testing.T) {
	for name, row := range map[string]func(i uint64) uint64{
		"between": func(i uint64) uint64 { return 4 * i },
		"behind":  func(i uint64) uint64 { return 1<<20 + i },
		"beside":  func(i uint64) uint64 { return 1<<19 + 1 + i }, // the last page has room for them
	} {
		t.Run(name, func(t *testing.T) {
			config := testConfig(t, 32<<20)
			var err error
			if config.Memory, err = memory.New(32 << 20); err != nil { // pages are written often, by little
				t.Fatal(err)
			}
			s := &watchedStore{Store: memstore.New(), memory: config.Memory}
			ix := open(t, s, config)
			defer ix.Close()
			write := func(n, step uint64, row func(i uint64) uint64) {
				t.Helper()
				for i := uint64(0); i < n; {
					var b Batch
					for range 1 << 14 {
						b.Set(country, model.ID(row(i*step)), model.ID(i))
						i++
					}
					if _, err := ix.Commit(t.Context(), &b); err != nil {
						t.Fatal(err)
					}
				}
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			write(1<<15, 16, func(i uint64) uint64 { return i })
			s.greatest.Store(0)
			const n = 1 << 18
			write(n, 1, row)
			if most := merge.Bytes(ix.source) + n*merge.EditSize/2; s.greatest.Load() > most {
				t.Errorf("got %d bytes held by a flush of %d edits, want at most %d", s.greatest.Load(), n, most)
			}
			snap := ix.Snapshot()
			defer snap.Close()
			for i := uint64(0); i < n; i += 997 {
				if ok, err := snap.Contains(country, row(i), i); !ok || err != nil {
					t.Fatalf("record %d: got %v, %v, want it in row %d", i, ok, err, row(i))
				}
			}
		})
	}
}
