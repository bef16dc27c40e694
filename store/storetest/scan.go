// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

func testScan(t *testing.T, s store.Store) {
	if got := list(t, s, nil, nil); len(got) != 0 {
		t.Fatalf("an empty store shows %q", got)
	}
	keys := []string{"\x00", "\x00\x00", "a", "a\x00", "ab", "abc", "ac", "b", "b\xff", "b\xff\xff", "b\xff\xffz", "c",
		"\xff", "\xff\xff"}
	want := model{}
	b := new(store.Batch)
	for i := len(keys) - 1; i >= 0; i-- {
		b.Put([]byte(keys[i]), fmt.Appendf(nil, "%d", i))
	}
	b.Put([]byte("gone"), []byte("x"))
	apply(t, s, b)
	want.apply(b)
	b = new(store.Batch)
	b.Delete([]byte("gone"))
	apply(t, s, b)
	want.apply(b)

	prefixes := [][]byte{nil, {}, {0}, []byte("a"), []byte("ab"), []byte("abcd"), []byte("b\xff"), []byte("gone"),
		[]byte("d"), {0xff}, {0xff, 0xff}, {0xff, 0xff, 0xff}}
	starts := [][]byte{nil, {}, {0}, []byte("a"), []byte("aa"), []byte("ab"), []byte("abb"), []byte("b\xff\xff"),
		[]byte("gone"), []byte("z"), {0xff}, {0xff, 0xff, 0}}
	for _, prefix := range prefixes {
		for _, start := range starts {
			compare(t, fmt.Sprintf("Scan(%q, %q)", prefix, start), list(t, s, prefix, start), want.list(prefix, start))
		}
	}
}

func testScanStop(t *testing.T, s store.Store) {
	b := new(store.Batch)
	for i := range 10 {
		b.Put([]byte{'k', byte(i)}, nil)
	}
	apply(t, s, b)
	for _, c := range []struct{ give, want error }{
		{errMine, errMine},
		{store.ErrNotFound, store.ErrNotFound},
		{store.ErrStop, nil},
		{fmt.Errorf("enough: %w", store.ErrStop), nil},
	} {
		seen := 0
		stop := func() error {
			if seen++; seen == 4 {
				return c.give
			}
			return nil
		}
		if err := s.Scan([]byte("k"), nil, func(_, _ []byte) error { return stop() }); err != c.want || seen != 4 {
			t.Errorf("Scan: fn returned %v at the fourth entry: got %v after %d entries, want %v after 4", c.give, err,
				seen, c.want)
		}
		seen = 0
		if err := s.Keys([]byte("k"), nil, func([]byte) error { return stop() }); err != c.want || seen != 4 {
			t.Errorf("Keys: fn returned %v at the fourth entry: got %v after %d entries, want %v after 4", c.give, err,
				seen, c.want)
		}
	}
}

// testScanOneState scans while other batches replace, add and delete everything: the scan must show
// the state at its beginning.
func testScanOneState(t *testing.T, s store.Store) {
	const n = 2000
	fill := func(round int) *store.Batch {
		b := new(store.Batch)
		for i := round % 2; i < n; i += 2 {
			b.Put(fmt.Appendf(nil, "%05d", i), fmt.Appendf(nil, "%d:%0*d", round, 1+i%1500, i))
			b.Delete(fmt.Appendf(nil, "%05d", i^1))
			if b.Len() > store.MaxOps-2 {
				break
			}
		}
		return b
	}
	want := model{}
	b := fill(0)
	apply(t, s, b)
	want.apply(b)

	// The writer starts when the scan has shown its first entry. The scan then waits for it, but
	// not for ever: writers may wait for fn.
	stop, ready, written, done := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		<-ready
		for round := 1; ; round++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := s.Apply(fill(round), false); err != nil {
				done <- err
				return
			}
			if round == 1 {
				close(written)
			}
		}
	}()
	var got []string
	err := s.Scan(nil, nil, func(k, v []byte) error {
		if len(got) == 0 {
			close(ready)
			select {
			case <-written:
			case <-time.After(50 * time.Millisecond):
			}
		}
		got = append(got, string(k)+"="+string(v))
		return nil
	})
	close(stop)
	if err := errors.Join(err, <-done); err != nil {
		t.Fatal(err)
	}
	compare(t, "the state when the scan began", got, want.list(nil, nil))
}

// testKeys stores keys that engines like to keep for themselves, and every single byte.
func testKeys(t *testing.T, s store.Store) {
	want := model{}
	b := new(store.Batch)
	for c := range 256 {
		b.Put([]byte{byte(c)}, []byte{byte(c)})
		b.Put([]byte{'!', byte(c)}, []byte{1, byte(c)})
		b.Put([]byte{'!', '!', byte(c)}, []byte{2, byte(c)})
	}
	for _, key := range []string{"!badger!", "!badger!txn", "!badger!banned", "!badger", "!!badger!", "!badger!\x00",
		"__meta", "\x00\x00\x00\x00\x00\x00\x00\x00"} {
		b.Put([]byte(key), []byte(key))
	}
	apply(t, s, b)
	want.apply(b)
	want.check(t, s)
	for key, value := range want {
		if got, ok := read(t, s, key); !ok || got != value {
			t.Errorf("%q: got %q, %v, want %q", key, got, ok, value)
		}
	}
	for _, prefix := range []string{"!", "!!", "!b", "!badger!", "!badger!t", "\""} {
		for _, start := range []string{"", "!", "!!", "!a", "!badger", "!badger!c", "\""} {
			compare(t, fmt.Sprintf("Scan(%q, %q)", prefix, start), list(t, s, []byte(prefix), []byte(start)),
				want.list([]byte(prefix), []byte(start)))
		}
	}
	b = new(store.Batch)
	for key := range want {
		if len(key) > 1 {
			b.Delete([]byte(key))
		}
	}
	apply(t, s, b)
	want.apply(b)
	want.check(t, s)
}
