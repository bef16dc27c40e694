// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestForeignPanic has something else panic while Badger rewrites a file: that is no error of ours to return.
func TestForeignPanic(t *testing.T) {
	dir, _ := discarded(t, 900)
	s, err := openStore(dir, &Options{QuietAfter: time.Hour}, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, s)
	foreign := errors.New("of something else")
	s.log.check = func(uint32) error { panic(foreign) }
	defer func() {
		if r := recover(); r != foreign {
			t.Errorf("recovered %v, want the panic to go on", r)
		}
	}()
	t.Errorf("got %v, want a panic", s.collectFile(quietRatio))
}

// TestRewrittenUnread has Badger rewrite a file of which it did not say so in words that we know: it must be the last.
func TestRewrittenUnread(t *testing.T) {
	dir, _ := discarded(t, 900)
	s, err := openStore(dir, &Options{QuietAfter: time.Hour}, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, s)
	check := s.log.check
	s.log.check = nil
	for i := range 2 {
		if err := s.Compact(t.Context()); !errors.Is(err, errUnread) {
			t.Errorf("pass %d: got %v, want %v", i, err, errUnread)
		}
		s.log.check = check
	}
	if lost := unreadable(t, s, 0, 900); lost != nil {
		t.Errorf("values %v cannot be read", lost)
	}
}

// TestCheckWholeEnds has a file be read when the store is being closed already.
func TestCheckWholeEnds(t *testing.T) {
	dir := t.TempDir()
	s, err := openStore(dir, nil, smallFile)
	if err != nil {
		t.Fatal(err)
	}
	putLarge(t, s, 0, 3)
	defer mustClose(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	if err := checkWhole(ctx, dir, 1); err != nil {
		t.Errorf("got %v, want a file that is whole", err)
	}
	cancel()
	if err := checkWhole(ctx, dir, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
