// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groupcommit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// engine is what a line stands in front of.
type engine struct {
	*Line[int]
	turn   sync.Mutex // held while a commit is not to begin
	groups [][]int
	frozen int // how often readers were told of a failure
}

func newEngine(readOnly bool) *engine {
	e := new(engine)
	e.Line = New[int]("enginestore", readOnly, func() { e.frozen++ })
	go e.Run(func(group []*Waiting[int]) {
		e.turn.Lock()
		defer e.turn.Unlock()
		e.UnlessFailed(func() {
			var batches []int
			for _, w := range group {
				batches = append(batches, w.Batch)
				w.Finish(nil)
			}
			e.groups = append(e.groups, batches)
		})
	})
	return e
}

func (e *engine) apply(batch, size int) error {
	if err := e.Enter(true); err != nil {
		return err
	}
	defer e.Leave()
	return e.Commit(batch, size)
}

// TestGroups has batches wait while one is committed: those behind it are committed together, as
// many as have two megabytes, in their order.
func TestGroups(t *testing.T) {
	e := newEngine(false)
	e.turn.Lock()
	var callers sync.WaitGroup
	for i, size := range []int{1, 1 << 20, 1, 1 << 20, 1, 1} {
		callers.Go(func() {
			if err := e.apply(i, size); err != nil {
				t.Error(err)
			}
		})
		for took := false; !took || len(e.queue) != i; took = true { // the first is taken from the line
			time.Sleep(5 * time.Millisecond)
		}
	}
	e.turn.Unlock()
	callers.Wait()
	e.turn.Lock()
	defer e.turn.Unlock()
	if got := fmt.Sprint(e.groups); got != "[[0] [1 2 3] [4 5]]" {
		t.Errorf("got groups %v, want [0], [1 2 3] and [4 5]", got)
	}
}

// TestFailure has a commit hang and the line fail meanwhile: nobody waits any more, readers are
// told once, and the batch behind it is not committed later.
func TestFailure(t *testing.T) {
	e := newEngine(false)
	e.turn.Lock()
	var failed atomic.Int32
	var callers sync.WaitGroup
	for i := range 3 {
		callers.Go(func() {
			if err := e.apply(i, groupBytes); errors.Is(err, syscall.EIO) && strings.Contains(err.Error(), "Try:") &&
				strings.HasPrefix(err.Error(), "enginestore: ") {
				failed.Add(1)
			}
		})
	}
	time.Sleep(10 * time.Millisecond)
	for range 2 {
		if err := e.Fail(syscall.EIO); err != syscall.EIO {
			t.Errorf("Fail: got %v, want %v", err, syscall.EIO)
		}
	}
	callers.Wait()
	e.turn.Unlock()
	if err := e.apply(9, 1); !errors.Is(err, syscall.EIO) || failed.Load() != 3 ||
		e.frozen != 1 || e.Cause() != syscall.EIO {
		t.Errorf("got %v, %d failed, %d times told, want 3 and once", err, failed.Load(), e.frozen)
	}
	if err := e.Enter(false); err != nil {
		t.Errorf("a reader: got %v, want to be let in", err)
	}
	e.Leave()
	time.Sleep(10 * time.Millisecond)
	e.UnlessFailed(func() { t.Error("does not know that it has failed") })
	if len(e.groups) > 0 {
		t.Errorf("committed %v after the failure", e.groups)
	}
}

// TestEnd closes a line while a call is under way, which ends in time or not.
func TestEnd(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		e := newEngine(false)
		if err := e.Enter(false); err != nil {
			t.Fatal(err)
		}
		patience := time.Minute
		if hangs {
			patience = time.Millisecond
		}
		ended, err := e.End(patience)
		if err != nil {
			t.Fatal(err)
		}
		<-e.Ending()
		for _, write := range []bool{false, true} {
			if err := e.Enter(write); err != store.ErrClosed {
				t.Errorf("got %v, want %v, without waiting", err, store.ErrClosed)
			}
		}
		if hangs {
			if <-e.Broken(); e.Cause() != ErrLate {
				t.Errorf("got %v, want %v", e.Cause(), ErrLate)
			}
		}
		select {
		case <-ended:
			t.Error("ended while a call is under way")
		default:
		}
		e.Leave()
		if <-ended; !hangs && e.Failure() != nil {
			t.Errorf("got %v, want no failure", e.Failure())
		}
		if _, err := e.End(0); err != store.ErrClosed {
			t.Errorf("again: got %v, want %v", err, store.ErrClosed)
		}
	}
	if err := newEngine(true).Enter(true); err != store.ErrReadOnly {
		t.Errorf("got %v, want %v", err, store.ErrReadOnly)
	}
}

// TestLook moves a file away: it is noticed, and for good.
func TestLook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e := newEngine(false)
	if err := e.Look(map[string]*os.File{path: f}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"2", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"2", path); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); err == nil && time.Since(began) < time.Second; time.Sleep(time.Millisecond) {
		err = e.Look(map[string]*os.File{path: f})
	}
	if err == nil || !strings.Contains(err.Error(), "another file has its name") || e.Failure() == nil {
		t.Errorf("got %v, want that another file has its name", err)
	}
}

// TestIsFull knows errors of the system, and those that an engine has made text of.
func TestIsFull(t *testing.T) {
	for _, full := range []error{syscall.ENOSPC, &os.PathError{Err: syscall.EMFILE},
		fmt.Errorf("file resize error: %v", syscall.EDQUOT)} {
		if !IsFull(full) {
			t.Errorf("%v: got false", full)
		}
	}
	if IsFull(syscall.EIO) {
		t.Error("an I/O error: got true")
	}
	for _, full := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOSPC} {
		err := Full(fmt.Errorf("of an engine: %v", full))
		files := full != syscall.ENOSPC
		if !errors.Is(err, full) || !errors.Is(err, store.ErrFull) || strings.Contains(err.Error(), "ulimit") != files {
			t.Errorf("%v as text: got %v, want it and %v", full, err, store.ErrFull)
		}
	}
}

// TestFailureByDamage: what an error of damage says to try is all that is said, and closing does
// not tell what is not known.
func TestFailureByDamage(t *testing.T) {
	l := New[int]("name", false, func() {})
	damage := fmt.Errorf("%w: a log was deleted. Try: a backup", store.ErrCorrupt)
	_ = l.Fail(damage)
	err := l.Failure()
	if !errors.Is(err, damage) || strings.Count(err.Error(), "Try: ") != 1 {
		t.Errorf("got %v, want %v with its own advice alone", err, damage)
	}
	if text := Acknowledged(err); text == Acknowledged(ErrLate) || text == Acknowledged(ErrMoved) {
		t.Errorf("closed by damage: got %q, which is of other failures", text)
	}
}
