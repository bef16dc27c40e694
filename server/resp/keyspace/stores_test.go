// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// lenOf returns how many members a set has.
func (s *Space) lenOf(t *testing.T, key string) (n uint64) {
	t.Helper()
	if err := s.Read(t.Context(), func(st *State) error {
		r, err := st.Row([]byte(key))
		if err == nil {
			n, err = r.Len()
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestJobWithoutEffect: a job that does nothing, as others have just done the same, does not hide
// their commit.
func TestJobWithoutEffect(t *testing.T) {
	s, ix := openSpace(t)
	s.must(t, addTo("s", "a"))
	if n := s.lenOf(t, "s"); n != 1 {
		t.Fatalf("got %d members, want 1", n)
	}
	first := true
	s.must(t, func(st *State) error {
		if first {
			first = false
			var b uproar.Batch
			b.Set(memberField, "b", "s")
			if _, err := ix.Write(t.Context(), &b); err != nil {
				return err
			}
		}
		return addTo("s", "b")(st)
	})
	if n := s.lenOf(t, "s"); n != 2 {
		t.Errorf("got %d members, want 2", n)
	}
}

// TestUpdatesWithoutEffect: an update that finds nothing to be written has the number of the commit
// that it has seen, and not of others that are made together with it.
func TestUpdatesWithoutEffect(t *testing.T) {
	_, ix := openSpace(t)
	const members = 300
	var mu sync.Mutex
	by := make(map[uint64]string) // commits
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			for i := range members {
				member, seen := fmt.Sprint("m", i), uint64(0)
				sequence, err := ix.Update(t.Context(), func(snap uproar.Snapshot, b *uproar.Batch) error {
					seen = snap.Sequence()
					_, err := snap.ID(member)
					if errors.Is(err, uproar.ErrUnknownRecord) {
						b.Set(memberField, member, "s")
						return nil
					}
					return err
				})
				mu.Lock()
				if other, ok := by[sequence]; err != nil || sequence > seen && ok {
					t.Errorf("%s: got commit %d, which is of %s, %v", member, sequence, other, err)
				}
				if sequence > seen {
					by[sequence] = member
				}
				mu.Unlock()
			}
		})
	}
	running.Wait()
	if len(by) != members {
		t.Errorf("got %d commits, want %d", len(by), members)
	}
}

// TestLargeStore: what is stored beside commits is known as what others write meanwhile, without
// all being read anew: who watches other keys is not told.
func TestLargeStore(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var mu sync.Mutex
	told := make(map[string]int) // by names
	s, err := Open(t.Context(), db, "redis", func(names map[string]bool) {
		mu.Lock()
		defer mu.Unlock()
		if names == nil {
			told["any"]++
		}
		for name := range names {
			told[name]++
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ix, err := db.Index("redis")
	if err != nil {
		t.Fatal(err)
	}
	members := make([]string, storedAtOnce+10)
	for i := range members {
		members[i] = fmt.Sprint("m", i)
	}
	for some := range slices.Chunk(members, 20_000) {
		s.must(t, addTo("big", some...))
	}
	s.must(t, addTo("copy", "old", "m1"))
	s.must(t, addTo("timed", "a"))
	s.must(t, func(st *State) error { return st.Expire([]byte("timed"), math.MaxInt64/2) })
	if n := s.lenOf(t, "copy"); n != 2 {
		t.Fatalf("got %d members, want 2", n)
	}
	clear(told)
	s.must(t, func(st *State) error {
		all, err := st.Unite([]byte("big"))
		if err == nil {
			_, err = st.Store([]byte("copy"), all)
		}
		return err
	})
	if told["any"] > 0 || told["copy"] == 0 || told["timed"] > 0 {
		t.Errorf("a large store: told of %v, want of copy only", told)
	}
	clear(told)
	s.must(t, func(st *State) error { return st.Rename([]byte("copy"), []byte("moved")) })
	if told["any"] > 0 || told["copy"] == 0 || told["moved"] == 0 || told["timed"] > 0 {
		t.Errorf("a rename: told of %v, want of copy and moved only", told)
	}
	for key, want := range map[string]int{"big": len(members), "moved": len(members), "copy": 0, "timed": 1} {
		if n := s.lenOf(t, key); n != uint64(want) {
			t.Errorf("%s: got %d members, want %d", key, n, want)
		}
	}
	// Others write meanwhile, also to what is stored.
	clear(told)
	first := true
	s.must(t, func(st *State) error {
		all, err := st.Unite([]byte("big"))
		if err == nil {
			_, err = st.Store([]byte("again"), all)
		}
		if !first {
			return err
		}
		first = false
		var b uproar.Batch
		b.Set(memberField, "b", "timed")
		b.Set(memberField, "c", "again")
		_, failed := ix.Write(t.Context(), &b)
		return errors.Join(err, failed)
	})
	if told["timed"]+told["any"] == 0 {
		t.Error("nobody was told of what others wrote meanwhile")
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for _, key := range []string{"timed", "again"} {
		want, err := snap.Count(t.Context(), query.Equal{Field: memberField, Value: key})
		if n := s.lenOf(t, key); err != nil || n != want || n < 2 {
			t.Errorf("%s: got %d members, want %d, %v", key, n, want, err)
		}
	}
	s.must(t, func(st *State) error {
		if at, ok, err := st.Expires([]byte("timed")); err != nil || !ok || at != math.MaxInt64/2 {
			t.Errorf("got the time %d, %v, %v", at, ok, err)
		}
		return nil
	})
}

// TestSweepSparesStored: a sweep does not delete records of sets that are stored since it began.
func TestSweepSparesStored(t *testing.T) {
	for _, found := range []bool{false, true} {
		w := sweeper{now: &sweep{found: make(chan *bitmap.Bitmap, 1)}}
		all := bitmap.Of(1, 2, 3, 4)
		if found {
			w.now.left = all
		}
		w.keep(bitmap.Of(2, 9))
		w.keep(bitmap.Of(4))
		if !found {
			w.now.left = all
			w.now.spare()
		}
		if got := slices.Collect(w.now.left.All()); !slices.Equal(got, []uint64{1, 3}) {
			t.Errorf("found first %v: got %v left, want 1 and 3", found, got)
		}
	}
}

// TestLargeStoreBesideLoad: the load of others is followed though the one of a large store, whose
// members are all there already, has nothing to write: it is a commit nevertheless, of its own.
func TestLargeStoreBesideLoad(t *testing.T) {
	s, ix := openSpace(t)
	members := make([]string, storedAtOnce+10)
	for i := range members {
		members[i] = fmt.Sprint("m", i)
	}
	for some := range slices.Chunk(members, 20_000) {
		s.must(t, addTo("big", some...))
	}
	s.must(t, addTo("other", "a"))
	if n := s.lenOf(t, "other"); n != 1 {
		t.Fatalf("got %d members, want 1", n)
	}
	first := true
	s.must(t, func(st *State) error {
		all, err := st.Unite([]byte("big"))
		if err == nil {
			_, err = st.Store([]byte("big"), all)
		}
		if !first || err != nil {
			return err
		}
		first = false
		load, err := ix.Load(t.Context(), nil)
		if err != nil {
			return err
		}
		return errors.Join(load.Set(memberField, "b", "other"), load.Commit())
	})
	if n := s.lenOf(t, "other"); n != 2 {
		t.Errorf("got %d members, want 2", n)
	}
	if n := s.lenOf(t, "big"); n != uint64(len(members)) {
		t.Errorf("got %d members, want %d", n, len(members))
	}
}
