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

// Keys counts as a Scan.
func (f *Faulty) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return f.Scan(prefix, start, func(key, _ []byte) error { return fn(key) })
}

// Keys passes the call on.
func (f *Forgetful) Keys(prefix, start []byte, fn func(key []byte) error) error {
	if f.dead.Load() {
		return store.ErrClosed
	}
	return f.disk.inner.Keys(prefix, start, fn)
}

// TestKeys checks that Keys meets the keys that Scan meets, for any prefix and start, and ends as fn wants it to.
func TestKeys(t *testing.T, s store.Store) {
	var b store.Batch
	for i := range 100 {
		b.Put(fmt.Appendf(nil, "%c/%03d", 'a'+i%3, i), bytes.Repeat([]byte{byte(i)}, i*100))
	}
	if err := s.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	b.Delete([]byte("a/003"))
	if err := s.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"", ""}, {"a/", ""}, {"b/", "b/05"}, {"c/", "a"}, {"a/", "b"}, {"x", ""}, {"a/003", ""}} {
		var want, got [][]byte
		if err := s.Scan([]byte(c[0]), []byte(c[1]), func(key, _ []byte) error { want = append(want, bytes.Clone(key)); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := s.Keys([]byte(c[0]), []byte(c[1]), func(key []byte) error { got = append(got, bytes.Clone(key)); return nil }); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.Join(got, []byte{0}), bytes.Join(want, []byte{0})) {
			t.Errorf("Keys(%q, %q): got %q, want %q", c[0], c[1], got, want)
		}
	}
	n := 0
	if err := s.Keys(nil, nil, func([]byte) error { n++; return store.ErrStop }); err != nil || n != 1 {
		t.Errorf("Keys with ErrStop: got %v after %d keys, want nil after 1", err, n)
	}
	stop := errors.New("enough")
	if err := s.Keys(nil, nil, func([]byte) error { return stop }); err != stop {
		t.Errorf("Keys with an error: got %v, want it as it is", err)
	}
}
