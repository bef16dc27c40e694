// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/expiry"
	"github.com/uproar-db/uproar/server/resp/names"
)

// write writes to the index as others do.
func write(t *testing.T, ix *uproar.Index, fn func(b *uproar.Batch)) {
	t.Helper()
	var b uproar.Batch
	fn(&b)
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
}

// addTo adds members to a set.
func addTo(key string, members ...string) work {
	return func(st *State) error {
		r, err := st.Row([]byte(key))
		if err != nil {
			return err
		}
		raw := make([][]byte, len(members))
		for i, m := range members {
			raw[i] = []byte(m)
		}
		_, err = r.Add(raw...)
		return err
	}
}

// TestFollow: after a write of others only what it says is read, and the sweep that is under way
// goes on.
func TestFollow(t *testing.T) {
	s, ix := openSpace(t)
	s.must(t, addTo("a", "x", "y"))
	s.must(t, func(st *State) error { return st.Expire([]byte("a"), st.Now+1_000_000) })
	var before *sweep
	schema := uint64(0)
	s.must(t, func(st *State) error {
		before = &sweep{revived: make(map[string]bool), end: func() {}}
		s.sweeper.now, schema = before, s.schema
		st.space.keepCount("a", s.sequence.Load(), 2)
		st.space.keepCount("b", s.sequence.Load(), 0)
		s.timers.Set(expiry.Time{At: st.Now + 500_000, Record: names.OfKey("marked")}) // is gone if times are read anew
		return nil
	})
	soon := time.Now().UnixMilli() + 1000
	write(t, ix, func(b *uproar.Batch) {
		b.Set(memberField, "z", "b")
		b.Set(memberField, "z", "soon")
		b.SetInt(expiresField, names.OfKey("soon"), soon)
	})
	s.must(t, func(st *State) error {
		known := s.timers.Due(st.Now+600_000, 10)
		s.timers.PutBack(known)
		switch {
		case len(known) != 2 || known[1].Record != names.OfKey("marked") || s.schema != schema:
			t.Errorf("got the times %v: all were read anew", known)
		case known[0] != expiry.Time{At: soon, Record: names.OfKey("soon")}:
			t.Errorf("got the time %v of the other writer's key, want %d", known[0], soon)
		case s.sweeper.now != before:
			t.Error("the sweep has ended")
		case !before.revived["z"]:
			t.Errorf("the sweep knows %v as written, want z among it", before.revived)
		}
		if _, known := s.countOf("a", st.snap.Sequence()); !known {
			t.Error("the number of members of a set that nobody has written to was forgotten")
		}
		if n, known := s.countOf("b", st.snap.Sequence()); known {
			t.Errorf("the number of members of a set that was written to is taken for %d", n)
		}
		s.sweeper.now = nil
		return nil
	})
	time.Sleep(time.Until(time.UnixMilli(soon)))
	for range 2 {
		if err := s.Read(t.Context(), func(st *State) error {
			is, err := st.Exists([]byte("soon"))
			if is {
				t.Error("a key whose time others have set is there when it has ended")
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSweepUnderWriters: a sweep ends though others write all the time, and deletes none of what
// they have written.
func TestSweepUnderWriters(t *testing.T) {
	s, ix := openSpace(t)
	const members = 5 * sweptAtOnce
	var names []string
	for i := range members {
		names = append(names, fmt.Sprint("m", i))
	}
	s.must(t, addTo("gone", names...))
	s.must(t, func(st *State) error { _, err := st.Delete([]byte("gone")); return err })
	stop, ended := make(chan struct{}), make(chan int)
	for range 2 {
		go func() {
			n := 0
			for ; ; n++ {
				select {
				case <-stop:
					ended <- n
					return
				default:
				}
				var b uproar.Batch
				b.Set(memberField, fmt.Sprint("m", rand.IntN(1000)), "kept")
				b.Set(memberField, fmt.Sprint("w", n%100), "other")
				if _, err := ix.Write(t.Context(), &b); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	s.must(t, sweepSoon)
	left := uint64(0)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if left = countAll(t, ix); left < members/2 {
			break
		}
	}
	close(stop)
	n := <-ended + <-ended
	if left >= members/2 || n == 0 {
		t.Errorf("beside %d writes of others: got %d records left, want those without sets deleted", n, left)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for _, key := range []string{"kept", "other"} {
		if id, ok, err := snap.RowID(memberField, key); err != nil || !ok {
			t.Errorf("%s: got %v, %v, %v", key, id, ok, err)
		}
	}
}

// TestTimersBounded has more times than are kept in memory: each key and member ends when it
// should, whoever has said so, and the memory stays bounded.
func TestTimersBounded(t *testing.T) {
	s, ix := openSpace(t)
	const mostHeld = 9 << 20
	n := 130_000
	if testing.Short() {
		n = 66_000
	}
	base := time.Now().UnixMilli() + 3_600_000
	first := base + 1_000_000
	for from := 0; from < n; from += 10_000 {
		write(t, ix, func(b *uproar.Batch) {
			for i := from; i < min(from+10_000, n); i++ {
				at := base + rand.Int64N(1_000_000)
				if i%3 == 0 {
					at = base + 500_000 // very many at the same time
				}
				first = min(first, at)
				b.Set(memberField, fmt.Sprint("m", i), "set")
				b.SetInt(expiresField, names.OfMember("set", fmt.Sprint("m", i)), at)
				b.Set(timedField, names.OfMember("set", fmt.Sprint("m", i)), "set")
			}
		})
	}
	held := int64(0)
	hold := func(bytes int64) { held += bytes }
	s.must(t, func(*State) error {
		s.timers.Release()
		s.timers = expiry.New(expiresField, hold) // which is to read all that there is
		return nil
	})
	s.must(t, addTo("set", "x"))
	check := func() {
		t.Helper()
		s.must(t, func(st *State) error {
			if held > mostHeld {
				t.Errorf("got times in %d bytes in memory", held)
			}
			if next := s.timers.Next(); next > first {
				t.Errorf("got %d as the first time, want at most %d", next, first)
			}
			return nil
		})
	}
	check()
	// As if all of it were over: everything ends, by and by.
	held = 0
	ended, steps, timers := 0, 0, expiry.New(expiresField, hold)
	for now := base + 1_000_000; ; steps++ {
		due := timers.Due(now, mostDue)
		if len(due) == 0 && timers.Next() > now {
			break
		}
		if len(due) == 0 {
			snap := ix.Snapshot()
			err := timers.Fill(t.Context(), snap)
			snap.Close()
			if err != nil || held > mostHeld {
				t.Fatalf("got %d bytes of times (%v)", held, err)
			}
			continue
		}
		write(t, ix, func(b *uproar.Batch) {
			for _, x := range due {
				b.Unset(expiresField, x.Record)
				timers.Set(expiry.Time{At: 0, Record: x.Record})
			}
		})
		ended += len(due)
	}
	if ended != n {
		t.Errorf("got %d ended in %d steps, want %d", ended, steps, n)
	}
}

// TestKeySet counts and draws keys while this space and others write: the same as a walk finds.
func TestKeySet(t *testing.T) {
	s, ix := openSpace(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	keys := make(map[string]bool)
	known := 0
	for step := range 3000 {
		key, member := fmt.Sprint("k", r.IntN(40)), fmt.Sprint("m", r.IntN(3))
		switch r.IntN(8) {
		case 7: // a key of another type, which has no row
			typed := []byte(fmt.Sprint("t", r.IntN(3)))
			s.must(t, func(st *State) error {
				if r.IntN(2) == 0 {
					_, err := st.Delete(typed)
					return err
				}
				return st.SetType(typed, "string")
			})
		case 0, 1:
			s.must(t, addTo(key, member))
		case 2:
			s.must(t, func(st *State) error { _, err := st.Delete([]byte(key)); return err })
		case 3:
			write(t, ix, func(b *uproar.Batch) { b.Set(memberField, member, key) })
		case 4:
			write(t, ix, func(b *uproar.Batch) { b.Clear(memberField, member, key) })
		case 5:
			write(t, ix, func(b *uproar.Batch) { b.DeleteRow(memberField, key) })
		case 6:
			if step%20 == 0 {
				write(t, ix, func(b *uproar.Batch) { b.DeleteRecord(member) })
			}
		}
		if err := s.Read(t.Context(), func(st *State) error {
			clear(keys)
			for row, err := range st.snap.Rows(t.Context(), memberField) {
				if err != nil {
					return err
				}
				keys[row.Key] = true
			}
			for i := range 3 {
				key := fmt.Sprint("t", i)
				if kind, err := st.Type([]byte(key)); err != nil {
					return err
				} else if kind != NoType {
					keys[key] = true
				}
			}
			n, err := st.Size()
			if err != nil || n != int64(len(keys)) {
				t.Fatalf("step %d: got %d keys (%v), want %d", step, n, err, len(keys))
			}
			if s.keys.changed != nil {
				known++
			}
			key, ok, err := st.RandomKey()
			if err != nil || ok != (len(keys) > 0) || ok && !keys[string(key)] {
				t.Fatalf("step %d: got the key %q (%v, %v), want one of %v", step, key, ok, err, keys)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if known < 1000 {
		t.Errorf("only %d times it was known which keys there are", known)
	}
}

// TestRandomKeyEven: each key is as likely as any other.
func TestRandomKeyEven(t *testing.T) {
	s, _ := openSpace(t)
	for i := range 100 {
		s.must(t, addTo(fmt.Sprint("k", i), "m"))
	}
	for i := range 90 { // what was there leaves gaps
		s.must(t, func(st *State) error { _, err := st.Delete(fmt.Append(nil, "k", i+5)); return err })
	}
	drawn := make(map[string]int)
	for range 5000 {
		if err := s.Read(t.Context(), func(st *State) error {
			key, _, err := st.RandomKey()
			drawn[string(key)]++
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	for key, n := range drawn {
		if n < 350 || n > 650 {
			t.Errorf("%s: drawn %d times of 5000, want about 500", key, n)
		}
	}
	if len(drawn) != 10 {
		t.Errorf("got %d keys drawn, want 10", len(drawn))
	}
}

// TestOddNames: what others have named as no command does is shown by its name, and found by it.
func TestOddNames(t *testing.T) {
	s, ix := openSpace(t)
	for _, odd := range []string{`\!x`, `\@1:kx`, `\:plain`, `\=short`, `\q`, `\`, `\:\x4`} {
		write(t, ix, func(b *uproar.Batch) {
			b.Set(memberField, odd, "set")
			b.Set(memberField, "m", odd)
		})
		s.must(t, func(st *State) error {
			r, err := st.Row([]byte("set"))
			if err != nil {
				return err
			}
			members, _, err := r.ScanMembers(0, 100)
			if err != nil || len(members) != 1 || string(members[0]) != odd {
				t.Errorf("%s: got the members %q (%v)", odd, members, err)
			}
			keys, _, err := st.ScanKeys(0, 100)
			if err != nil || !slices.ContainsFunc(keys, func(k Key) bool { return string(k.Raw) == odd }) {
				t.Errorf("%s: got the keys %q (%v)", odd, keys, err)
			}
			if has, err := r.Has([]byte(odd)); err != nil || !has {
				t.Errorf("%s: it is no member of its set (%v)", odd, err)
			}
			if n, err := r.Add([]byte(odd)); err != nil || n != 0 {
				t.Errorf("%s: got %d added (%v), want 0", odd, n, err)
			}
			if n, err := r.Remove([]byte(odd)); err != nil || n != 1 {
				t.Errorf("%s: got %d removed (%v), want 1", odd, n, err)
			}
			if is, err := st.Delete([]byte(odd)); err != nil || !is {
				t.Errorf("%s: the key was not deleted: %v, %v", odd, is, err)
			}
			if is, err := st.Exists([]byte(odd)); err != nil || is {
				t.Errorf("%s: the key is there after it was deleted (%v)", odd, err)
			}
			return nil
		})
	}
}
