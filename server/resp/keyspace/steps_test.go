// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// kept is a store that is not closed by who uses it.
type kept struct{ store.Store }

// Close does nothing.
func (kept) Close() error { return nil }

// TestEndedBetweenSteps: whenever the storing of a set in steps ends, the members that the key had
// before have their times as long as they are there.
func TestEndedBetweenSteps(t *testing.T) {
	const timed = pageOfMembers + 500
	for nth, whole := 1, false; !whole; nth++ {
		mem := kept{memstore.New()}
		faulty := storetest.NewFaulty(mem)
		db, err := uproar.Open(t.Context(), faulty, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), db, "redis", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.must(t, func(st *State) error { st.space.limits.times = manyTimed / 6; return nil })
		addTimed(t, s, "timed", timed)
		s.must(t, addTo("few", "a", "b"))
		s.holdLeft(t, true)
		faulty.Inject(storetest.Fault{Call: storetest.Apply, Nth: nth, Err: errors.New("killed")})
		whole = s.Do(t.Context(), again(func(st *State) error {
			two, err := st.Unite([]byte("few"))
			if err == nil {
				_, err = st.Store([]byte("timed"), two)
			}
			return err
		})) == nil
		s.Close()
		_ = db.Close()
		if db, err = uproar.Open(t.Context(), mem, nil); err != nil {
			t.Fatal(err)
		}
		if s, err = Open(t.Context(), db, "redis", nil, nil); err != nil {
			t.Fatal(err)
		}
		old, without := 0, 0
		s.must(t, func(st *State) error {
			r, err := st.Row([]byte("timed"))
			if err != nil {
				return err
			}
			for i := range timed {
				member := []byte(fmt.Sprintf("%0120d", i))
				has, err := r.Has(member)
				if err != nil {
					return err
				}
				at, err := r.Expires(member)
				if err != nil {
					return err
				}
				if has {
					old++
				}
				if has && at == 0 {
					without++
				}
			}
			return nil
		})
		t.Logf("ended at write %d: %d members of before", nth, old)
		if without > 0 || whole && old > 0 {
			t.Errorf("ended at write %d: %d members of before are there, %d without their times", nth, old, without)
		}
		s.Close()
		_ = db.Close()
	}
}

// counted is a transaction that counts how often it is run, and its commands.
type counted struct {
	run       func(st *State) error
	times     int
	runs, ran int
	err       error
}

// Run runs it.
func (c *counted) Run(st *State) bool {
	c.runs++
	st.Begin()
	st.Atomic = true
	defer func() { st.Atomic = false }()
	for range c.times {
		c.ran++
		if c.err = c.run(st); c.err != nil && st.Shared() {
			st.Fail(c.err)
		}
		if st.Failed() {
			break
		}
	}
	return true
}

// Keep does nothing.
func (*counted) Keep() {}

