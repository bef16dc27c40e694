// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

func TestBatch(t *testing.T) {
	b := new(store.Batch)
	if b.Len() != 0 || b.Size() != 0 || b.Check() != nil {
		t.Errorf("the zero batch: %d operations, %d bytes, %v", b.Len(), b.Size(), b.Check())
	}
	b.Put([]byte("key"), []byte("value"))
	b.Delete([]byte("gone"))
	b.Put([]byte("nil"), nil)
	if b.Len() != 3 || b.Size() != 3+5+4+3 {
		t.Errorf("got %d operations, %d bytes, want 3 and 15", b.Len(), b.Size())
	}
	var got []string
	for op := range b.Ops() {
		got = append(got, fmt.Sprintf("%s %q %v", op.Key, op.Value, op.Delete))
	}
	want := []string{`key "value" false`, `gone "" true`, `nil "" false`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	b.Reset()
	if b.Len() != 0 || b.Size() != 0 {
		t.Errorf("after Reset: %d operations, %d bytes", b.Len(), b.Size())
	}
	for op := range b.Ops() {
		t.Errorf("after Reset: %v", op)
	}
}

func TestBatchCheck(t *testing.T) {
	ops := func(n int) *store.Batch {
		b := new(store.Batch)
		for range n {
			b.Delete([]byte("k"))
		}
		return b
	}
	entry := func(key, value int) *store.Batch {
		b := ops(1)
		b.Put(make([]byte, key), make([]byte, value))
		return b
	}
	bytes := func(n int) *store.Batch {
		b := new(store.Batch)
		value := make([]byte, store.MaxValue/2)
		for n > 0 {
			b.Put([]byte{1}, value[:min(n-1, len(value))])
			n -= 1 + min(n-1, len(value))
		}
		return b
	}
	for _, c := range []struct {
		name  string
		batch *store.Batch
		want  error // compared by text
	}{
		{"most operations", ops(store.MaxOps), nil},
		{"one operation more", ops(store.MaxOps + 1), &store.TooLargeError{What: "batch operations", Got: store.MaxOps +
			1, Max: store.MaxOps}},
		{"longest key", entry(store.MaxKey, 0), nil},
		{"longer key", entry(store.MaxKey+1, 0), &store.TooLargeError{What: "key bytes", Got: store.MaxKey + 1,
			Max: store.MaxKey}},
		{"empty key", entry(0, 1), store.ErrEmptyKey},
		{"longest value", entry(1, store.MaxValue), nil},
		{"longer value", entry(1, store.MaxValue+1), &store.TooLargeError{What: "value bytes", Got: store.MaxValue + 1,
			Max: store.MaxValue}},
		{"most bytes", bytes(store.MaxBatch), nil},
		{"one byte more", bytes(store.MaxBatch + 1), &store.TooLargeError{What: "batch bytes", Got: store.MaxBatch + 1,
			Max: store.MaxBatch}},
	} {
		err := c.batch.Check()
		if fmt.Sprint(err) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		if tooLarge := new(store.TooLargeError); errors.As(c.want, &tooLarge) != errors.Is(err, store.ErrTooLarge) {
			t.Errorf("%s: %v: ErrTooLarge: %v", c.name, err, errors.Is(err, store.ErrTooLarge))
		}
	}
}

func Example() {
	var s store.Store = memstore.New() // or any other back end
	defer s.Close()

	b := new(store.Batch)
	b.Put([]byte("greeting"), []byte("hello"))
	if err := s.Apply(b, true); err != nil {
		fmt.Println(err)
	}
	err := s.Get([]byte("greeting"), func(value []byte) error {
		fmt.Printf("%s\n", value) // value must not be kept: it is valid in here only
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	err = s.Get([]byte("farewell"), func([]byte) error { return nil })
	fmt.Println(errors.Is(err, store.ErrNotFound))
	// Output:
	// hello
	// true
}

func ExampleTooLargeError() {
	s := memstore.New()
	defer s.Close()

	b := new(store.Batch)
	b.Put([]byte("key"), make([]byte, store.MaxValue+1))
	err := s.Apply(b, false)
	fmt.Println(err)
	fmt.Println(errors.Is(err, store.ErrTooLarge))
	// Output:
	// store: too large: value bytes: got 16777217, want at most 16777216
	// true
}
