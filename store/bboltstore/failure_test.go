// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

func one(key string, size int) *store.Batch {
	b := new(store.Batch)
	b.Put([]byte(key), make([]byte, size))
	return b
}

func mustOpen(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		failed := s.line.Failure()
		if err := s.Close(); (err == nil) != (failed == nil) ||
			err != nil && !strings.Contains(err.Error(), "acknowledged") {
			t.Errorf("Close: got %v after the failure %v", err, failed)
		}
	})
	return s
}

// TestFull has a disk that gets full and has room again.
func TestFull(t *testing.T) {
	s := mustOpen(t)
	room := int64(reserve + 1<<20)
	s.room = func(string) int64 { return room }
	if err := s.Apply(one("large", 2<<20), true); !errors.Is(err, store.ErrFull) ||
		!strings.Contains(err.Error(), "Try:") {
		t.Errorf("a batch larger than the room: got %v, want %v and advice", err, store.ErrFull)
	}
	if err := s.Apply(one("small", 1), true); err != nil {
		t.Errorf("a batch that there is room for: %v", err)
	}
	if err := s.Get([]byte("large"), func([]byte) error { return nil }); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the refused batch: got %v, want %v", err, store.ErrNotFound)
	}
	room = 1 << 40
	if err := s.Apply(one("large", 2<<20), true); err != nil {
		t.Errorf("room again: %v", err)
	}
}

// TestOpenErrorFull has what the system says of a file that cannot be made, as bbolt passes it on.
func TestOpenErrorFull(t *testing.T) {
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		for _, err := range []error{&fs.PathError{Op: "mkdir", Path: "dir", Err: full},
			fmt.Errorf("file resize error: %v", full)} {
			if got := openError("dir", false, err); !errors.Is(got, store.ErrFull) ||
				!strings.Contains(got.Error(), full.Error()) || !strings.Contains(got.Error(), "Try:") {
				t.Errorf("%v: got %v, want %v and advice", err, got, store.ErrFull)
			}
		}
	}
}

// TestFailedCommit has a commit fail when its root is in the mapping already: nothing is
// acknowledged any more, and readers see the state before.
func TestFailedCommit(t *testing.T) {
	s := mustOpen(t)
	if err := s.Apply(one("a", 1), true); err != nil {
		t.Fatal(err)
	}
	before, err := s.engine.Load().begin(false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Apply(one("b", 1), true); err != nil {
		t.Fatal(err)
	}
	disk := errors.New("input/output error")
	s.before = before
	_ = s.line.Fail(disk) // as after a failed sync of the root: it is in the mapping, and must not be seen
	for i, call := range []func() error{
		func() error { return s.Apply(one("c", 1), false) },
		func() error { return s.Apply(new(store.Batch), true) },
		s.Sync,
	} {
		if err := call(); !errors.Is(err, disk) {
			t.Errorf("call %d: got %v, want the disk's error", i, err)
		}
	}
	keys := ""
	err = s.Keys(nil, nil, func(k []byte) error { keys += string(k); return nil })
	if err != nil || keys != "a" {
		t.Errorf("readers see %q, %v, want a", keys, err)
	}
}

// TestPanicOfCaller lets panics of the caller's function through, and gives back what the call
// held.
func TestPanicOfCaller(t *testing.T) {
	s := mustOpen(t)
	if err := s.Apply(one("a", 1), true); err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if got := recover(); got != "mine" {
				t.Errorf("recovered %v, want the caller's panic", got)
			}
		}()
		_ = s.Get([]byte("a"), func([]byte) error { panic("mine") })
	}()
}

// TestCutWhileOpen cuts the file of an open store short: a fault, which is an error and not the end
// of the process.
func TestCutWhileOpen(t *testing.T) {
	s, err := Open(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Apply(one("a", 1<<20), true); err != nil {
		t.Fatal(err)
	}
	read := func() error {
		return s.Get([]byte("a"), func(v []byte) error {
			if bytes.IndexByte(v, 1) >= 0 {
				t.Error("read what nobody wrote")
			}
			return nil
		})
	}
	if err := s.engine.Load().file.Truncate(64 << 10); err != nil {
		t.Fatal(err)
	}
	if err := read(); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("its values are gone: got %v, want %v", err, store.ErrCorrupt)
	}
	if err := s.engine.Load().file.Truncate(0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := read(); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("all is gone: got %v, want %v", err, store.ErrCorrupt)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Close again: got %v, want %v", err, store.ErrClosed)
	}
}

// TestVanishes removes the mark beneath an open store, or puts another in its place: nothing is
// acknowledged any more, what was acknowledged is read, and the store opens again with it.
func TestVanishes(t *testing.T) {
	for what, change := range map[string]func(mark string) error{
		"removed": os.Remove,
		"replaced": func(mark string) error {
			return errors.Join(os.WriteFile(mark+"2", nil, 0o600), os.Rename(mark+"2", mark))
		},
	} {
		dir := t.TempDir()
		s, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Apply(one("a", 1), true); err != nil {
			t.Fatal(err)
		}
		if err := change(s.path + markSuffix); err != nil {
			t.Fatal(err)
		}
		for err == nil { // the store looks ten times a second
			err = s.Apply(one("a", 1), true)
		}
		if !errors.Is(err, groupcommit.ErrMoved) || !strings.Contains(err.Error(), "Try:") {
			t.Errorf("%s: got %v, want %v and a way out", what, err, groupcommit.ErrMoved)
		}
		if err := s.Get([]byte("a"), func([]byte) error { return nil }); err != nil {
			t.Errorf("%s: Get: %v", what, err)
		}
		_ = s.Close()
		if s, err = Open(dir, nil); err != nil {
			t.Fatalf("%s: opened again: %v", what, err)
		}
		if err := errors.Join(s.Get([]byte("a"), func([]byte) error { return nil }), s.Close()); err != nil {
			t.Errorf("%s: opened again: %v", what, err)
		}
	}
}
