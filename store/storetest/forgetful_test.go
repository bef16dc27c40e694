// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

func TestForgetfulConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T, string) store.Store { return storetest.NewForgetful(memstore.New()) })
}

func content(t *testing.T, s store.Store) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := s.Scan(nil, nil, func(k, v []byte) error {
		m[string(k)] = string(v)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func put(key, value string) *store.Batch {
	b := new(store.Batch)
	b.Put([]byte(key), []byte(value))
	return b
}

// TestForgetfulPowerCut runs random histories with power cuts: what is left must be the state after
// some whole number of batches, none of them synced and missing. Over all cuts everything between
// all and nothing must be forgotten at some time, or the wrapper is a poor liar.
func TestForgetfulPowerCut(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	s := storetest.NewForgetful(memstore.New())
	states := []map[string]string{{}} // after the last sync and after each batch since
	forgotAll, forgotNone, forgotSome := 0, 0, 0
	for range 500 {
		for range rng.IntN(12) {
			b, now := new(store.Batch), maps.Clone(states[len(states)-1])
			for range 1 + rng.IntN(4) {
				key := fmt.Sprint(rng.IntN(20))
				if rng.IntN(3) == 0 {
					b.Delete([]byte(key))
					delete(now, key)
				} else {
					value := fmt.Sprint(rng.Uint32())
					b.Put([]byte(key), []byte(value))
					now[key] = value
				}
			}
			sync := rng.IntN(10) == 0
			if err := s.Apply(b, sync); err != nil {
				t.Fatal(err)
			}
			states = append(states, now)
			if sync {
				states = states[len(states)-1:]
			}
			if rng.IntN(20) == 0 {
				if err := s.Sync(); err != nil {
					t.Fatal(err)
				}
				states = states[len(states)-1:]
			}
		}
		unsynced := s.Unsynced()
		if unsynced != len(states)-1 {
			t.Fatalf("%d batches unsynced, want %d", unsynced, len(states)-1)
		}
		if rng.IntN(5) == 0 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			states = states[len(states)-1:]
		}
		forgotten := s.PowerCut(rng)
		s = s.Reopen()
		want := states[len(states)-1-forgotten]
		if got := content(t, s); !maps.Equal(got, want) {
			t.Fatalf("after forgetting %d of %d batches: got %v, want %v", forgotten, unsynced, got, want)
		}
		states = []map[string]string{want}
		switch {
		case unsynced < 2:
		case forgotten == 0:
			forgotNone++
		case forgotten == unsynced:
			forgotAll++
		default:
			forgotSome++
		}
	}
	if forgotAll == 0 || forgotNone == 0 || forgotSome == 0 {
		t.Errorf("forgot all %d times, some %d times, none %d times: each must happen", forgotAll, forgotSome,
			forgotNone)
	}
}

// TestForgetfulLargeUndo forgets a small batch that deleted more than one batch may hold.
func TestForgetfulLargeUndo(t *testing.T) {
	s := storetest.NewForgetful(memstore.New())
	value := strings.Repeat("v", store.MaxValue-1)
	del := new(store.Batch)
	for i := range 4 {
		key := fmt.Sprint(i)
		if err := s.Apply(put(key, value), true); err != nil {
			t.Fatal(err)
		}
		del.Delete([]byte(key))
	}
	for seed := uint64(0); ; seed++ {
		if err := s.Apply(del, false); err != nil {
			t.Fatal(err)
		}
		if s.PowerCut(rand.New(rand.NewPCG(seed, 0))) == 1 {
			break
		}
		s = s.Reopen()
		for i := range 4 {
			if err := s.Apply(put(fmt.Sprint(i), value), true); err != nil {
				t.Fatal(err)
			}
		}
	}
	s = s.Reopen()
	got := content(t, s)
	for i := range 4 {
		if got[fmt.Sprint(i)] != value {
			t.Errorf("entry %d has %d bytes after the power cut, want %d", i, len(got[fmt.Sprint(i)]), len(value))
		}
	}
}

func TestForgetfulHandles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := storetest.NewForgetful(memstore.New())
	if err := s.Apply(put("a", "1"), true); err != nil {
		t.Fatal(err)
	}
	panics := func(f func()) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		f()
		return
	}
	if !panics(func() { s.Reopen() }) {
		t.Error("Reopen of a store in use did not panic")
	}
	s.PowerCut(rng)
	for name, call := range map[string]func() error{
		"Get":   func() error { return s.Get([]byte("a"), func([]byte) error { return nil }) },
		"Scan":  func() error { return s.Scan(nil, nil, func(_, _ []byte) error { return nil }) },
		"Apply": func() error { return s.Apply(put("a", "2"), true) },
		"Sync":  s.Sync,
		"Close": s.Close,
	} {
		if err := call(); !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s after a power cut: got %v, want %v", name, err, store.ErrClosed)
		}
	}
	s2 := s.Reopen()
	if !panics(func() { s.Reopen() }) {
		t.Error("a second Reopen did not panic")
	}
	if s.PowerCut(rng) != 0 || content(t, s2)["a"] != "1" {
		t.Error("cutting the power of a dead handle did something")
	}
}

// TestForgetfulInUse cuts the power while several goroutines write: each acknowledged and synced
// write must be there.
func TestForgetfulInUse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := storetest.NewForgetful(memstore.New())
	for round := range 50 {
		acked := make([]int, 4)
		var wg sync.WaitGroup
		for w := range acked {
			wg.Go(func() {
				for n := 1; ; n++ {
					if err := s.Apply(put(fmt.Sprintf("%d/%d/%d", round, w, n), ""), n%3 == 0); err != nil {
						if !errors.Is(err, store.ErrClosed) {
							t.Error(err)
						}
						return
					}
					if n%3 == 0 {
						acked[w] = n
					}
				}
			})
		}
		for s.Unsynced() < 2 {
			if err := s.Get([]byte("x"), func([]byte) error { return nil }); !errors.Is(err, store.ErrNotFound) {
				t.Fatal(err)
			}
		}
		s.PowerCut(rng)
		wg.Wait()
		s = s.Reopen()
		got := content(t, s)
		for w, last := range acked {
			for n := 1; n <= last; n++ {
				if _, ok := got[fmt.Sprintf("%d/%d/%d", round, w, n)]; !ok {
					t.Fatalf("round %d, writer %d: write %d is gone, though write %d was synced", round, w, n, last)
				}
			}
		}
	}
}

func ExampleForgetful() {
	s := storetest.NewForgetful(memstore.New())
	b := new(store.Batch)
	b.Put([]byte("a"), []byte("synced"))
	fmt.Println(s.Apply(b, true))
	b.Reset()
	b.Put([]byte("b"), []byte("not synced"))
	fmt.Println(s.Apply(b, false))

	s.PowerCut(rand.New(rand.NewPCG(2, 2))) // this seed forgets what it may
	err := s.Reopen().Scan(nil, nil, func(key, value []byte) error {
		fmt.Printf("%s = %s\n", key, value)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// <nil>
	// a = synced
}
