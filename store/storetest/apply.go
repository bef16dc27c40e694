// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/uproar-db/uproar/store"
)

func testApplyOrder(t *testing.T, s store.Store) {
	b := new(store.Batch)
	b.Put([]byte("twice"), []byte("first"))
	b.Put([]byte("put then deleted"), []byte("x"))
	b.Delete([]byte("deleted then put"))
	b.Delete([]byte("never there"))
	b.Put([]byte("twice"), bytes.Repeat([]byte("second"), 1000))
	b.Delete([]byte("put then deleted"))
	b.Put([]byte("deleted then put"), []byte("y"))
	b.Put([]byte("twice"), []byte("third"))
	want := model{}
	want.apply(b)
	apply(t, s, b)
	want.check(t, s)
	apply(t, s, b) // a batch may be applied again
	want.check(t, s)
	if b.Len() != 8 {
		t.Errorf("Apply changed the batch: %d operations, want 8", b.Len())
	}
}

// testApplyOwnership overwrites every byte that a batch refers to once Apply has returned.
func testApplyOwnership(t *testing.T, s store.Store) {
	for _, sync := range []bool{false, true} {
		for _, size := range []int{3, 3000} {
			key, gone, value := []byte("key"), []byte("gone"), bytes.Repeat([]byte("v"), size)
			want := string(value)
			apply(t, s, put("gone", "x"))
			b := new(store.Batch)
			b.Put(key, value)
			b.Delete(gone)
			if err := s.Apply(b, sync); err != nil {
				t.Fatal(err)
			}
			for _, bs := range [][]byte{key, gone, value} {
				for i := range bs {
					bs[i] = 'X'
				}
			}
			b.Reset()
			if got, ok := read(t, s, "key"); !ok || got != want {
				t.Errorf("sync %v, %d bytes: the caller's changes reached the store: %.20q, %v", sync, size, got, ok)
			}
			if _, ok := read(t, s, "gone"); ok {
				t.Errorf("sync %v: a deleted entry is back", sync)
			}
		}
	}
}

func testApplyEmpty(t *testing.T, s store.Store) {
	apply(t, s, put("a", "1"))
	for _, sync := range []bool{false, true} {
		if err := s.Apply(new(store.Batch), sync); err != nil {
			t.Errorf("an empty batch, sync %v: %v", sync, err)
		}
	}
	if err := s.Sync(); err != nil {
		t.Errorf("Sync: %v", err)
	}
	model{"a": "1"}.check(t, s)
}

// testLimitsReached applies batches of exactly the limits.
func testLimitsReached(t *testing.T, s store.Store) {
	key := func(i, length int) []byte { return fmt.Appendf(nil, "%0*d", length, i) }
	cases := []struct{ ops, key, value int }{
		{store.MaxOps, store.MaxKey, 63},
		{store.MaxOps, store.MaxKey, 64},
		{store.MaxOps, store.MaxKey, 1023},
		{2, 8, store.MaxValue - 8},
		{1, 1, store.MaxValue},
	}
	if !testing.Short() {
		cases = append(cases, []struct{ ops, key, value int }{
			{store.MaxOps, store.MaxKey, 0},
			{store.MaxOps, store.MaxKey, 500},
			{store.MaxOps, store.MaxKey, 1021},
			{store.MaxOps, store.MaxKey, 1022},
			{store.MaxOps, store.MaxKey, 1024},
			{store.MaxOps, 32, store.MaxBatch/store.MaxOps - 32},
		}...)
	}
	for _, c := range cases {
		what := fmt.Sprintf("%d operations, keys of %d, values of %d bytes", c.ops, c.key, c.value)
		want := model{}
		b, clear := new(store.Batch), new(store.Batch)
		for i := range c.ops {
			value := bytes.Repeat([]byte{byte(i), byte(i >> 8), 7}, c.value/3+1)[:c.value]
			b.Put(key(i, c.key), value)
			clear.Delete(key(i, c.key))
		}
		if err := b.Check(); err != nil {
			t.Fatalf("%s: the test's own batch: %v", what, err)
		}
		if err := s.Apply(b, true); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		want.apply(b)
		want.check(t, s)
		for _, i := range []int{0, c.ops / 2, c.ops - 1} {
			if got, ok := read(t, s, string(key(i, c.key))); !ok || got != want[string(key(i, c.key))] {
				t.Fatalf("%s: entry %d: got %d bytes (found: %v), want %d", what, i, len(got), ok, c.value)
			}
		}
		apply(t, s, clear)
		model{}.check(t, s)
	}
}

// testLimitsExceeded applies batches just beyond the limits, which must change nothing.
func testLimitsExceeded(t *testing.T, s store.Store) {
	apply(t, s, put("a", "1"))
	many := new(store.Batch)
	for i := range store.MaxOps + 1 {
		many.Put(fmt.Appendf(nil, "%d", i), nil)
	}
	with := func(key, value []byte) *store.Batch {
		b := put("b", "2")
		b.Put(key, value)
		return b
	}
	large := new(store.Batch)
	large.Put([]byte("x"), make([]byte, store.MaxValue))
	large.Put([]byte("y"), make([]byte, store.MaxBatch-store.MaxValue-1))
	long := put("b", "2")
	long.Delete(make([]byte, store.MaxKey+1))
	for _, c := range []struct {
		batch *store.Batch
		what  string
		got   int
		max   int
	}{
		{many, "batch operations", store.MaxOps + 1, store.MaxOps},
		{with(make([]byte, store.MaxKey+1), nil), "key bytes", store.MaxKey + 1, store.MaxKey},
		{long, "key bytes", store.MaxKey + 1, store.MaxKey},
		{with([]byte("c"), make([]byte, store.MaxValue+1)), "value bytes", store.MaxValue + 1, store.MaxValue},
		{large, "batch bytes", store.MaxBatch + 1, store.MaxBatch},
	} {
		err := s.Apply(c.batch, true)
		var tooLarge *store.TooLargeError
		if !errors.Is(err, store.ErrTooLarge) || !errors.As(err, &tooLarge) {
			t.Errorf("%s: got %v, want a *TooLargeError", c.what, err)
		} else if *tooLarge != (store.TooLargeError{What: c.what, Got: c.got, Max: c.max}) {
			t.Errorf("%s: got %+v, want %d and %d", c.what, *tooLarge, c.got, c.max)
		}
	}
	for _, key := range [][]byte{nil, {}} {
		b := put("b", "2")
		b.Delete(key)
		for _, b := range []*store.Batch{with(key, []byte("x")), b} {
			if err := s.Apply(b, true); !errors.Is(err, store.ErrEmptyKey) {
				t.Errorf("an empty key: got %v, want %v", err, store.ErrEmptyKey)
			}
		}
	}
	model{"a": "1"}.check(t, s)
	apply(t, s, put("c", "3"))
	model{"a": "1", "c": "3"}.check(t, s)
}
