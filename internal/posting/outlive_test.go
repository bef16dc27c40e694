// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestSnapshotsOutlive holds snapshots over flushes, deletions and re-creations, on a disk that is
// full now and then: each one answers as it did at first, whole batches only, until the index is
// closed.
func TestSnapshotsOutlive(t *testing.T) {
	s := storetest.NewFaulty(memstore.New())
	config := testConfig(t, 20_000)
	config.pause = time.Millisecond
	ix := open(t, s, config)
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	const names = 20
	var writers, readers sync.WaitGroup
	for w := range 3 {
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 71))
			for range rounds {
				n := rng.IntN(names)
				var b Batch
				if rng.IntN(3) == 0 { // all of a batch's records, or what became of them
					for i := range batchRows {
						b.Delete(b.Key(model.RecordSpace, fmt.Sprintf("r%d-%d", n, i)))
					}
				} else {
					b = *numbered(n)
				}
				if rng.IntN(10) == 0 {
					s.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1 + rng.IntN(3), Err: store.ErrFull,
						Once: true})
				}
				if _, err := ix.Commit(t.Context(), &b); err != nil && !errors.Is(err, store.ErrFull) {
					t.Error(err)
					return
				}
				if rng.IntN(8) == 0 {
					if err := ix.Flush(t.Context()); err != nil && !errors.Is(err, store.ErrFull) {
						t.Error(err)
					}
				}
			}
		})
	}
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				snap := ix.Snapshot()
				var first [names]int
				for look := range 3 {
					for n := range names {
						found := countNumbered(t, snap, n)
						if found%batchRows != 0 {
							t.Errorf("batch %d: got %d writes, want all or none of each list", n, found)
						}
						if look == 0 {
							first[n] = found
						} else if found != first[n] {
							t.Errorf("batch %d: got %d writes, want %d as at first", n, found, first[n])
						}
					}
				}
				snap.Close()
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	s.Heal()
	if err := errors.Join(ix.Flush(t.Context()), ix.Flush(t.Context()), ix.Verify(t.Context(), nil)); err != nil {
		t.Error(err)
	}
	awaitSwept(t, ix, s)
	last := ix.Snapshot()
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	if err := last.List(country, 0, new(overlay.List)); !errors.Is(err, model.ErrClosed) {
		t.Errorf("closed: got %v, want ErrClosed", err)
	}
	last.Close()
}
