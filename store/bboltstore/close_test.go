// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// closeInTime closes a store and fails when that takes too long.
func closeInTime(t *testing.T, s *Store) error {
	t.Helper()
	start := time.Now()
	err := s.Close()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("Close took %v, want at most 5 s", took)
	}
	return err
}

func keys(t *testing.T, s *Store) (all string) {
	t.Helper()
	if err := s.Keys(nil, nil, func(k []byte) error { all += string(k); return nil }); err != nil {
		t.Error(err)
	}
	return all
}

// reopened returns the keys of a store that is opened again.
func reopened(t *testing.T, dir string) string {
	t.Helper()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return keys(t, s)
}

// TestCloseHealthy closes a store that was written much: either root is the latest.
func TestCloseHealthy(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
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
	roots, err := readMetas(mustOpenFile(t, filepath.Join(dir, FileName)))
	if err != nil || len(roots) != 2 || roots[0].txid != roots[1].txid {
		t.Errorf("got roots %v, %v, want two of the same commit", roots, err)
	}
	if got := reopened(t, dir); got != "abcdefghijkl" {
		t.Errorf("opened again: got %q", got)
	}
}

// TestCloseBounded closes a store while a commit, a Compact or Close itself hangs or fails: it
// takes 5 seconds at most, whatever was acknowledged is found again, and what hung changes nothing
// when it goes on.
func TestCloseBounded(t *testing.T) {
	for at, name := range map[milestone]string{commitBegun: "commit begun", commitSynced: "commit synced",
		copyPart: "copy part", copyWhole: "copy whole", closeBegun: "close begun", closeWhole: "close whole"} {
		for _, failure := range []error{nil, syscall.EIO, syscall.EROFS, syscall.ENOSPC} { // nil: it hangs
			if testing.Short() && at != commitBegun && at != copyWhole {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir, hung := t.TempDir(), make(chan struct{})
				s, err := Open(dir, nil)
				if err != nil {
					t.Fatal(err)
				}
				compactPut(t, s, "a", 600, 9000)
				s.reached = func(now milestone) error {
					if now == at && failure == nil {
						<-hung
					}
					if now == at {
						return failure
					}
					return nil
				}
				writing := make(chan error, 1)
				go func() {
					if at == copyPart || at == copyWhole {
						_ = s.Compact(t.Context())
					}
					writing <- s.Apply(one("b", 1), true)
				}()
				time.Sleep(100 * time.Millisecond)
				if err := closeInTime(t, s); err != nil && !strings.Contains(err.Error(), "acknowledged") {
					t.Errorf("Close: got %v, want what is on the disk", err)
				}
				if err := s.Apply(one("c", 1), true); !errors.Is(err, store.ErrClosed) {
					t.Errorf("after Close: got %v, want %v", err, store.ErrClosed)
				}
				acked := <-writing == nil
				if at == copyPart || at == copyWhole { // which keeps the lock until it ends
					close(hung)
				}
				deadline := time.Now().Add(5 * time.Second)
				var again *Store
				for again, err = Open(dir, nil); errors.Is(err, store.ErrLocked) && time.Now().Before(deadline); {
					again, err = Open(dir, nil)
				}
				if err != nil {
					t.Fatal(err)
				}
				if at != copyPart && at != copyWhole {
					close(hung) // beside another that writes
				}
				for range 20 {
					if err := again.Apply(one("d", 9000), true); err != nil {
						t.Error(err)
					}
				}
				if err := errors.Join(again.Verify(t.Context()), again.Close()); err != nil {
					t.Error(err)
				}
				if got := reopened(t, dir); strings.Count(got, "a") != 600 || acked && !strings.Contains(got, "b") ||
					!strings.HasSuffix(got, "d") {
					t.Errorf("opened again: got %d keys, ending with %q, acknowledged: %v", strings.Count(got, "a"),
						got[len(got)-3:], acked)
				}
			})
		}
	}
}

// TestCloseKilled copies the files at each step of Close, as a kill there leaves them.
func TestCloseKilled(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Apply(one("a", 1), true); err != nil {
		t.Fatal(err)
	}
	steps := 0
	s.reached = func(at milestone) error {
		steps++
		left := t.TempDir()
		if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
			return err
		}
		if got := reopened(t, left); got != "a" {
			t.Errorf("killed at milestone %d: got %q, want a", at, got)
		}
		return nil
	}
	if err := s.Close(); err != nil || steps != 2 {
		t.Errorf("Close: %v, in %d steps, want 2", err, steps)
	}
}
