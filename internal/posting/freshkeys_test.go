// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/load"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

// relation is a plain model of one relation.
type relation map[[2]string]bool

// commit writes a pair as a commit does, and has both records exist.
func (r relation) commit(t testing.TB, ix *Index, row, record string) {
	t.Helper()
	var b Batch
	b.Set(follows, b.Key(model.RecordSpace, row), b.Key(model.RecordSpace, record))
	b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, row))
	b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, record))
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Error(err)
	}
	r[[2]string{row, record}] = true
}

// relate loads pairs, with both keys next to each other.
func (r relation) relate(t testing.TB, l *load.Loader, keys ...string) {
	t.Helper()
	texts := make([][]byte, len(keys))
	for i, key := range keys {
		texts[i] = []byte(key)
		if i%2 == 1 {
			r[[2]string{keys[i-1], key}] = true
		}
	}
	if err := l.Relate(follows, texts); err != nil {
		t.Fatal(err)
	}
}

// check compares both directions with the model, after all is in pages, and verifies the index.
func (r relation) check(t testing.TB, ix *Index) {
	t.Helper()
	if err := errors.Join(ix.Flush(t.Context()), ix.Verify(t.Context(), nil)); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	ids := make(map[string]uint64)
	for p := range r {
		for _, key := range p {
			id, ok, err := snap.Lookup(model.RecordSpace, key)
			text, _, err2 := snap.AppendKey(nil, model.RecordSpace, id)
			exists, err3 := snap.Contains(model.Exists, 0, id)
			if err := errors.Join(err, err2, err3); err != nil || !ok || string(text) != key || !exists {
				t.Fatalf("%q: got ID %d, %v, of %q, which exists: %v, %v", key, id, ok, text, exists, err)
			}
			ids[key] = id
		}
		for field, look := range map[uint32][2]string{follows: p, followers: {p[1], p[0]}} {
			if in, err := snap.Contains(field, ids[look[0]], ids[look[1]]); err != nil || !in {
				t.Fatalf("%q: field %d: got %v, %v", p, field, in, err)
			}
		}
	}
	for _, field := range []uint32{follows, followers} {
		sum := 0
		if err := snap.Rows(t.Context(), field, 0, func(_ uint64, l *overlay.List) error {
			sum += int(l.Len())
			return nil
		}); err != nil || sum != len(r) {
			t.Errorf("field %d: got %d values, %v; want %d", field, sum, err, len(r))
		}
	}
	var all overlay.List
	if err := snap.List(model.Exists, 0, &all); err != nil || all.Len() != uint64(len(ids)) {
		t.Errorf("got %d records, %v; want %d", all.Len(), err, len(ids))
	}
}

// TestFreshKeysNamedByOthers: a key that a commit names after the load has met it keeps the ID of
// the commit, and the load writes under that.
func TestFreshKeysNamedByOthers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, memory := range []int64{5_000, 1 << 20} {
		ix := open(t, memstore.New(), testConfig(t, 1<<20))
		defer ix.Close()
		r := relation{}
		r.commit(t, ix, "old", "older")
		rng := rand.New(rand.NewPCG(1, uint64(memory)))
		key := func() string { return fmt.Sprint("key ", rng.IntN(3000)) }
		l, err := ix.Load(t.Context(), memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Abort()
		for range 40 {
			var keys []string
			for range 100 {
				keys = append(keys, key())
			}
			r.relate(t, l, append(keys, "old", key())...)
			r.commit(t, ix, keys[rng.IntN(len(keys))], fmt.Sprint("other ", rng.IntN(100)))
			if rng.IntN(4) == 0 {
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		r.relate(t, l, "met before", "met too")
		r.commit(t, ix, "met before", "old")
		snap := ix.Snapshot()
		want, _, _ := snap.Lookup(model.RecordSpace, "met before")
		snap.Close()
		if _, err := l.Commit(); err != nil {
			t.Fatal(err)
		}
		snap = ix.Snapshot()
		got, _, _ := snap.Lookup(model.RecordSpace, "met before")
		snap.Close()
		if got != want {
			t.Errorf("got ID %d, want %d", got, want)
		}
		r.check(t, ix)
	}
}

// TestFreshKeysBesideWriters loads while others write pairs of the same and of other keys. The
// writers start before the load and end after it.
func TestFreshKeysBesideWriters(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	config := testConfig(t, 20_000)
	s := memstore.New()
	ix := open(t, s, config)
	written := make([]relation, 2)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var writers sync.WaitGroup
	for i := range written {
		written[i] = relation{}
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(i)))
			for ctx.Err() == nil {
				written[i].commit(t, ix, fmt.Sprint("key ", rng.IntN(20_000)), fmt.Sprint("key ", rng.IntN(20_000)))
			}
		})
	}
	rng := rand.New(rand.NewPCG(7, 7))
	all := relation{}
	for _, memory := range []int64{100_000, 4 << 20} {
		l, err := ix.Load(t.Context(), memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Abort()
		for range 10 {
			var keys []string
			for range 1000 {
				keys = append(keys, fmt.Sprint("key ", rng.IntN(20_000)))
			}
			all.relate(t, l, keys...)
		}
		if _, err := l.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	writers.Wait()
	for _, r := range written {
		for p := range r {
			all[p] = true
		}
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = open(t, s, config) // replays what is not in pages
	defer ix.Close()
	all.check(t, ix)
}

// TestFreshKeysMixed gives a load pairs, then other writes that name keys, then pairs again.
func TestFreshKeysMixed(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	r := relation{}
	r.commit(t, ix, "z", "y")
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	r.relate(t, l, "a", "b", "c", "z", "z", "a")
	r.commit(t, ix, "b", "y")
	a, first := l.Key(model.RecordSpace, "a")
	fresh, isFresh := l.Key(model.RecordSpace, "e")
	if first || !isFresh {
		t.Errorf("got new: %v and %v, want false and true", first, isFresh)
	}
	if err := errors.Join(l.Set(follows, a, fresh), l.Set(model.Exists, model.ID(0), fresh)); err != nil {
		t.Fatal(err)
	}
	r[[2]string{"a", "e"}] = true
	r.relate(t, l, "a", "c", "f", "b", "e", "g")
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	r.check(t, ix)
}

// TestFreshKeysMixedInLittleMemory is TestFreshKeysMixed without memory for keys. Pairs with
// numbers then wait for another pass while the numbers get IDs.
func TestFreshKeysMixedInLittleMemory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 5))
		key := func(n int) string { return fmt.Sprint("key ", rng.IntN(n)) }
		ix := open(t, memstore.New(), testConfig(t, 1<<20))
		defer ix.Close()
		r := relation{}
		if seed%2 == 0 {
			r.commit(t, ix, key(100), "old")
		}
		l, err := ix.Load(t.Context(), []int64{5_000, 20_000, 100_000}[seed%3], nil)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Abort()
		for round := range 5 {
			var keys []string
			for range 2 * (1 + rng.IntN(1000)) {
				keys = append(keys, key(1000*(round+1)))
			}
			r.relate(t, l, keys...)
			r.commit(t, ix, key(3000), key(3000))
			if rng.IntN(3) > 0 {
				continue
			}
			if _, err := l.Trim(); err != nil {
				t.Fatal(err)
			}
			if rng.IntN(2) == 0 {
				r.relate(t, l, keys[:2]...) // which the load has forgotten
				continue
			}
			a, b := key(3000), key(3000)
			row, _ := l.Key(model.RecordSpace, a)
			record, _ := l.Key(model.RecordSpace, b)
			if err := errors.Join(l.Set(follows, row, record), l.Set(model.Exists, model.ID(0), row),
				l.Set(model.Exists, model.ID(0), record)); err != nil {
				t.Fatal(err)
			}
			r[[2]string{a, b}] = true
		}
		if _, err := l.Commit(); err != nil {
			t.Fatal(err)
		}
		r.check(t, ix)
	}
}

