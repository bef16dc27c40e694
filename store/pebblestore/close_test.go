// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCloseHealthy closes a store with full memtables, which leaves nothing to be replayed.
func TestCloseHealthy(t *testing.T) {
	dir := t.TempDir()
	s := openOn(t, dir, new(faults))
	for i := range 12 {
		if err := s.Apply(one(string(rune('a'+i)), 1<<20), true); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("Close took %v, want at most 2 s", took)
	}
	mark, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil || !bytes.Equal(mark[:16], make([]byte, 16)) {
		t.Errorf("the mark is %x, want that the tables have all: %v", mark, err)
	}
	if got := reopened(t, dir); got != "abcdefghijkl" {
		t.Errorf("opened again: got %q", got)
	}
}

var errHang = errors.New("hangs")

// TestCloseBounded closes a store whose disk hangs, is read-only or fails, at any kind of file: it
// takes 5 seconds at most, and whatever was acknowledged is found again.
func TestCloseBounded(t *testing.T) {
	for _, failure := range []error{nil, syscall.EROFS, syscall.EIO, syscall.ENOSPC} { // nil: it hangs
		for _, at := range []*faults{
			{operation: "write", name: ".log"}, {operation: "sync", name: ".log"}, {operation: "create", name: ".log"},
			{operation: "create", name: ".sst"}, {operation: "write", name: ".sst"}, {operation: "sync", name: ".sst"},
			{operation: "write", name: "MANIFEST"}, {operation: "sync", name: "MANIFEST"},
		} {
			if testing.Short() && failure != nil && at.operation != "sync" {
				continue
			}
			t.Run(fmt.Sprint(at.operation, at.name, failure), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				f := &faults{operation: at.operation, name: at.name}
				hung := make(chan struct{})
				s := newStore(dir, new(Options))
				s.disk.fault = func(operation, name string) error {
					err := f.fail(operation, name)
					if errors.Is(err, errHang) {
						<-hung
					}
					return err
				}
				if err := s.open(); err != nil {
					t.Fatal(err)
				}
				if err := s.Apply(one("a", 1), true); err != nil {
					t.Fatal(err)
				}
				if f.set(failure); failure == nil {
					f.set(errHang)
				}
				writing := make(chan error, 1)
				go func() { writing <- s.Apply(one("b", 1), true) }()
				time.Sleep(20 * time.Millisecond)
				if err := closeInTime(t, s); err != nil && !strings.Contains(err.Error(), "acknowledged") {
					t.Errorf("Close: got %v, want what is on the disk", err)
				}
				want := "a"
				if <-writing == nil {
					want = "ab"
				}
				f.err.Store(nil)
				if got := reopened(t, dir); !strings.HasPrefix(got, want) {
					t.Errorf("opened again: got %q, want %q and perhaps more", got, want)
				}
			})
		}
	}
}

// TestEndingIsNoError: what the engine gives up because it ends is no error of the log, and what
// fails otherwise is one.
func TestEndingIsNoError(t *testing.T) {
	for _, c := range []struct {
		err  error
		want bool // an error is logged
	}{{fmt.Errorf("writing a table: %w", errEnding), false}, {syscall.EIO, true}} {
		var log strings.Builder
		s := newStore(t.TempDir(), &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		s.listener().BackgroundError(c.err)
		if got := strings.Contains(log.String(), "ERROR"); got != c.want {
			t.Errorf("%v: logged %q, want an error: %v", c.err, log.String(), c.want)
		}
	}
}
