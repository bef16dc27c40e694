// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestNewKeys adds keys, some of them again, beside a map. Each published copy goes on saying what
// it said, also after the owner went back to one of them, and added others.
func TestNewKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 2))
	d := New(map[uint32]uint64{1: 7})
	want := make(map[string]uint64)
	var said []map[string]uint64
	var copies []*Table
	for round := range 60 {
		for range rng.IntN(200) {
			key := fmt.Sprint("k", rng.IntN(2000))
			id := d.AddKey(1, key)
			if id != d.Spaces[1].Next()-1 {
				t.Fatalf("round %d: got ID %d, want %d", round, id, d.Spaces[1].Next()-1)
			}
			want[key] = id
		}
		now := make(map[string]uint64, len(want))
		for key, id := range want {
			now[key] = id
		}
		said, copies = append(said, now), append(copies, d.Publish())
		if rng.IntN(4) == 0 { // what was not published is undone
			for range rng.IntN(300) {
				d.AddKey(1, fmt.Sprint("undone", rng.IntN(2000)))
			}
			d = copies[len(copies)-1].Publish()
		}
	}
	for i, c := range copies {
		for n := range 2000 {
			key := fmt.Sprint("k", n)
			id, ok := c.Lookup(1, key)
			if want, known := said[i][key]; ok != known || id != want {
				t.Fatalf("copy %d, %s: got %d, %v, want %d, %v", i, key, id, ok, want, known)
			}
			if _, ok := c.Lookup(1, fmt.Sprint("undone", n)); ok {
				t.Fatalf("copy %d has a key that was undone", i)
			}
		}
	}
	if _, ok := EmptyKeys(3).find(""); ok {
		t.Error("got a key of none")
	}
}

// TestNewKeysTogether reads copies while keys are added.
func TestNewKeysTogether(t *testing.T) {
	d := New(map[uint32]uint64{1: 0})
	var readers sync.WaitGroup
	for n := range 5000 {
		d.AddKey(1, fmt.Sprint("k", n))
		if n%500 > 0 {
			continue
		}
		p := d.Publish()
		readers.Go(func() {
			for i := range 2 * n {
				if id, ok := p.Lookup(1, fmt.Sprint("k", i)); ok != (i <= n) || ok && id != uint64(i) {
					t.Errorf("key %d of %d: got %d, %v", i, n, id, ok)
					return
				}
			}
		})
	}
	readers.Wait()
}
