// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// TestForeignPanic has something else panic while Badger rewrites a file: that is no error of ours
// to return.
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

// TestRewrittenUnread has Badger rewrite a file and say so in words that we do not know. It must be
// the last.
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

// TestCollectDamaged has a bit of a replaced value changed in each file that may be rewritten:
// nothing alive may go with it. Where nothing is changed, files are rewritten.
func TestCollectDamaged(t *testing.T) {
	const n = 1500
	opts := &Options{QuietAfter: time.Hour}
	for _, damaged := range []bool{false, true} {
		dir := t.TempDir()
		s, err := openStore(dir, opts, smallFile)
		if err != nil {
			t.Fatal(err)
		}
		putLarge(t, s, 0, n)
		for i := range n {
			if i%4 != 0 {
				putLarge(t, s, i, i+1) // of three in four what was written first is garbage
			}
		}
		mustClose(t, s)
		files, err := filesOf(dir, ".vlog")
		if err != nil {
			t.Fatal(err)
		}
		flipped := 0
		for _, path := range files {
			if info, err := os.Stat(path); damaged && err == nil && info.Size() > 3*largeValueBytes {
				flip(t, path, logHeader+largeValueBytes+100) // the second value
				flipped++
			}
		}
		if damaged && flipped < 3 {
			t.Fatalf("got %d files to damage, want some", flipped)
		}
		if s, err = openStore(dir, opts, smallFile); err != nil {
			t.Fatal(err)
		}
		lost := unreadable(t, s, 0, n)
		err = s.Compact(t.Context())
		status, statusErr := s.Status()
		if statusErr != nil {
			t.Error(statusErr)
		}
		switch {
		case !damaged && (err != nil || status.Rewritten == 0):
			t.Errorf("got %v and %d files rewritten, want some", err, status.Rewritten)
		case damaged && (!errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), ".vlog")):
			t.Errorf("got %v, want %v naming the file", err, store.ErrCorrupt)
		case damaged && len(lost) > flipped:
			t.Errorf("%d values cannot be read, of %d that may be damaged", len(lost), flipped)
		}
		if now := unreadable(t, s, 0, n); len(now) > len(lost) {
			t.Errorf("%d values cannot be read afterwards, %d before", len(now), len(lost))
		}
		mustClose(t, s)
	}
}
