// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package storetest holds what every store must pass, and the stores that misbehave on purpose.
//
// [Run] and [RunDurable] are the conformance suite: each sentence of the contract of [store.Store]
// has a test there, and a back end is one when it passes them. [Forgetful] simulates power cuts,
// and [Faulty] fails the calls that it is told to; both wrap any store, for the crash tests of the
// layers above.
package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// long asks for the suite's long form: more random batches, and more time for the tests of
// concurrent use.
var long = os.Getenv("UPROAR_LONG") == "1"

// Run runs the conformance suite. With UPROAR_LONG=1 it does so in its long form. Open makes a new,
// empty store whose files, if it has any, live in the empty folder dir; it fails the test when it
// cannot. The suite closes every store that it opens.
func Run(t *testing.T, open func(t *testing.T, dir string) store.Store) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, s store.Store)
	}{
		{"get", testGet},
		{"get/values", testValues},
		{"get/lent-bytes", testLentBytes},
		{"scan", testScan},
		{"scan/stop", testScanStop},
		{"scan/one-state", testScanOneState},
		{"keys", testKeys},
		{"apply/order", testApplyOrder},
		{"apply/ownership", testApplyOwnership},
		{"apply/empty", testApplyEmpty},
		{"limits/reached", testLimitsReached},
		{"limits/exceeded", testLimitsExceeded},
		{"history", testHistory},
		{"concurrent/atomic", testAtomicReads},
		{"concurrent/own-writes", testOwnWrites},
		{"concurrent/order", testOrder},
		{"closed", testClosed},
		{"closed/in-use", testCloseInUse},
		{"power/size", testSize},
		{"power/compact", testCompact},
		{"power/ingest", testIngest},
		{"power/ingest/refused", testIngestRefuses},
		{"power/ingest/large", testIngestLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, t.TempDir())
			t.Cleanup(func() {
				if err := s.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
					t.Errorf("Close: %v", err)
				}
			})
			c.test(t, s)
		})
	}
}

// RunDurable runs the tests of stores that outlive the process: what was written is there when the
// store is opened again in the same folder.
func RunDurable(t *testing.T, open func(t *testing.T, dir string) store.Store) {
	t.Run("reopen", func(t *testing.T) { testReopen(t, open) })
	t.Run("reopen/large", func(t *testing.T) { testReopenLarge(t, open) })
	t.Run("reopen/ingested", func(t *testing.T) { testReopenIngested(t, open) })
}

// put is a batch of one entry.
func put(key, value string) *store.Batch {
	b := new(store.Batch)
	b.Put([]byte(key), []byte(value))
	return b
}

func apply(t *testing.T, s store.Store, b *store.Batch) {
	t.Helper()
	if err := s.Apply(b, false); err != nil {
		t.Fatalf("Apply of %d operations, %d bytes: %v", b.Len(), b.Size(), err)
	}
}

// read returns a copy of the value under key, and whether there is one.
func read(t *testing.T, s store.Store, key string) (string, bool) {
	t.Helper()
	var value string
	called := 0
	err := s.Get([]byte(key), func(v []byte) error {
		called++
		value = string(v)
		return nil
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		if called != 0 {
			t.Fatalf("Get(%q): fn was called %d times for an entry that is not there", key, called)
		}
		return "", false
	case err != nil:
		t.Fatalf("Get(%q): %v", key, err)
	case called != 1:
		t.Fatalf("Get(%q): fn was called %d times, want once", key, called)
	}
	return value, true
}

// list returns what a scan shows, as key=value. Keys must show the same keys.
func list(t *testing.T, s store.Store, prefix, start []byte) []string {
	t.Helper()
	var got []string
	err := s.Scan(prefix, start, func(k, v []byte) error {
		got = append(got, string(k)+"="+string(v))
		return nil
	})
	if err != nil {
		t.Fatalf("Scan(%q, %q): %v", prefix, start, err)
	}
	n := 0
	err = s.Keys(prefix, start, func(k []byte) error {
		if n >= len(got) || len(got[n]) <= len(k) || got[n][len(k)] != '=' || got[n][:len(k)] != string(k) {
			return fmt.Errorf("key %d of %d: got %.100q, which Scan does not show there", n, len(got), k)
		}
		n++
		return nil
	})
	if err != nil || n != len(got) {
		t.Fatalf("Keys(%q, %q): got %d keys, want the %d of Scan: %v", prefix, start, n, len(got), err)
	}
	return got
}

// model is the plain map that a store is compared with.
type model map[string]string

func (m model) apply(b *store.Batch) {
	for op := range b.Ops() {
		if op.Delete {
			delete(m, string(op.Key))
		} else {
			m[string(op.Key)] = string(op.Value)
		}
	}
}

func (m model) list(prefix, start []byte) []string {
	var keys []string
	for k := range m {
		if bytes.HasPrefix([]byte(k), prefix) && bytes.Compare([]byte(k), start) >= 0 {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	for i, k := range keys {
		keys[i] = k + "=" + m[k]
	}
	return keys
}

// check compares the whole store with the model.
func (m model) check(t *testing.T, s store.Store) {
	t.Helper()
	compare(t, "the whole store", list(t, s, nil, nil), m.list(nil, nil))
}

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(want):
			t.Fatalf("%s: entry %d of %d: got %.100q, want no more entries", what, i, len(got), got[i])
		case i >= len(got):
			t.Fatalf("%s: entry %d: got no more entries, want %.100q and %d more", what, i, want[i], len(want)-i-1)
		case got[i] != want[i]:
			t.Fatalf("%s: entry %d: got %.100q, want %.100q", what, i, got[i], want[i])
		}
	}
}

// randomKey draws from few enough keys that histories meet them again, many of them prefixes of
// each other.
func randomKey(rng *rand.Rand) []byte {
	alphabet := []byte{0x00, '!', 'a', 'b', 0xff}
	key := make([]byte, 1+rng.IntN(5))
	for i := range key {
		key[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return key
}

// randomValue is empty, small, or large, as pages and log entries are.
func randomValue(rng *rand.Rand) []byte {
	n := 0
	switch rng.IntN(8) {
	case 0:
	case 1, 2, 3:
		n = rng.IntN(64)
	case 4, 5:
		n = 900 + rng.IntN(300) // around the sizes at which engines store values elsewhere
	default:
		n = rng.IntN(20_000)
	}
	value := make([]byte, n)
	for i := range value {
		value[i] = byte(rng.Uint32())
	}
	return value
}

// randomBatch holds up to ten operations, sometimes several on one key.
func randomBatch(rng *rand.Rand) *store.Batch {
	b := new(store.Batch)
	for range 1 + rng.IntN(10) {
		if rng.IntN(3) == 0 {
			b.Delete(randomKey(rng))
		} else {
			b.Put(randomKey(rng), randomValue(rng))
		}
	}
	return b
}

// newRand returns a generator whose seed is logged, so that a failure can be had again.
func newRand(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}
