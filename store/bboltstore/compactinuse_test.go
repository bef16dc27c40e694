// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// TestCompactInUse compacts again and again while others write and read: no reader sees a torn
// batch or one older than an acknowledged one.
func TestCompactInUse(t *testing.T) {
	s := mustOpen(t)
	const group = 20
	var acked atomic.Int64
	write := func(n int64) error {
		b := new(store.Batch)
		for i := range group {
			b.Put(fmt.Appendf(nil, "k%02d", i), fmt.Appendf(nil, "%08d%0*d", n, 1000*i, 0))
		}
		return s.Apply(b, true)
	}
	if err := write(0); err != nil {
		t.Fatal(err)
	}
	var stop atomic.Bool
	var wg sync.WaitGroup
	loop := func(call func() error) {
		wg.Go(func() {
			for !stop.Load() {
				if err := call(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	loop(func() error {
		n := acked.Load() + 1
		err := write(n)
		acked.Store(n)
		return err
	})
	for range 2 {
		loop(func() error {
			least, first, n := acked.Load(), "", 0
			err := s.Scan([]byte("k"), nil, func(_, v []byte) error {
				if n++; n == 1 {
					first = string(v[:8])
				}
				if string(v[:8]) != first {
					return fmt.Errorf("torn: %s and %s", first, v[:8])
				}
				return nil
			})
			if err == nil && (n != group || first < fmt.Sprintf("%08d", least)) {
				err = fmt.Errorf("%d entries of batch %s, want %d and at least batch %d", n, first, group, least)
			}
			return err
		})
	}
	loop(func() error { return s.Get([]byte("k07"), func([]byte) error { return nil }) })
	rounds := 10
	if testing.Short() {
		rounds = 4
	}
	for range rounds {
		var two sync.WaitGroup // one waits for the other
		for range 2 {
			two.Go(func() {
				if err := s.Compact(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		two.Wait()
	}
	stop.Store(true)
	wg.Wait()
}
