// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// TestRaceStates reads many states concurrently while writers write, delete and flush. Lists are
// merged meanwhile. Each reader must see its state whole. A snapshot is not always closed by the
// goroutine that opened it.
func TestRaceStates(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	ctx := t.Context()
	const records, groups = 400, 8
	write := func(round int) { // every record changes, all at once
		put(t, ix, func(b *uproar.Batch) {
			for i := range records {
				key := fmt.Sprint("p", i)
				if round%5 == 4 && i%7 == 0 {
					b.DeleteRecord(key)
				}
				b.Set("city", key, fmt.Sprint("c", (i+round)%groups))
				b.SetInt("age", key, int64(round))
				b.Clear("tag", key, fmt.Sprint("t", round-1))
				b.Set("tag", key, fmt.Sprint("t", round))
			}
		})
	}
	write(0)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for r := range 6 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				snap := ix.Snapshot()
				age, _, err := snap.Int("age", "p0")
				if err != nil {
					t.Error(err)
					return
				}
				for range 3 {
					of, err := snap.Select(ctx, query.Field("age").Is(fmt.Sprint(age)))
					if err != nil || of.Len() != records {
						t.Errorf("got %d of age %d, %v, want all", of.Len(), age, err)
					}
					found, err := of.Groups(ctx, 0, "city", "tag")
					if err != nil || len(found) != groups || found[0].Count != records/groups ||
						found[0].Keys[1] != fmt.Sprint("t", age) {
						t.Errorf("got %v, %v, want %d groups of t%d", found, err, groups, age)
					}
					top, err := of.Top(ctx, "city", uproar.TopOptions{})
					if err != nil || len(top) != groups || top[0].Total != records/groups {
						t.Errorf("got %v, %v, want %d cities", top, err, groups)
					}
					if n, err := snap.Count(ctx, query.Field("tag").Is(fmt.Sprint("t", age-1))); n != 0 || err != nil {
						t.Errorf("got %d of the round before, %v", n, err)
					}
					if n, err := snap.Count(ctx, query.All{}); n != records || err != nil {
						t.Errorf("got %d records, %v", n, err)
					}
				}
				copied, closed := snap, make(chan struct{})
				if r%2 == 0 {
					go func() { copied.Close(); close(closed) }()
					_, err = snap.Count(ctx, query.All{})
					<-closed
				} else {
					copied.Close()
				}
				if err != nil && !errors.Is(err, uproar.ErrClosed) {
					t.Error(err)
				}
				if _, err := snap.Count(ctx, query.All{}); !errors.Is(err, uproar.ErrClosed) {
					t.Errorf("got %v, want ErrClosed", err)
				}
			}
		})
	}
	for round := 1; round < 20; round++ {
		write(round)
		if round%6 == 0 {
			if err := ix.Flush(ctx); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	readers.Wait()
}
