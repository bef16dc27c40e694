// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

func one(key string, size int) *store.Batch {
	b := new(store.Batch)
	b.Put([]byte(key), make([]byte, size))
	return b
}

// faults are the operations on files that fail, while there is an error.
type faults struct {
	operation, name string // part of its base name
	err             atomic.Pointer[error]
}

func (f *faults) set(err error) { f.err.Store(&err) }

func (f *faults) fail(operation, name string) error {
	if err := f.err.Load(); err != nil && operation == f.operation && strings.Contains(filepath.Base(name), f.name) {
		return *err
	}
	return nil
}

// openOn opens a store on a disk with faults.
func openOn(t *testing.T, dir string, f *faults) *Store {
	t.Helper()
	s := newStore(dir, new(Options))
	s.disk.Fault = f.fail
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	return s
}

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

func keys(t *testing.T, s store.Store) string {
	t.Helper()
	all := ""
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

// TestFull has a disk that gets full and has room again.
func TestFull(t *testing.T) {
	s := openOn(t, t.TempDir(), new(faults))
	var room atomic.Uint64
	room.Store(reserve + 2*s.memTable() + 1<<20)
	s.disk.Space = func(string) (bytes, files uint64, err error) { return room.Load(), math.MaxUint64, nil }
	if err := s.Apply(one("large", 2<<20), true); !errors.Is(err, store.ErrFull) ||
		!strings.Contains(err.Error(), "Try:") {
		t.Errorf("a batch larger than the room: got %v, want %v and advice", err, store.ErrFull)
	}
	if err := s.Apply(one("small", 1), true); err != nil {
		t.Errorf("a batch that there is room for: %v", err)
	}
	if got := keys(t, s); got != "small" {
		t.Errorf("got %q, want small", got)
	}
	room.Store(1 << 40)
	if err := s.Apply(one("large", 2<<20), true); err != nil {
		t.Errorf("room again: %v", err)
	}
	if err := closeInTime(t, s); err != nil {
		t.Error(err)
	}
}

// TestFailure has the log, the manifest and their folder fail for good: nothing is acknowledged any
// more, readers see the state before, Close is bounded, and what was acknowledged is found again.
func TestFailure(t *testing.T) {
	disk := errors.New("input/output error")
	for _, f := range []*faults{
		{operation: "sync", name: ".log"},
		{operation: "write", name: ".log"},
		{operation: "create", name: ".log"}, // when the memtable is full
		{operation: "write", name: "MANIFEST"},
		{operation: "sync", name: "MANIFEST"},
	} {
		t.Run(f.operation+" "+f.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := openOn(t, dir, f)
			if err := s.Apply(one("a", 1), true); err != nil {
				t.Fatal(err)
			}
			f.set(disk)
			acked := "a"
			var err error
			for i := range 100 {
				key := string(rune('b' + i))
				if err = s.Apply(one(key, 1<<20), false); err != nil {
					break
				}
				acked += key
			}
			if !errors.Is(err, disk) && !strings.Contains(fmt.Sprint(err), disk.Error()) {
				t.Fatalf("got %v after %d batches, want the disk's error", err, len(acked))
			}
			for i, call := range []func() error{
				func() error { return s.Apply(one("z", 1), false) },
				func() error { return s.Apply(new(store.Batch), true) },
				s.Sync,
				func() error { return s.Compact(t.Context()) },
			} {
				if err := call(); err == nil || !strings.Contains(err.Error(), disk.Error()) {
					t.Errorf("call %d: got %v, want the disk's error", i, err)
				}
			}
			if got := keys(t, s); got != acked {
				t.Errorf("readers see %q, want %q", got, acked)
			}
			if err := closeInTime(t, s); err == nil || !strings.Contains(err.Error(), "acknowledged") {
				t.Errorf("Close: got %v, want what is on the disk", err)
			}
			f.err.Store(nil)
			if got := reopened(t, dir); !strings.HasPrefix(got, acked) {
				t.Errorf("opened again: got %q, want %q and perhaps more", got, acked)
			}
		})
	}
}

