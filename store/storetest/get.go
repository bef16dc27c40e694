// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

var errMine = errors.New("the caller's own error")

func testGet(t *testing.T, s store.Store) {
	if _, ok := read(t, s, "a"); ok {
		t.Error("an empty store has an entry")
	}
	apply(t, s, put("a", "1"))
	if got, ok := read(t, s, "a"); !ok || got != "1" {
		t.Errorf("got %q, %v, want 1", got, ok)
	}
	for _, key := range []string{"A", "aa", "\x00", "a\x00", strings.Repeat("a", store.MaxKey),
		strings.Repeat("a", 4*store.MaxKey)} {
		if got, ok := read(t, s, key); ok {
			t.Errorf("got %q for %.10q, which nobody stored", got, key)
		}
	}
	apply(t, s, put("a", "2"))
	if got, _ := read(t, s, "a"); got != "2" {
		t.Errorf("after replacing: got %q, want 2", got)
	}

	// What fn returns is returned as it is, also what other methods understand in their own ways.
	for _, want := range []error{errMine, store.ErrStop, store.ErrNotFound} {
		if err := s.Get([]byte("a"), func([]byte) error { return want }); err != want {
			t.Errorf("fn returned %v, Get returned %v", want, err)
		}
	}
	for _, key := range [][]byte{nil, {}} {
		if err := s.Get(key, func([]byte) error { return errMine }); !errors.Is(err, store.ErrEmptyKey) {
			t.Errorf("Get of an empty key: got %v, want %v", err, store.ErrEmptyKey)
		}
	}

	b := new(store.Batch)
	b.Delete([]byte("a"))
	apply(t, s, b)
	if got, ok := read(t, s, "a"); ok {
		t.Errorf("after deleting: got %q", got)
	}
	apply(t, s, put("a", "3"))
	if got, _ := read(t, s, "a"); got != "3" {
		t.Errorf("stored again after deleting: got %q, want 3", got)
	}
}

// testValues reads and scans values of many lengths, among them those around which engines change
// their ways.
func testValues(t *testing.T, s store.Store) {
	lengths := []int{0, 1, 2, 63, 64, 65, 255, 256, 1020, 1021, 1022, 1023, 1024, 1025, 1026, 1027, 4095, 4096, 4097,
		32 << 10, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20}
	rng := newRand(t)
	want := model{}
	for i, n := range lengths {
		value := make([]byte, n)
		for j := range value {
			value[j] = byte(rng.Uint32())
		}
		b := new(store.Batch)
		b.Put(fmt.Appendf(nil, "%02d", i), value)
		if n == 0 {
			b.Put([]byte("nil"), nil) // no value and an empty value are the same
		}
		want.apply(b)
		apply(t, s, b)
	}
	for key, value := range want {
		if got, ok := read(t, s, key); !ok || got != value {
			t.Errorf("%s: got %d bytes (found: %v), want %d", key, len(got), ok, len(value))
		}
	}
	want.check(t, s)
}

// testLentBytes holds a value while it is replaced: its bytes must stay until fn returns. Writers
// may wait for fn.
func testLentBytes(t *testing.T, s store.Store) {
	for _, size := range []int{10, 5000} {
		before := strings.Repeat("b", size)
		apply(t, s, put("k", before))
		done := make(chan error, 1)
		err := s.Get([]byte("k"), func(v []byte) error {
			go func() { done <- s.Apply(put("k", strings.Repeat("a", size)), false) }()
			select {
			case err := <-done:
				done <- err
			case <-time.After(20 * time.Millisecond):
			}
			if !bytes.Equal(v, []byte(before)) {
				return errMine
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d bytes: the value changed while it was read: %v", size, err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}
