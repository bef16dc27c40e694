// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/names"
	"github.com/uproar-db/uproar/store/memstore"
)

// removeFrom takes members out of a set.
func removeFrom(key string, members ...string) work {
	return func(st *State) error {
		r, err := st.Row([]byte(key))
		if err != nil {
			return err
		}
		for _, m := range members {
			if _, err := r.Remove([]byte(m)); err != nil {
				return err
			}
		}
		return nil
	}
}

// timesWithoutKey counts the times whose members' keys are not known.
func timesWithoutKey(t *testing.T, ix *uproar.Index) uint64 {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	n, err := snap.Count(t.Context(), withoutKey)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTimesOfOthers: a time of a member that others have written, without its key, counts as one
// that a command has set: it is gone once the member has been taken out.
func TestTimesOfOthers(t *testing.T) {
	s, ix := openSpace(t)
	s.must(t, addTo("k", "again", "stays", "ends"))
	soon := time.Now().UnixMilli() + 300
	write(t, ix, func(b *uproar.Batch) {
		b.SetInt(expiresField, names.OfMember("k", "again"), soon)
		b.SetInt(expiresField, names.OfMember("k", "ends"), soon)
	})
	s.must(t, removeFrom("k", "again"))
	s.must(t, addTo("k", "again"))
	if n := timesWithoutKey(t, ix); n != 0 {
		t.Errorf("got %d times without a key, want none", n)
	}
	time.Sleep(time.Until(time.UnixMilli(soon + 20)))
	for member, want := range map[string]bool{"again": true, "stays": true, "ends": false} {
		if err := s.Read(t.Context(), func(st *State) error {
			r, err := st.Row([]byte("k"))
			if err != nil {
				return err
			}
			if has, err := r.Has([]byte(member)); err != nil || has != want {
				t.Errorf("%s: got %v, %v, want %v", member, has, err, want)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFirstTimeOfOthers: the first time of all, which others have written, counts for who reads,
// though nobody writes a command.
func TestFirstTimeOfOthers(t *testing.T) {
	s, ix := openSpace(t)
	s.must(t, addTo("k", "ends", "stays"))
	soon := time.Now().UnixMilli() + 100
	write(t, ix, func(b *uproar.Batch) { b.SetInt(expiresField, names.OfMember("k", "ends"), soon) })
	count := func() (n uint64) {
		if err := s.Read(t.Context(), func(st *State) error {
			r, err := st.Row([]byte("k"))
			if err == nil {
				n, err = r.Len()
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(); n != 2 && time.Now().UnixMilli() < soon {
		t.Errorf("got %d members before the time, want 2", n)
	}
	time.Sleep(time.Until(time.UnixMilli(soon + 1)))
	if n := count(); n != 1 {
		t.Errorf("got %d members after the time, want 1", n)
	}
}

// TestTimesOfOthersBefore: those that were written while no space was open are completed, too.
func TestTimesOfOthersBefore(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s, err := Open(t.Context(), db, "sets", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	ix, err := db.Index("sets")
	if err != nil {
		t.Fatal(err)
	}
	const many = 2*pageOfMembers + 10
	later := time.Now().Add(time.Hour).UnixMilli()
	write(t, ix, func(b *uproar.Batch) {
		for i := range many {
			member := fmt.Sprint("m", i)
			b.Set(memberField, member, "k")
			b.SetInt(expiresField, names.OfMember("k", member), later)
		}
	})
	if s, err = Open(t.Context(), db, "sets", nil, nil); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for deadline := time.Now().Add(20 * time.Second); timesWithoutKey(t, ix) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("got %d times without a key, want none", timesWithoutKey(t, ix))
		}
	}
}