// TestTablesFull has a disk without room for tables: writers get ErrFull when the memtable is full,
// and go on when there is room.
func TestTablesFull(t *testing.T) {
	for what, f := range map[string]*faults{
		"bytes":  {operation: "write", name: ".sst"},
		"inodes": {operation: "create", name: ".sst"},
		"sync":   {operation: "sync", name: ".sst"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := openOn(t, dir, f)
			f.set(&os.PathError{Op: f.operation, Path: "a table", Err: syscall.ENOSPC})
			acked := ""
			write := func(count int) (err error) {
				for range count {
					key := string(rune('a' + len(acked)))
					if err = s.Apply(one(key, 1<<20), false); err != nil {
						break
					}
					acked += key
				}
				return err
			}
			if err := write(100); !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "Try:") {
				t.Fatalf("after %d MB: got %v, want %v and advice", len(acked), err, store.ErrFull)
			}
			if got := keys(t, s); got != acked {
				t.Errorf("readers see %q, want %q", got, acked)
			}
			f.err.Store(nil)
			for start := time.Now(); write(1) != nil && time.Since(start) < 5*time.Second; {
				time.Sleep(10 * time.Millisecond)
			}
			if err := write(5); err != nil {
				t.Errorf("room again: %v", err)
			}
			if err := closeInTime(t, s); err != nil {
				t.Error(err)
			}
			if got := reopened(t, dir); got != acked {
				t.Errorf("opened again: got %q, want %q", got, acked)
			}
		})
	}
}

// TestLogFull has a disk without room for the log: a writer waits until there is some, or the store
// is closed.
func TestLogFull(t *testing.T) {
	f := &faults{operation: "write", name: ".log"}
	dir := t.TempDir()
	s := openOn(t, dir, f)
	for _, closing := range []bool{false, true} {
		f.set(syscall.ENOSPC)
		done := make(chan error, 1)
		go func() { done <- s.Apply(one(fmt.Sprint(closing), 1), true) }()
		select {
		case err := <-done:
			t.Fatalf("got %v, want to wait", err)
		case <-time.After(3 * disk.RoomPause):
		}
		if !closing {
			f.err.Store(nil)
			if err := <-done; err != nil {
				t.Error(err)
			}
			continue
		}
		if err := closeInTime(t, s); err == nil {
			t.Error("Close with a batch that waits: got no error")
		}
		if err := <-done; err == nil {
			t.Error("a batch that there is no room for was acknowledged")
		}
	}
	f.err.Store(nil)
	if got := reopened(t, dir); !strings.HasPrefix(got, "false") {
		t.Errorf("opened again: got %q, want false and perhaps more", got)
	}
}

// TestOpenFails has every kind of file fail while a store is opened that is to be replayed.
func TestOpenFails(t *testing.T) {
	for _, f := range []*faults{
		{operation: "create", name: ".sst"}, {operation: "write", name: ".sst"},
		{operation: "create", name: ".log"}, {operation: "create", name: "MANIFEST"},
		{operation: "sync", name: "MANIFEST"}, {operation: "rename", name: "OPTIONS"},
	} {
		t.Run(f.operation+" "+f.name, func(t *testing.T) {
			t.Parallel()
			dir, killed := t.TempDir(), t.TempDir()
			s := openOn(t, dir, new(faults))
			if err := s.Apply(one("a", 1), true); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(filepath.Join(killed, "db"), os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			f.set(&os.PathError{Op: f.operation, Path: f.name, Err: syscall.ENOSPC})
			again := newStore(filepath.Join(killed, "db"), new(Options))
			again.disk.Fault = f.fail
			start := time.Now()
			err := again.open()
			if err == nil {
				t.Fatalf("opened, want the disk's error")
			}
			if err := openError("dir", false, err); !errors.Is(err, store.ErrFull) ||
				!strings.Contains(err.Error(), "Try:") || time.Since(start) > 5*time.Second {
				t.Errorf("got %v after %v, want %v and advice", err, time.Since(start), store.ErrFull)
			}
			if got := reopened(t, filepath.Join(killed, "db")); got != "a" {
				t.Errorf("opened again: got %q, want a", got)
			}
		})
	}
}

// TestPanicOfCaller lets panics of the caller's function through, and gives back what the call
// held.
func TestPanicOfCaller(t *testing.T) {
	s := openOn(t, t.TempDir(), new(faults))
	if err := s.Apply(one("a", 1), true); err != nil {
		t.Fatal(err)
	}
	for _, call := range []func(){
		func() { _ = s.Get([]byte("a"), func([]byte) error { panic("mine") }) },
		func() { _ = s.Scan(nil, nil, func(_, _ []byte) error { panic("mine") }) },
	} {
		func() {
			defer func() {
				if got := recover(); got != "mine" {
					t.Errorf("recovered %v, want the caller's panic", got)
				}
			}()
			call()
		}()
	}
	if err := closeInTime(t, s); err != nil {
		t.Error(err)
	}
}
