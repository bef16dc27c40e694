// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// batchRows is how many rows and records a batch of these tests writes: more than one, so that half
// of it would be seen.
const batchRows = 7

// numbered returns the batch with a number: records of its own in a list of its own, and follows
// among them.
func numbered(n int) *Batch {
	var b Batch
	for i := range batchRows {
		record := b.Key(model.RecordSpace, fmt.Sprintf("r%d-%d", n, i))
		b.Set(model.Exists, model.ID(0), record)
		b.Set(country, b.Key(model.KeySpace(country), fmt.Sprintf("row%d", n)), record)
		b.Set(follows, b.Key(model.RecordSpace, fmt.Sprintf("r%d-0", n)), record)
	}
	return &b
}

// countNumbered returns how many of the writes of a numbered batch are there, over both fields and
// the inverse.
func countNumbered(t *testing.T, snap reader.Snapshot, n int) (found int) {
	t.Helper()
	var l overlay.List
	lookup := func(space uint32, key string) (uint64, bool) {
		id, ok, err := snap.Lookup(space, key)
		if err != nil {
			t.Fatal(err)
		}
		return id, ok
	}
	list := func(field uint32, row uint64) uint64 {
		if err := snap.List(field, row, &l); err != nil {
			t.Fatal(err)
		}
		return l.Len()
	}
	if row, ok := lookup(model.KeySpace(country), fmt.Sprintf("row%d", n)); ok {
		found += int(list(country, row))
	}
	if row, ok := lookup(model.RecordSpace, fmt.Sprintf("r%d-0", n)); ok {
		found += int(list(follows, row))
	}
	for i := range batchRows {
		if row, ok := lookup(model.RecordSpace, fmt.Sprintf("r%d-%d", n, i)); ok {
			found += int(list(followers, row))
		}
	}
	return found
}

// TestPowerCut cuts the power at random moments of commits, flushes, checkpoints and loads.
// Afterwards every acknowledged commit is there, and each other one is there whole or not at all,
// and Verify is content. UPROAR_POWERCUTS is the number of cuts to make instead of the usual
// hundred.
func TestPowerCut(t *testing.T) {
	rounds := paced(60, 15)
	if text := os.Getenv("UPROAR_POWERCUTS"); text != "" {
		cuts, err := strconv.Atoi(text)
		if err != nil || cuts < 1 {
			t.Fatalf("UPROAR_POWERCUTS: got %q, want a number above 0", text)
		}
		rounds = (cuts + 3) / 4 // four in a round
	}
	for seed := range rounds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(seed), 3))
			f := storetest.NewForgetful(memstore.New())
			acknowledged := map[int]bool{}
			begun, loaded := 0, map[int]bool{}
			for range 4 {
				config := testConfig(t, 4000)
				ix := open(t, f, config)
				checkNumbered(t, ix, acknowledged, loaded, begun)
				if err := ix.Verify(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				begun = runUntilPowerCut(t, ix, f, rng, begun, acknowledged, loaded)
				f = f.Reopen()
			}
			ix := open(t, f, testConfig(t, 4000))
			checkNumbered(t, ix, acknowledged, loaded, begun)
			if err := errors.Join(ix.Verify(t.Context(), nil), ix.Close()); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func checkNumbered(t *testing.T, ix *Index, acknowledged, loaded map[int]bool, begun int) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	for n := range begun {
		switch found := countNumbered(t, snap, n); {
		case found == 3*batchRows:
		case acknowledged[n]:
			t.Fatalf("batch %d (load: %v) was acknowledged: got %d of its writes, want %d", n, loaded[n], found,
				3*batchRows)
		case found != 0:
			t.Fatalf("batch %d (load: %v): got %d of its writes, want all %d or none", n, loaded[n], found, 3*batchRows)
		}
	}
}

// runUntilPowerCut writes from several goroutines until the power is cut, and returns the number of
// batches begun so far.
func runUntilPowerCut(t *testing.T, ix *Index, f *storetest.Forgetful, rng *rand.Rand, begun int, acknowledged,
	loaded map[int]bool) int {
	var mu sync.Mutex
	var writers sync.WaitGroup
	next := func() int {
		mu.Lock()
		defer mu.Unlock()
		begun++
		return begun - 1
	}
	for w := range 4 {
		writers.Go(func() {
			for {
				n := next()
				var err error
				if w == 0 && n%5 == 0 {
					mu.Lock()
					loaded[n] = true
					mu.Unlock()
					err = loadNumbered(ix, n)
				} else {
					_, err = ix.Commit(context.Background(), numbered(n))
				}
				if err != nil {
					if !errors.Is(err, model.ErrFailed) && !errors.Is(err, store.ErrClosed) {
						t.Errorf("got %v, want ErrFailed", err)
					}
					return
				}
				mu.Lock()
				acknowledged[n] = true
				mu.Unlock()
			}
		})
	}
	time.Sleep(time.Duration(rng.IntN(12_000)) * time.Microsecond)
	f.PowerCut(rng)
	writers.Wait()
	_ = ix.Close()
	return begun
}

func loadNumbered(ix *Index, n int) error {
	l, err := ix.Load(context.Background(), 1<<20, nil)
	if err != nil {
		return err
	}
	defer l.Abort()
	key := func(space uint32, key string) model.Ref {
		r, _ := l.Key(space, key)
		return r
	}
	for i := range batchRows {
		record := key(model.RecordSpace, fmt.Sprintf("r%d-%d", n, i))
		err := errors.Join(l.Set(model.Exists, model.ID(0), record), l.Set(country,
			key(model.KeySpace(country), fmt.Sprintf("row%d", n)),
			record),
			l.Set(follows, key(model.RecordSpace, fmt.Sprintf("r%d-0", n)), record))
		if err != nil {
			return err
		}
	}
	_, err = l.Commit()
	return err
}

// TestStoreFails has the store fail at each of its writes in turn, with the batch applied or not:
// from then on the index reads but does not write, and the next opening finds all that was
// acknowledged.
func TestStoreFails(t *testing.T) {
	broken := errors.New("disk full")
	for nth := 1; nth <= 12; nth++ {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("write=%d,late=%v", nth, after), func(t *testing.T) {
				inner := memstore.New()
				faulty := storetest.NewFaulty(inner)
				ix := open(t, faulty, testConfig(t, 4000))
				faulty.Inject(storetest.Fault{Call: storetest.Apply, Nth: nth, Err: broken, Late: after})
				acknowledged, failed := map[int]bool{}, false
				n := 0
				for ; n < 400 && !failed; n++ {
					_, err := ix.Commit(t.Context(), numbered(n))
					switch {
					case err == nil:
						acknowledged[n] = true
					case errors.Is(err, model.ErrFailed) && errors.Is(err, broken):
						failed = true
					default:
						t.Fatalf("got %v, want ErrFailed with the store's error", err)
					}
				}
				if !failed {
					t.Fatal("got no error of 400 commits, want one")
				}
				if _, err := ix.Commit(t.Context(), numbered(n)); !errors.Is(err, model.ErrFailed) {
					t.Fatalf("got %v after a failure, want ErrFailed", err)
				}
				checkNumbered(t, ix, acknowledged, nil, n)
				if err := ix.Close(); err != nil {
					t.Fatal(err)
				}
				faulty.Heal()
				ix = open(t, faulty, testConfig(t, 4000))
				checkNumbered(t, ix, acknowledged, nil, n)
				if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
					t.Fatal(err)
				}
				_ = ix.Close()
			})
		}
	}
}
