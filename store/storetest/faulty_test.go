// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

func TestFaultyConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T, string) store.Store { return storetest.NewFaulty(memstore.New()) })
}

var errDisk = errors.New("disk on fire")

// TestFaulty fails each kind of call, early and late, once and for good. It looks at what the call
// did and what the next ones do.
func TestFaulty(t *testing.T) {
	for _, call := range []storetest.Call{storetest.Get, storetest.Scan, storetest.Apply, storetest.Sync} {
		for _, late := range []bool{false, true} {
			for _, once := range []bool{false, true} {
				t.Run(fmt.Sprintf("call=%d/late=%v/once=%v", call, late, once), func(t *testing.T) {
					inner := memstore.New()
					s := storetest.NewFaulty(inner)
					if err := errors.Join(s.Apply(put("a", "1"), false), s.Apply(put("b", "1"), false)); err != nil {
						t.Fatal(err)
					}
					const nth = 3
					s.Inject(storetest.Fault{Call: call, Nth: nth, Err: errDisk, Late: late, Once: once})
					for i := 1; i <= 2*nth; i++ {
						shown := 0
						var err error
						switch call {
						case storetest.Get:
							err = s.Get([]byte("a"), func([]byte) error { shown++; return nil })
						case storetest.Scan:
							err = s.Scan(nil, nil, func(_, _ []byte) error { shown++; return nil })
						case storetest.Apply:
							before := len(content(t, inner))
							err = s.Apply(put(fmt.Sprint(i), ""), true)
							shown = len(content(t, inner)) - before
						case storetest.Sync:
							err = s.Sync()
						}
						fails := i == nth || i > nth && !once
						if fails != errors.Is(err, errDisk) || !fails && err != nil {
							t.Errorf("call %d: got %v, want an error: %v", i, err, fails)
						}
						want := 1
						switch {
						case call == storetest.Sync, fails && !(late && i == nth):
							want = 0
						case call == storetest.Scan && !fails:
							want = 2
						}
						if shown != want {
							t.Errorf("call %d did %d things, want %d", i, shown, want)
						}
					}
					if got := s.Count(call); got < 2*nth {
						t.Errorf("counted %d calls, want at least %d", got, 2*nth)
					}
					// A broken disk can still be read, and one that cannot be read can be written.
					read := s.Get([]byte("a"), func([]byte) error { return nil })
					write := s.Apply(put("z", ""), false)
					reads := call == storetest.Get || call == storetest.Scan
					if (read != nil) != (reads && !once) || (write != nil) != (!reads && !once) {
						t.Errorf("afterwards: reading gives %v, writing gives %v", read, write)
					}
					s.Heal()
					if err := errors.Join(s.Get([]byte("a"), func([]byte) error {
						return nil
					}), s.Apply(put("z", ""), true), s.Sync()); err != nil {
						t.Errorf("healed: %v", err)
					}
				})
			}
		}
	}
}

func ExampleFaulty() {
	s := storetest.NewFaulty(memstore.New())
	s.Inject(storetest.Fault{Call: storetest.Apply, Nth: 2, Err: errors.New("the disk is full"), Late: true})
	for _, key := range []string{"a", "b", "c"} {
		b := new(store.Batch)
		b.Put([]byte(key), nil)
		fmt.Println(key, s.Apply(b, true))
	}
	err := s.Scan(nil, nil, func(key, value []byte) error {
		fmt.Printf("found %s\n", key) // b reached the store, though its writer was told otherwise
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// a <nil>
	// b the disk is full
	// c the disk is full
	// found a
	// found b
}
