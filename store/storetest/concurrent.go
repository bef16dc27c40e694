// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

func duration() time.Duration {
	switch {
	case testing.Short():
		return 300 * time.Millisecond
	case long:
		return 3 * time.Second
	}
	return 700 * time.Millisecond
}

// group runs functions side by side, and ends them all when time is up or one fails.
type group struct {
	wg   sync.WaitGroup
	stop atomic.Bool
	errs chan error
}

func newGroup() *group { return &group{errs: make(chan error, 100)} }

// loop calls fn over and over until the group ends.
func (g *group) loop(fn func() error) {
	g.wg.Go(func() {
		for !g.stop.Load() {
			if err := fn(); err != nil {
				g.stop.Store(true)
				g.errs <- err
			}
		}
	})
}

// wait lets the group run for d and returns the first error.
func (g *group) wait(d time.Duration) error {
	end := time.Now().Add(d)
	for !g.stop.Load() && time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	g.stop.Store(true)
	g.wg.Wait()
	close(g.errs)
	return <-g.errs
}

// testAtomicReads has writers that each keep a group of entries equal, and readers who must never
// see them differ.
func testAtomicReads(t *testing.T, s store.Store) {
	const writers, entries = 3, 20
	key := func(w, i int) []byte { return fmt.Appendf(nil, "w%d/%02d", w, i) }
	// Small values and large ones, which engines may keep in different places.
	value := func(n uint64, i int) []byte {
		return binary.LittleEndian.AppendUint64(make([]byte, i%2*2000, i%2*2000+8), n)
	}
	number := func(v []byte) uint64 { return binary.LittleEndian.Uint64(v[len(v)-8:]) }
	var returned [writers]atomic.Uint64 // the number whose Apply has returned
	g := newGroup()
	for w := range writers {
		n := uint64(0)
		write := func() error {
			n++
			b := new(store.Batch)
			for i := range entries {
				if n%5 == 0 {
					b.Delete(key(w, i))
				} else {
					b.Put(key(w, i), value(n, i))
				}
			}
			if err := s.Apply(b, n%7 == 0); err != nil {
				return err
			}
			returned[w].Store(n)
			return nil
		}
		if err := write(); err != nil {
			t.Fatal(err)
		}
		g.loop(write)
	}
	scans := atomic.Int64{}
	for r := range 3 {
		w := r % writers
		last := uint64(0)
		g.loop(func() error {
			atLeast := returned[w].Load()
			var seen []uint64
			err := s.Scan(fmt.Appendf(nil, "w%d/", w), nil, func(k, v []byte) error {
				seen = append(seen, number(v))
				return nil
			})
			if err != nil {
				return err
			}
			scans.Add(1)
			if len(seen) == 0 {
				return nil // deleted as a whole
			}
			if len(seen) != entries {
				return fmt.Errorf("writer %d: a scan saw %d of %d entries of a batch", w, len(seen), entries)
			}
			for _, n := range seen {
				if n != seen[0] {
					return fmt.Errorf("writer %d: a scan saw batches %d and %d at once", w, seen[0], n)
				}
			}
			if seen[0] < last || seen[0] < atLeast {
				return fmt.Errorf("writer %d: a scan saw batch %d, after %d was seen and %d returned", w, seen[0], last,
					atLeast)
			}
			last = seen[0]
			return nil
		})
		g.loop(func() error {
			// Two reads in a row may see two states, but never go back.
			var pair [2]uint64
			for i := range pair {
				err := s.Get(key(w, i), func(v []byte) error {
					pair[i] = number(v)
					return nil
				})
				if errors.Is(err, store.ErrNotFound) {
					return nil
				}
				if err != nil {
					return err
				}
			}
			if pair[1] < pair[0] {
				return fmt.Errorf("writer %d: saw batch %d and then %d", w, pair[0], pair[1])
			}
			return nil
		})
	}
	if err := g.wait(duration()); err != nil {
		t.Error(err)
	}
	if scans.Load() == 0 {
		t.Error("no scan ended while the writers wrote")
	}
}

// testOwnWrites has many goroutines that each must see what they wrote themselves.
func testOwnWrites(t *testing.T, s store.Store) {
	g := newGroup()
	for w := range 16 {
		n := 0
		g.loop(func() error {
			n++
			key := fmt.Appendf(nil, "%d/%d", w, n%10)
			b := new(store.Batch)
			b.Put(key, fmt.Appendf(nil, "%0*d", 1+n%1500, n))
			if err := s.Apply(b, true); err != nil {
				return err
			}
			return s.Get(key, func(v []byte) error {
				if want := fmt.Sprintf("%0*d", 1+n%1500, n); string(v) != want {
					return fmt.Errorf("writer %d: got %q, want %q", w, v, want)
				}
				return nil
			})
		})
	}
	if err := g.wait(duration()); err != nil {
		t.Error(err)
	}
}

// testOrder has one caller apply batches one after the other, without sync. Meanwhile readers check
// that a batch is never seen without all before it.
func testOrder(t *testing.T, s store.Store) {
	g := newGroup()
	n := uint64(0)
	g.loop(func() error {
		n++
		b := new(store.Batch)
		b.Put([]byte{'k', byte(n % 2)}, binary.LittleEndian.AppendUint64(nil, n))
		return s.Apply(b, false)
	})
	for range 2 {
		g.loop(func() error {
			var seen []uint64
			err := s.Scan([]byte("k"), nil, func(_, v []byte) error {
				seen = append(seen, binary.LittleEndian.Uint64(v))
				return nil
			})
			if err == nil && len(seen) == 2 && seen[0]-seen[1] != 1 && seen[1]-seen[0] != 1 {
				err = fmt.Errorf("saw batches %d and %d, which do not follow each other", seen[0], seen[1])
			}
			return err
		})
	}
	if err := g.wait(duration()); err != nil {
		t.Error(err)
	}
}