// TestFreshKeysAborted ends loads before Commit, and during it: nothing of them is seen, no file
// stays, and the next one goes on.
func TestFreshKeysAborted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s, config := memstore.New(), testConfig(t, 1<<20)
	ix := open(t, s, config)
	r := relation{}
	r.commit(t, ix, "old", "older")
	for end := range 12 {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		l, err := ix.Load(ctx, 5_000, func(done, _ int) {
			if done >= end*300 {
				cancel()
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		lost := relation{}
		for i := range 600 {
			lost.relate(t, l, fmt.Sprint("key ", i%500), fmt.Sprint("lost ", end*100+i))
		}
		r.commit(t, ix, "old", fmt.Sprint("other ", end))
		if end == 0 {
			l.Abort()
		} else if _, err := l.Commit(); err == nil {
			for p := range lost {
				r[p] = true
			}
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		r.commit(t, ix, fmt.Sprint("key ", end), "old")
		r.check(t, ix)
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Fatalf("got %d temporary files, %v", len(files), err)
		}
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = open(t, s, config)
	defer ix.Close()
	r.check(t, ix)
}

// TestReserve reserves IDs beside commits and opens the index again without a flush. Every key then
// has an ID of its own.
func TestReserve(t *testing.T) {
	s, config := memstore.New(), testConfig(t, 1<<20)
	ix := open(t, s, config)
	r := relation{}
	taken := make(map[uint64]bool)
	for i := range 5 {
		r.commit(t, ix, fmt.Sprint("a ", i), fmt.Sprint("b ", i))
		release, err := ix.manifests.lockMerges(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		first, err := ix.flusher.reserve(t.Context(), model.RecordSpace, 10, math.MaxUint32)
		release()
		if err != nil {
			t.Fatal(err)
		}
		for id := first; id < first+10; id++ {
			taken[id] = true
		}
	}
	r.commit(t, ix, "c", "d")
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	ix = open(t, s, config)
	defer ix.Close()
	r.commit(t, ix, "e", "f")
	r.check(t, ix)
	snap := ix.Snapshot()
	defer snap.Close()
	for p := range r {
		for _, key := range p {
			if id, _, err := snap.Lookup(model.RecordSpace, key); err != nil || taken[id] {
				t.Errorf("%q: got ID %d, which is reserved, %v", key, id, err)
			}
		}
	}
}

// TestReserveTooMany: a load of more keys than there are IDs below 2^32 fails before it has taken
// any.
func TestReserveTooMany(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 8<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	relation{}.relate(t, l, "a", "b", "c", "d", "e", "f")
	const taken = math.MaxUint32 - 4
	release, err := ix.manifests.lockMerges(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = ix.flusher.reserve(t.Context(), model.RecordSpace, taken, math.MaxUint32)
	if release(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Commit(); !errors.Is(err, model.ErrTooLarge) {
		t.Fatalf("6 keys where 4 IDs are left: got %v, want ErrTooLarge", err)
	}
	relation{}.commit(t, ix, "after", "it")
	snap := ix.Snapshot()
	defer snap.Close()
	if id, ok, err := snap.Lookup(model.RecordSpace, "after"); err != nil || !ok || id != taken {
		t.Errorf("a key after a load that was refused: got ID %d (%v, %v), want %d: the load has taken some", id, ok,
			err, uint64(taken))
	}
}
