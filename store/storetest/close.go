// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// calls are all methods of a store, by name.
func calls(s store.Store) map[string]func() error {
	m := map[string]func() error{
		"Get":         func() error { return s.Get([]byte("a"), func([]byte) error { return nil }) },
		"Get, absent": func() error { return s.Get([]byte("b"), func([]byte) error { return nil }) },
		"Scan":        func() error { return s.Scan(nil, nil, func(_, _ []byte) error { return nil }) },
		"Keys":        func() error { return s.Keys(nil, nil, func([]byte) error { return nil }) },
		"Apply":       func() error { return s.Apply(put("a", "2"), false) },
		"Apply, sync": func() error { return s.Apply(put("a", "2"), true) },
		"Apply, none": func() error { return s.Apply(new(store.Batch), true) },
		"Sync":        s.Sync,
		"Close":       s.Close,
	}
	if p, ok := s.(store.Sizer); ok {
		m["Size"] = func() error { _, err := p.Size(); return err }
	}
	if p, ok := s.(store.Spacer); ok {
		m["Space"] = func() error { _, err := p.Space(); return err }
	}
	if p, ok := s.(store.Compacter); ok {
		m["Compact"] = func() error { return p.Compact(context.Background()) }
	}
	return m
}

func testClosed(t *testing.T, s store.Store) {
	apply(t, s, put("a", "1"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, call := range calls(s) {
		if err := call(); !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s after Close: got %v, want %v", name, err, store.ErrClosed)
		}
	}
}

// testCloseInUse closes the store while everybody uses it: each call either works or returns
// ErrClosed.
func testCloseInUse(t *testing.T, s store.Store) {
	for i := range 100 {
		apply(t, s, put(fmt.Sprintf("k%02d", i), strings.Repeat("v", 100*i)))
	}
	g := newGroup()
	for range 2 {
		for name, call := range calls(s) {
			if name == "Close" {
				continue
			}
			g.loop(func() error {
				if err := call(); err != nil && !errors.Is(err, store.ErrClosed) && !errors.Is(err, store.ErrNotFound) {
					return fmt.Errorf("%s: %w", name, err)
				}
				return nil
			})
		}
	}
	closed := make(chan error, 2)
	for range cap(closed) { // two at once: one of them closes it
		go func() { closed <- s.Close() }()
	}
	first, second := <-closed, <-closed
	if first != nil {
		first, second = second, first
	}
	if first != nil || !errors.Is(second, store.ErrClosed) {
		t.Errorf("two calls of Close: got %v and %v, want nil and %v", first, second, store.ErrClosed)
	}
	if err := g.wait(duration() / 10); err != nil {
		t.Error(err)
	}
}

func testSize(t *testing.T, s store.Store) {
	sizer, ok := s.(store.Sizer)
	if !ok {
		t.Skip("this store has no Size")
	}
	before, err := sizer.Size()
	if err != nil {
		t.Fatal(err)
	}
	const n, size = 64, 64 << 10
	b := new(store.Batch)
	for i := range n {
		b.Put([]byte{byte(i)}, make([]byte, size))
	}
	if err := s.Apply(b, true); err != nil {
		t.Fatal(err)
	}
	after, err := sizer.Size()
	if err != nil {
		t.Fatal(err)
	}
	if before.Total() != before.Tree+before.Values || before.Tree < 0 || before.Values < 0 {
		t.Errorf("a size whose parts make no sum: %+v", before)
	}
	if grown := after.Total() - before.Total(); grown < n*size || grown > 3*n*size {
		t.Errorf("%d bytes written: the size went from %+v to %+v", n*size, before, after)
	}
}

// testCompact compacts a store in use: no entry may change, and a cancelled call ends with the
// context's error.
func testCompact(t *testing.T, s store.Store) {
	compacter, ok := s.(store.Compacter)
	if !ok {
		t.Skip("this store has no Compact")
	}
	rng, m := newRand(t), model{}
	rounds := 2
	if long {
		rounds = 10
	}
	for range rounds {
		step(t, rng, s, m, 50)
		done := make(chan error, 1)
		go func() { done <- compacter.Compact(t.Context()) }()
		step(t, rng, s, m, 50)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		m.check(t, s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := compacter.Compact(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Compact with a cancelled context: got %v, want %v", err, context.Canceled)
	}
	m.check(t, s)
}
