// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestFault: a panic of the goroutine that commits ends neither the process nor what waits. Sets
// can be read then, and the index is written by others.
func TestFault(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var told []*Fault
	s, err := Open(t.Context(), db, "sets", nil, func(f *Fault) { told = append(told, f) })
	if err != nil {
		t.Fatal(err)
	}
	add := work(func(st *State) error {
		r, err := st.Row([]byte("s"))
		if err == nil {
			_, err = r.Add([]byte("a"))
		}
		return err
	})
	if err := s.Do(t.Context(), add); err != nil {
		t.Fatal(err)
	}
	// Others wait already when it comes: one in the same commit, and those behind it.
	begun, more := make(chan bool), make(chan bool)
	begin := sync.OnceFunc(func() { close(begun) })
	ended := make(chan error, 9)
	go func() {
		ended <- s.Do(t.Context(), work(func(*State) error {
			begin()
			<-more
			return nil
		}))
	}()
	<-begun
	bad := work(func(st *State) error { panic("a fault") })
	for _, job := range []Job{add, add, bad, add, add, add, add, add} {
		n := len(s.jobs)
		go func() { ended <- s.Do(t.Context(), job) }()
		for len(s.jobs) == n {
			runtime.Gosched() // it waits for its turn
		}
	}
	close(more)
	faults := 0
	for range 9 {
		err := <-ended
		if f, ok := errors.AsType[*Fault](err); ok && f.Value == "a fault" {
			faults++
		} else if err != nil {
			t.Errorf("a job that was waiting: got %v, want none or the fault", err)
		}
	}
	if faults < 6 {
		t.Errorf("%d jobs were told of the fault, want the one that had it and those behind", faults)
	}
	err = s.Do(t.Context(), add)
	if f, ok := errors.AsType[*Fault](err); !ok || !strings.Contains(string(f.Stack), "fault_test.go") ||
		!strings.Contains(err.Error(), "a restart ends this") {
		t.Errorf("got %v, want the fault with its stack and what helps", err)
	}
	read := func(want uint64) {
		t.Helper()
		err := s.Read(t.Context(), func(st *State) error {
			r, err := st.Row([]byte("s"))
			if err != nil {
				return err
			}
			if n, err := r.Len(); err != nil || n != want {
				t.Errorf("got %d members, %v, want %d", n, err, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	read(1)
	ix, err := db.Index("sets")
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Set(memberField, "b", "s")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Error(err)
	}
	read(2)
	s.Close()
	if len(told) != 1 || told[0].Value != "a fault" {
		t.Errorf("told of %d faults, want one", len(told))
	}
}

// breakDown ends the writing of a space.
func (s *Space) breakDown(t *testing.T) {
	t.Helper()
	err := s.Do(t.Context(), work(func(*State) error { panic("a fault") }))
	if _, ok := errors.AsType[*Fault](err); !ok {
		t.Fatalf("got %v, want a fault", err)
	}
}

// TestReadsAfterFault: after a fault sets are read, also when the time of a key or member is over,
// which is gone then, and when others have written.
func TestReadsAfterFault(t *testing.T) {
	s, ix := openSpace(t)
	ends := time.Now().UnixMilli() + 300
	s.must(t, addTo("gone", "a", "b"))
	s.must(t, addTo("some", "ends", "stays"))
	s.must(t, func(st *State) error {
		r, err := st.Row([]byte("some"))
		return errors.Join(err, r.Expire([]byte("ends"), ends), st.Expire([]byte("gone"), ends))
	})
	_, _ = s.lenOf(t, "gone"), s.lenOf(t, "some") // the numbers are kept
	s.breakDown(t)
	before := ix.Snapshot()
	defer before.Close()
	sequence := before.Sequence()
	time.Sleep(time.Until(time.UnixMilli(ends + 1)))
	check := func(some uint64) {
		t.Helper()
		for key, want := range map[string]uint64{"gone": 0, "some": some} {
			if n := s.lenOf(t, key); n != want {
				t.Errorf("%s: got %d members, want %d", key, n, want)
			}
		}
		if err := s.Read(t.Context(), func(st *State) error {
			kind, err := st.Type([]byte("gone"))
			n, failed := st.Size()
			if kind != NoType || n != 1 {
				t.Errorf("got the type %s, %d keys, want none and 1", kind, n)
			}
			return errors.Join(err, failed)
		}); err != nil {
			t.Error(err)
		}
	}
	check(1)
	after := ix.Snapshot()
	if n := after.Sequence(); n != sequence {
		t.Errorf("got commit %d after reads, want %d", n, sequence)
	}
	after.Close()
	write(t, ix, func(b *uproar.Batch) { b.Set(memberField, "other", "some") })
	check(2)
}

// TestFaultBeside: after a panic of a goroutine that looks for something beside, no job is run that
// was waiting, and nothing that has ended is deleted.
func TestFaultBeside(t *testing.T) {
	s, ix := openSpace(t)
	s.must(t, addTo("s", "a"))
	begun, more := make(chan bool), make(chan bool)
	begin := sync.OnceFunc(func() { close(begun) })
	ended := make(chan error, 4)
	var ends atomic.Int64
	under := func(st *State) error {
		begin()
		<-more
		ends.Store(st.Now + 1)
		return st.Expire([]byte("s"), ends.Load())
	}
	go func() { ended <- s.Do(t.Context(), work(under)) }()
	<-begun
	for range 3 {
		n := len(s.jobs)
		go func() { ended <- s.Do(t.Context(), addTo("late", "x")) }()
		for len(s.jobs) == n {
			runtime.Gosched()
		}
	}
	s.begin(func() { panic("a search") })
	for s.fault.Load() == nil {
		runtime.Gosched()
	}
	close(more)
	faults := 0
	for range 4 {
		if f, ok := errors.AsType[*Fault](<-ended); ok && f.Value == "a search" {
			faults++
		}
	}
	if faults < 3 {
		t.Fatalf("%d jobs were told of the fault, want those behind", faults)
	}
	<-s.ended
	time.Sleep(time.Until(time.UnixMilli(ends.Load() + 1)))
	for key, want := range map[string]uint64{"s": 1, "late": 0} {
		snap := ix.Snapshot()
		n, err := snap.Count(t.Context(), query.Equal{Field: memberField, Value: key})
		snap.Close()
		if n != want || err != nil {
			t.Errorf("%s: got %d members, %v, on the disk, want %d", key, n, err, want)
		}
	}
}
