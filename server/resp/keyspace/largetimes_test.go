// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// manyTimed is how many members have times that no commit of manyTimes takes away together.
const manyTimed = 3000

// manyTimes opens an empty space in which a commit takes few times away.
func manyTimes(t *testing.T) (*Space, *uproar.Index) {
	t.Helper()
	s, ix := openSpace(t)
	s.must(t, func(st *State) error { st.space.limits.times = manyTimed / 6; return nil })
	return s, ix
}

// holdLeft has no step made that deletes the rest of keys, or goes on with them.
func (s *Space) holdLeft(t *testing.T, hold bool) {
	t.Helper()
	s.must(t, func(st *State) error {
		if st.space.leaving.next = (time.Time{}); hold {
			st.space.leaving.next = time.Now().Add(time.Hour)
		}
		return nil
	})
}

// addTimed makes a set whose members all end, much later.
func addTimed(t *testing.T, s *Space, key string, n int) {
	t.Helper()
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf("%0120d", i)
	}
	for some := range slices.Chunk(members, 8000) {
		s.must(t, func(st *State) error {
			if err := addTo(key, some...)(st); err != nil {
				return err
			}
			r, err := st.Row([]byte(key))
			if err != nil {
				return err
			}
			for _, m := range some {
				if err := r.Expire([]byte(m), st.Now+1_000_000_000); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// awaitLeft waits until all times of deleted keys are gone.
func (s *Space) awaitLeft(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for left := 1; left > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("times of %d deleted keys are left after a minute", left)
		}
		s.must(t, func(st *State) error { left = len(st.space.leaving.names); return nil })
	}
}

// noTimes fails if times are left in the end.
func (s *Space) noTimes(t *testing.T) {
	t.Helper()
	s.awaitLeft(t)
	s.must(t, func(st *State) error {
		if n, err := st.Times(); err != nil || n != 0 {
			t.Errorf("got %d times, %v, want none", n, err)
		}
		return nil
	})
}

// TestManyTimes deletes and replaces a key whose members have more times than a commit takes, in
// each way that there is.
func TestManyTimes(t *testing.T) {
	key := []byte("timed")
	for name, test := range map[string]struct {
		run  func(st *State) error
		want map[string]uint64 // members by keys
		left uint64            // times
	}{
		"delete": {run: func(st *State) error { _, err := st.Delete(key); return err }},
		"flush":  {run: func(st *State) error { return st.Clear() }},
		"end":    {run: func(st *State) error { return st.Expire(key, 1) }},
		"pop": {run: func(st *State) error {
			r, err := st.Row(key)
			if err == nil {
				_, err = r.Pop(manyTimed)
			}
			return err
		}},
		"store nothing": {run: func(st *State) error {
			none, err := st.Unite([]byte("none"))
			if err == nil {
				_, err = st.Store(key, none)
			}
			return err
		}},
		"store": {run: func(st *State) error {
			two, err := st.Unite([]byte("few"))
			if err == nil {
				_, err = st.Store(key, two)
			}
			return err
		}, want: map[string]uint64{"timed": 2, "few": 2}},
		"rename over": {run: func(st *State) error { return st.Rename([]byte("few"), key) },
			want: map[string]uint64{"timed": 2}},
		"rename": {run: func(st *State) error { return st.Rename(key, []byte("other")) },
			want: map[string]uint64{"other": manyTimed}, left: manyTimed},
		"copy": {run: func(st *State) error { _, err := st.Copy(key, []byte("few"), true); return err },
			want: map[string]uint64{"timed": manyTimed, "few": manyTimed}, left: 2 * manyTimed},
		"transaction": {run: func(st *State) error {
			st.Atomic = true
			defer func() { st.Atomic = false }()
			_, err := st.Delete(key)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := manyTimes(t)
			addTimed(t, s, "timed", manyTimed)
			s.must(t, addTo("few", fmt.Sprintf("%0120d", 7), "b"))
			if err := s.Do(t.Context(), again(test.run)); err != nil {
				t.Fatal(err)
			}
			want := test.want
			if want == nil {
				want = map[string]uint64{}
			}
			for _, key := range []string{"timed", "other"} {
				if n := s.lenOf(t, key); n != want[key] {
					t.Errorf("%s: got %d members, want %d", key, n, want[key])
				}
			}
			// What is added anew does not end as what was there.
			s.must(t, addTo("timed", fmt.Sprintf("%0120d", 5)))
			s.must(t, func(st *State) error {
				r, err := st.Row(key)
				if err != nil {
					return err
				}
				at, err := r.Expires([]byte(fmt.Sprintf("%0120d", 5)))
				if (at != 0) != (name == "copy") {
					t.Errorf("a member that was added anew: got the time %d", at)
				}
				at, err2 := r.Expires([]byte(fmt.Sprintf("%0120d", 7)))
				if has, _ := r.Has([]byte(fmt.Sprintf("%0120d", 7))); has && (at != 0) != (name == "copy") {
					t.Errorf("a member that was stored: got the time %d", at)
				}
				return errors.Join(err, err2)
			})
			s.awaitLeft(t)
			s.must(t, func(st *State) error {
				if n, err := st.Times(); err != nil || n != test.left {
					t.Errorf("got %d times, %v, want %d", n, err, test.left)
				}
				return nil
			})
		})
	}
}

// TestManyTimesGoOn: a key that was deleted but for times is deleted to the end by who opens the
// index later, and is not seen meanwhile; one that has ended while nobody was there too.
func TestManyTimesGoOn(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := Open(t.Context(), db, "redis", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	addTimed(t, s, "timed", mostTimed+1)
	s.holdLeft(t, true)
	s.must(t, func(st *State) error { _, err := st.Delete([]byte("timed")); return err })
	s.Close()
	if s, err = Open(t.Context(), db, "redis", nil, nil); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := s.lenOf(t, "timed"); n != 0 {
		t.Errorf("got %d members, want none", n)
	}
	s.noTimes(t)
}

// TestAddedWhileLeft: a key that is deleted but for times of its members is there again when
// others, or a command, have added members, and stays so.
func TestAddedWhileLeft(t *testing.T) {
	for _, command := range []bool{false, true} {
		t.Run(fmt.Sprint(command), func(t *testing.T) {
			db, err := uproar.Open(t.Context(), memstore.New(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			s, err := Open(t.Context(), db, "redis", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			s.must(t, func(st *State) error { st.space.limits.times = manyTimed / 6; return nil })
			addTimed(t, s, "timed", manyTimed)
			s.holdLeft(t, true)
			s.must(t, func(st *State) error { _, err := st.Delete([]byte("timed")); return err })
			ix, err := db.Index("redis")
			if err != nil {
				t.Fatal(err)
			}
			var b uproar.Batch
			b.Set(memberField, "http", "timed")
			if _, err := ix.Write(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			want := uint64(1)
			if command {
				want = 2
				s.must(t, addTo("timed", "added"))
			}
			if n := s.lenOf(t, "timed"); n != want {
				t.Errorf("got %d members, want %d", n, want)
			}
			s.Close()
			if s, err = Open(t.Context(), db, "redis", nil, nil); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if n := s.lenOf(t, "timed"); n != want {
				t.Errorf("opened anew: got %d members, want %d", n, want)
			}
		})
	}
}

// TestReadsDoNotWait: while the times of a key that has ended are taken away, reads and writes of
// others are done.
func TestReadsDoNotWait(t *testing.T) {
	s, ix := manyTimes(t)
	addTimed(t, s, "timed", manyTimed)
	s.holdLeft(t, true)
	s.must(t, func(st *State) error { return st.Expire([]byte("timed"), st.Now+1) })
	for n := uint64(1); n > 0; {
		n = s.lenOf(t, "timed")
	}
	s.must(t, addTo("other", "a"))
	snap := ix.Snapshot()
	defer snap.Close()
	left, err := snap.Count(t.Context(), query.Any{Field: expiresField})
	if err != nil || left != manyTimed+1 { // and that of the key
		t.Errorf("got %d times after a read and a write (%v): they have waited for the others", left, err)
	}
	s.holdLeft(t, false)
	s.awaitLeft(t)
}

// TestFlushManyTimed deletes many keys, which all have members with times.
func TestFlushManyTimed(t *testing.T) {
	s, _ := manyTimes(t)
	s.must(t, func(st *State) error {
		for i := range manyTimed {
			r, err := st.Row([]byte(fmt.Sprint("key", i)))
			if err != nil {
				return err
			}
			for _, m := range []string{"a", "b"} {
				if _, err := r.Add([]byte(m)); err != nil {
					return err
				}
				if err := r.Expire([]byte(m), st.Now+1_000_000_000); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err := s.Do(t.Context(), again((*State).Clear)); err != nil {
		t.Fatal(err)
	}
	s.must(t, func(st *State) error {
		if n, err := st.Size(); err != nil || n != 0 {
			t.Errorf("got %d keys, %v, want none", n, err)
		}
		return nil
	})
	s.noTimes(t)
}

// TestLargeTimes deletes a key with more times than a commit may have.
func TestLargeTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("80 000 members")
	}
	s, _ := openSpace(t)
	addTimed(t, s, "timed", 80_000)
	s.must(t, func(st *State) error { _, err := st.Delete([]byte("timed")); return err })
	if n := s.lenOf(t, "timed"); n != 0 {
		t.Errorf("got %d members, want none", n)
	}
	s.noTimes(t)
}
