// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// work is a job of a test.
type work func(st *State) error

// Run runs it.
func (fn work) Run(st *State) bool {
	if err := fn(st); err != nil {
		st.Fail(err)
	}
	return true
}

// Keep does nothing.
func (work) Keep() {}

func openSpace(t *testing.T) (*Space, *uproar.Index) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s, err := Open(t.Context(), db, "redis", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	ix, err := db.Index("redis")
	if err != nil {
		t.Fatal(err)
	}
	return s, ix
}

func (s *Space) must(t *testing.T, fn work) {
	t.Helper()
	if err := s.Do(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// sweepSoon has the next sweep begin at once.
func sweepSoon(st *State) error {
	w := &st.space.sweeper
	if w.now == nil {
		w.last, w.removed, w.took = time.Time{}, max(w.removed, leastSwept), 0
	}
	return nil
}

// records returns the number of records once no sweep is due any more, or when it is as wanted.
func records(t *testing.T, ix *uproar.Index, want uint64) uint64 {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if n := countAll(t, ix); n == want || time.Now().After(deadline) {
			return n
		}
	}
}

// countAll returns how many records there are now.
func countAll(t *testing.T, ix *uproar.Index) uint64 {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	n, err := snap.Count(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSweep: members without sets are deleted, all others stay.
func TestSweep(t *testing.T) {
	s, ix := openSpace(t)
	var members [][]byte
	for i := range 3 * leastSwept {
		members = append(members, fmt.Append(nil, "m", i))
	}
	s.must(t, func(st *State) error {
		r, err := st.Row([]byte("gone"))
		if err == nil {
			_, err = r.Add(members...)
		}
		if err == nil {
			r, err = st.Row([]byte("stays"))
		}
		if err == nil {
			_, err = r.Add(members[:1000]...)
		}
		return err
	})
	// A value of a field of others keeps its record.
	if _, err := s.db.AddFields(t.Context(), "redis", uproar.Field{Name: "country", Type: uproar.Single}); err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Set("country", "m2000", "NL")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	s.must(t, func(st *State) error { _, err := st.Delete([]byte("gone")); return err })
	if got := records(t, ix, 1001); got != 1001 {
		t.Errorf("after the sweep: got %d records, want 1001", got)
	}
	s.must(t, func(st *State) error {
		r, err := st.Row([]byte("gone"))
		if err != nil {
			return err
		}
		if n, err := r.Add(members...); err != nil || n != int64(len(members)) {
			return fmt.Errorf("added %d (%v), want %d", n, err, len(members))
		}
		return nil
	})
	if got, want := records(t, ix, uint64(len(members))), uint64(len(members)); got != want {
		t.Errorf("after they were added again: got %d records, want %d", got, want)
	}
}

// TestSweepReader: a copy that only reads does not sweep, and does not try all the time.
func TestSweepReader(t *testing.T) {
	dir := t.TempDir()
	for _, readOnly := range []bool{false, true} {
		kept, err := pebblestore.Open(dir, &pebblestore.Options{ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		db, err := uproar.Open(t.Context(), kept, &uproar.Options{ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(t.Context(), db, "redis", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if readOnly {
			s.sweeper.last, s.sweeper.removed = time.Time{}, leastSwept
			if s.sweep(t.Context()); s.sweeper.now != nil || s.sweeper.due() <= 0 {
				t.Errorf("got a sweep %v, the next in %v, want none and later", s.sweeper.now, s.sweeper.due())
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSweepBeside writes to sets, also from outside, while sweeps run all the time: nothing is
// lost.
func TestSweepBeside(t *testing.T) {
	s, ix := openSpace(t)
	keys, sets := []string{"a", "b", "c"}, make(map[string]map[string]bool)
	for _, key := range keys {
		sets[key] = make(map[string]bool)
	}
	timed := make(map[string]bool)
	steps := 10_000
	if testing.Short() {
		steps = 2500
	}
	for step := range steps {
		key, other := keys[rand.IntN(3)], keys[rand.IntN(3)]
		var some [][]byte
		for range 1 + rand.IntN(30) {
			some = append(some, fmt.Append(nil, "m", rand.IntN(300)))
		}
		kind := rand.IntN(8)
		if step%50 == 49 { // not through the space
			var b uproar.Batch
			for _, m := range some {
				b.Set(memberField, string(m), key)
				sets[key][string(m)] = true
			}
			if _, err := ix.Write(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			continue
		}
		s.must(t, func(st *State) error {
			if err := sweepSoon(st); err != nil {
				return err
			}
			r, err := st.Row([]byte(key))
			if err != nil {
				return err
			}
			switch kind {
			case 0, 1, 2:
				_, err = r.Add(some...)
			case 3, 4:
				_, err = r.Remove(some...)
			case 5:
				_, err = st.Delete([]byte(key))
			case 6:
				if len(sets[key]) > 0 && key != other {
					err = st.Rename([]byte(key), []byte(other))
				}
			case 7:
				if has, e := r.Has(some[0]); e != nil || !has {
					return e
				}
				err = r.Expire(some[0], st.Now+1_000_000)
			}
			return err
		})
		switch kind {
		case 0, 1, 2:
			for _, m := range some {
				sets[key][string(m)] = true
			}
		case 3, 4:
			for _, m := range some {
				delete(sets[key], string(m))
			}
		case 5:
			sets[key] = make(map[string]bool)
		case 6:
			if len(sets[key]) > 0 && key != other {
				sets[other], sets[key] = sets[key], make(map[string]bool)
			}
		}
	}
	all := make(map[string]bool)
	for _, key := range keys {
		maps.Copy(all, sets[key])
		got := make(map[string]bool)
		if err := s.Read(t.Context(), func(st *State) error {
			m, err := st.Unite([]byte(key))
			if err != nil {
				return err
			}
			return m.Each(func(member []byte) error { got[string(member)] = true; return nil })
		}); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(got, sets[key]) {
			t.Errorf("%s: got %v, want %v", key, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(sets[key])))
		}
	}
	if err := s.Read(context.Background(), func(st *State) error {
		for _, key := range keys {
			times, err := st.memberTimes(key)
			if err != nil {
				return err
			}
			for member := range times {
				timed[key+"/"+member] = true
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for under := true; under; time.Sleep(10 * time.Millisecond) { // the one under way does not know all
		s.must(t, func(*State) error { under = s.sweeper.now != nil; return nil })
	}
	s.must(t, sweepSoon)
	if got, want := records(t, ix, uint64(len(all)+len(timed))), uint64(len(all)+len(timed)); got != want {
		t.Errorf("after the last sweep: got %d records, want %d members and %d times", got, len(all), len(timed))
	}
}