// TestTooLargeTransaction: a transaction that writes more than a commit takes ends as soon as it
// does, and is run once if it is alone.
func TestTooLargeTransaction(t *testing.T) {
	s, _ := openSpace(t)
	const members = 60_000
	for from := 0; from < members; from += 20_000 {
		list := make([]string, 20_000)
		for i := range list {
			list[i] = fmt.Sprint(from + i)
		}
		s.must(t, addTo("half", list...))
	}
	n, held := 0, 0
	large := &counted{times: 100, run: func(st *State) error {
		st.Memory.Grow = func(bytes int) error { held = max(held, bytes); return nil }
		defer st.Memory.Release()
		n++
		half, err := st.Unite([]byte("half"))
		if err == nil {
			_, err = st.Store([]byte(fmt.Sprint("k", n)), half)
		}
		return err
	}}
	if err := s.Do(t.Context(), large); !errors.Is(err, uproar.ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
	if large.runs != 1 || large.ran > 20 {
		t.Errorf("it was run %d times, with %d commands, want once, with as many as fit", large.runs, large.ran)
	}
	if held == 0 {
		t.Error("no memory was asked for")
	}
	s.must(t, addTo("other", "a"))
}

// TestSharedTransaction: a transaction is not refused for what others write in the same commit.
func TestSharedTransaction(t *testing.T) {
	s, _ := openSpace(t)
	s.must(t, addTo("q", "a", "b"))
	begun, more := make(chan bool), make(chan bool)
	begin := sync.OnceFunc(func() { close(begun) })
	ended := make(chan error, 3)
	go func() {
		ended <- s.Do(t.Context(), work(func(*State) error { begin(); <-more; return nil }))
	}()
	<-begun
	go func() { ended <- s.Do(t.Context(), work(addTo("w", "x"))) }()
	for len(s.jobs) == 0 {
		runtime.Gosched()
	}
	found := uint64(0)
	asks := &counted{times: 1, run: func(st *State) error {
		return st.Find(t.Context(), "redis", "sets = q", -1, func(n uint64) { found = n }, nil)
	}}
	go func() { ended <- s.Do(t.Context(), asks) }()
	for len(s.jobs) == 1 {
		runtime.Gosched()
	}
	close(more)
	for range 3 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	if asks.err != nil || found != 2 || asks.runs != 2 {
		t.Errorf("got %v, %d members in %d runs, want none, 2 in 2", asks.err, found, asks.runs)
	}
	// What has ended is deleted in the same commit, too.
	s.must(t, addTo("ends", "a"))
	s.must(t, func(st *State) error { return st.Expire([]byte("ends"), st.Now+1) })
	for now := time.Now(); time.Since(now) < 2*time.Millisecond; {
		runtime.Gosched()
	}
	if err := s.Do(t.Context(), asks); err != nil || asks.err != nil {
		t.Errorf("beside what ends: got %v, %v", err, asks.err)
	}
}

// heldStore is a store one of whose writes waits.
type heldStore struct {
	store.Store
	left       atomic.Int64 // writes before it
	held, more chan bool
}

// Apply waits, if it is its turn.
func (s *heldStore) Apply(b *store.Batch, sync bool) error {
	if s.left.Add(-1) == 0 {
		s.held <- true
		<-s.more
	}
	return s.Store.Apply(b, sync)
}

// TestReadBetweenSteps: reads of other keys are done while a set is stored in steps, also when some
// key has a time.
func TestReadBetweenSteps(t *testing.T) {
	inner := &heldStore{Store: memstore.New(), held: make(chan bool), more: make(chan bool)}
	db, err := uproar.Open(t.Context(), inner, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := Open(t.Context(), db, "redis", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.must(t, func(st *State) error { st.space.limits.times = manyTimed / 6; return nil })
	addTimed(t, s, "timed", manyTimed)
	s.must(t, addTo("other", "a"))
	inner.left.Store(5)
	ended := make(chan error, 1)
	go func() {
		ended <- s.Do(t.Context(), work(func(st *State) error {
			return st.Rename([]byte("timed"), []byte("moved"))
		}))
	}()
	<-inner.held
	ix, err := db.Index("redis")
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if known := s.sequence.Load(); snap.Sequence() <= known {
		t.Errorf("got commit %d while %d is known: no step has been made", snap.Sequence(), known)
	}
	read := make(chan error, 1)
	go func() {
		read <- s.Read(t.Context(), func(st *State) error {
			has, err := st.Exists([]byte("other"))
			if !has {
				t.Error("got no key")
			}
			return err
		})
	}()
	for done := false; !done; {
		select {
		case err := <-read:
			if done = true; err != nil {
				t.Error(err)
			}
		default:
			if done = len(s.jobs) > 0; done {
				t.Error("the read waits for the store")
			}
			runtime.Gosched()
		}
	}
	close(inner.more)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestTimesAreCounted: the times of a key that gets another name are counted before they are read:
// a transaction refuses what is too many, and all is refused for want of memory.
func TestTimesAreCounted(t *testing.T) {
	s, _ := manyTimes(t)
	addTimed(t, s, "timed", manyTimed)
	s.must(t, func(st *State) error {
		st.Atomic = true
		defer func() { st.Atomic = false }()
		if err := st.Rename([]byte("timed"), []byte("moved")); !errors.Is(err, ErrTransaction) {
			t.Errorf("in a transaction: got %v, want ErrTransaction", err)
		}
		if len(st.known) > manyTimed/2 {
			t.Errorf("%d records were looked up for it", len(st.known))
		}
		return nil
	})
	full := errors.New("no memory")
	s.must(t, func(st *State) error {
		st.Memory.Grow = func(bytes int) error {
			if bytes > 0 {
				return full
			}
			return nil
		}
		defer st.Memory.Release()
		if _, err := st.Copy([]byte("timed"), []byte("moved"), false); !errors.Is(err, full) {
			t.Errorf("got %v, want no memory", err)
		}
		return nil
	})
	if n := s.lenOf(t, "moved"); n != 0 {
		t.Errorf("got %d members, want none", n)
	}
}
