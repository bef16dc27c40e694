// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// world is the plain reference for records that come and go: by key, with IDs left to the index.
type world struct {
	tags    map[string]map[string]bool // record → values
	follows map[string]map[string]bool
	city    map[string]string
	age     map[string]int64
}

func newWorld() *world {
	return &world{map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]string{}, map[string]int64{}}
}

func (w *world) clone() *world {
	c := newWorld()
	for k, v := range w.tags {
		c.tags[k] = maps.Clone(v)
	}
	for k, v := range w.follows {
		c.follows[k] = maps.Clone(v)
	}
	c.city, c.age = maps.Clone(w.city), maps.Clone(w.age)
	return c
}

func put(m map[string]map[string]bool, k, v string, set bool) {
	if m[k] == nil {
		m[k] = map[string]bool{}
	}
	if set {
		m[k][v] = true
	} else {
		delete(m[k], v)
	}
}

func (w *world) delete(record string) {
	delete(w.tags, record)
	delete(w.follows, record)
	delete(w.city, record)
	delete(w.age, record)
	for _, f := range w.follows {
		delete(f, record)
	}
}

// deletionWriter writes random batches to an index and to a world.
type deletionWriter struct {
	t   *testing.T
	rng *rand.Rand
	ix  *Index
	w   *world
}

func (w *deletionWriter) name(kind string, n int) string {
	return fmt.Sprintf("%s%d", kind, w.rng.IntN(n))
}

// commit writes a batch of n writes of every kind. It tries again when a record was deleted in
// between.
func (w *deletionWriter) commit(n int) {
	var b Batch
	gone := map[string]bool{} // deleted in this batch: the key stands for a new record from then on
	record := func(key string) model.Ref {
		r := b.Key(model.RecordSpace, key)
		b.Set(model.Exists, model.ID(0), r)
		return r
	}
	for range n {
		r, o := w.name("r", 60), w.name("r", 60)
		switch w.rng.IntN(20) {
		case 0, 1:
			snap := w.ix.Snapshot()
			id, ok, err := snap.Lookup(model.RecordSpace, r)
			snap.Close()
			switch {
			case err != nil:
				w.t.Fatal(err)
			case ok && !gone[r] && w.rng.IntN(2) == 0:
				b.Delete(model.ID(id))
			default:
				b.Delete(b.Key(model.RecordSpace, r)) // also one that the batch itself has named
			}
			b.Replace(model.RecordSpace, r)
			gone[r] = true
			w.w.delete(r)
		case 2:
			v := w.name("v", 12)
			b.Empty(country, b.Key(model.KeySpace(country), v))
			for k := range w.w.tags {
				put(w.w.tags, k, v, false)
			}
		case 3:
			b.Empty(follows, record(r))
			delete(w.w.follows, r)
		case 4:
			b.Empty(followers, record(r))
			for k := range w.w.follows {
				put(w.w.follows, k, r, false)
			}
		case 5:
			v := w.name("c", 8)
			b.Empty(city, b.Key(model.KeySpace(city), v))
			maps.DeleteFunc(w.w.city, func(_, c string) bool { return c == v })
		case 6, 7, 8:
			v := w.name("c", 8)
			b.Assign(city, record(r), b.Key(model.KeySpace(city), v))
			w.w.city[r] = v
		case 9:
			b.Unassign(city, record(r))
			delete(w.w.city, r)
		case 10:
			v := w.name("c", 8)
			b.Drop(city, record(r), b.Key(model.KeySpace(city), v))
			if w.w.city[r] == v {
				delete(w.w.city, r)
			}
		case 11, 12:
			x := w.rng.Int64N(2000) - 1000
			if w.rng.IntN(10) == 0 {
				x = [...]int64{math.MaxInt64, math.MinInt64 + 1, math.MinInt64, 1 << 62, -1 << 62}[w.rng.IntN(5)]
			}
			b.AssignInt(age, record(r), x)
			w.w.age[r] = x
		case 13:
			b.Unassign(age, record(r))
			delete(w.w.age, r)
		case 14, 15, 16:
			set := w.rng.IntN(4) > 0
			v := w.name("v", 12)
			if set {
				b.Set(country, b.Key(model.KeySpace(country), v), record(r))
			} else {
				b.Clear(country, b.Key(model.KeySpace(country), v), record(r))
			}
			put(w.w.tags, r, v, set)
		default:
			set := w.rng.IntN(4) > 0
			if set {
				b.Set(follows, record(r), record(o))
			} else {
				b.Clear(follows, record(r), record(o))
			}
			put(w.w.follows, r, o, set)
		}
	}
	if _, err := w.ix.Commit(w.t.Context(), &b); err != nil {
		w.t.Fatal(err)
	}
}

// listed returns the keys in a list.
func listed(t *testing.T, snap reader.Snapshot, field uint32, row uint64) map[string]bool {
	t.Helper()
	var l overlay.List
	if err := snap.List(field, row, &l); err != nil {
		t.Fatal(err)
	}
	var c overlay.Cursor
	c.Reset(&l)
	keys, n := map[string]bool{}, uint64(0)
	for ok := c.Seek(0); ok; ok = c.Next() {
		block := c.Block()
		if block.Len() != c.BlockLen() {
			t.Fatalf("field %d, row %d: got a block of %d, want %d", field, row, c.BlockLen(), block.Len())
		}
		for _, id := range block.AppendTo(nil) {
			key, ok, err := snap.AppendKey(nil, model.RecordSpace, id)
			if err != nil || !ok {
				t.Fatalf("field %d, row %d: got no key of record %d (%v)", field, row, id, err)
			}
			in, err := snap.Contains(field, row, id)
			if err != nil || !in || !l.Contains(id) {
				t.Fatalf("field %d, row %d: record %d is listed, but Contains says no (%v)", field, row, id, err)
			}
			keys[string(key)] = true
			n++
		}
	}
	if n != l.Len() || int(n) != len(keys) {
		t.Fatalf("field %d, row %d: got %d records of %d keys, Len says %d", field, row, n, len(keys), l.Len())
	}
	return keys
}

// check compares all that a snapshot says with a world.
func (w *world) check(t *testing.T, snap reader.Snapshot) {
	t.Helper()
	checkAllRows(t, snap, rand.New(rand.NewPCG(snap.Sequence(), 1)))
	id := func(space uint32, key string) (uint64, bool) {
		id, ok, err := snap.Lookup(space, key)
		if err != nil {
			t.Fatal(err)
		}
		return id, ok
	}
	rows := func(field uint32, key string, want map[string]bool) {
		t.Helper()
		got := map[string]bool{}
		if row, ok := id(rowSpace(field), key); ok {
			got = listed(t, snap, field, row)
		}
		if len(got) != len(want) || !maps.Equal(got, want) && len(want) > 0 {
			t.Fatalf("field %d, row %q: got %v, want %v", field, key, got, want)
		}
	}
	for i := range 12 {
		v, want := fmt.Sprintf("v%d", i), map[string]bool{}
		for r, values := range w.tags {
			if values[v] {
				want[r] = true
			}
		}
		rows(country, v, want)
	}
	for i := range 8 {
		v, want := fmt.Sprintf("c%d", i), map[string]bool{}
		for r, c := range w.city {
			if c == v {
				want[r] = true
			}
		}
		rows(city, v, want)
	}
	for i := range 60 {
		r, back := fmt.Sprintf("r%d", i), map[string]bool{}
		for o, f := range w.follows {
			if f[r] {
				back[o] = true
			}
		}
		rows(follows, r, w.follows[r])
		rows(followers, r, back)
		w.checkValueColumn(t, snap, r)
	}
	w.checkAny(t, snap)
	for row := range model.IntegerRow(63) + 1 {
		want := map[string]bool{}
		for r, x := range w.age {
			size := uint64(max(x, -x))
			if row == model.IntegerAny || row == model.IntegerNegative && x < 0 || row >= model.IntegerBits &&
				size>>(row-model.IntegerBits)&1 != 0 {
				want[r] = true
			}
		}
		if got := listed(t, snap, age, row); !maps.Equal(got, want) {
			t.Fatalf("slice %d: got %v, want %v", row, got, want)
		}
	}
}

func (w *world) checkValueColumn(t *testing.T, snap reader.Snapshot, r string) {
	t.Helper()
	record, ok, err := snap.Lookup(model.RecordSpace, r)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		if _, has := w.age[r]; has || w.city[r] != "" {
			t.Fatalf("record %q: got no ID, want one", r)
		}
		return
	}
	row, ok, err := snap.Value(city, record)
	got := ""
	if ok && err == nil {
		var key []byte
		key, ok, err = snap.AppendKey(nil, model.KeySpace(city), row)
		got = string(key)
	}
	if err != nil || ok != (w.city[r] != "") || got != w.city[r] {
		t.Fatalf("record %q: got city %q, %v, %v, want %q", r, got, ok, err, w.city[r])
	}
	x, ok, err := snap.Int(age, record)
	if want, has := w.age[r]; err != nil || ok != has || x != want {
		t.Fatalf("record %q: got age %d, %v, %v, want %d, %v", r, x, ok, err, want, has)
	}
}

// TestDeletionsOfEveryKind runs random histories of writes of every kind, including deletions, with
// flushes and reopenings. It compares with the world, also through old snapshots.
func TestDeletionsOfEveryKind(t *testing.T) {
	rounds := paced(30, 3)
	for seed := range rounds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			s := memstore.New()
			defer s.Close()
			config := func() Config {
				c := testConfig(t, 20_000)
				if seed%2 == 1 {
					c.tombstoneEdits = 7 // a flush writes what follows from deletions in many portions
				}
				return c
			}
			w := &deletionWriter{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 9)), w: newWorld()}
			w.ix = open(t, s, config())
			defer func() { w.ix.Close() }()
			old, oldWorld := w.ix.Snapshot(), w.w.clone()
			for range 60 {
				switch w.rng.IntN(8) {
				case 0:
					if err := errors.Join(w.ix.Flush(t.Context()), w.ix.Verify(t.Context(), nil)); err != nil {
						t.Fatal(err)
					}
				case 1:
					if err := w.ix.Close(); err != nil {
						t.Fatal(err)
					}
					w.ix = open(t, s, config())
					old, oldWorld = w.ix.Snapshot(), w.w.clone()
				case 2:
					old.Close()
					old, oldWorld = w.ix.Snapshot(), w.w.clone()
				default:
					w.commit(1 + w.rng.IntN(40))
				}
				if w.rng.IntN(3) == 0 {
					w.frozen(t)
				}
				snap := w.ix.Snapshot()
				w.w.check(t, snap)
				snap.Close()
				oldWorld.check(t, old)
			}
			old.Close()
		})
	}
}

// frozen leaves a delta frozen, as a flush under way does, with writes above it.
func (w *deletionWriter) frozen(t *testing.T) {
	t.Helper()
	if st := w.ix.source.State.Load(); st.Frozen == nil {
		w.ix.flusher.freeze()
	}
	w.commit(1 + w.rng.IntN(30))
	snap := w.ix.Snapshot()
	defer snap.Close()
	w.w.check(t, snap)
}

// TestDeleteBesideLoad deletes a record that a load has named: it stays deleted, and what the load
// says of others is there.
func TestDeleteBesideLoad(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	ref := map[string]model.Ref{}
	for _, k := range []string{"a", "b", "c"} {
		ref[k], _ = l.Key(model.RecordSpace, k)
	}
	for _, p := range [][2]string{{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "b"}} {
		if err := l.Set(follows, ref[p[0]], ref[p[1]]); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Naming.Name(); err != nil {
		t.Fatal(err)
	}
	var b Batch
	b.Delete(b.Key(model.RecordSpace, "a"))
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if _, ok, err := snap.Lookup(model.RecordSpace, "a"); ok || err != nil {
		t.Errorf("got the record that was deleted (%v), want none", err)
	}
	row, _, _ := snap.Lookup(model.RecordSpace, "b")
	if got := listed(t, snap, follows, row); !maps.Equal(got, map[string]bool{"c": true}) {
		t.Errorf("got %v, want c", got)
	}
	if got := listed(t, snap, followers, row); !maps.Equal(got, map[string]bool{"c": true}) {
		t.Errorf("got %v, want c", got)
	}
}

// TestDeletedIDs shows that an ID of a deleted record is refused, before and after the flush. The
// key then gets a new ID.
func TestDeletedIDs(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	add := func(key string) uint64 {
		var b Batch
		r := b.Key(model.RecordSpace, key)
		b.Set(model.Exists, model.ID(0), r)
		ids, _, err := ix.committer.commit(t.Context(), &b)
		if err != nil {
			t.Fatal(err)
		}
		return ids[0]
	}
	first := add("a")
	var b Batch
	b.Delete(model.ID(first))
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	var stale Batch
	stale.Set(model.Exists, model.ID(0), model.ID(first))
	if _, err := ix.Commit(t.Context(), &stale); !errors.Is(err, model.ErrDeleted) {
		t.Errorf("got %v, want ErrDeleted", err)
	}
	second := add("a")
	if second == first {
		t.Errorf("got ID %d again, want a new one", second)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if id, ok, err := snap.Lookup(model.RecordSpace, "a"); id != second || !ok || err != nil {
		t.Errorf("got ID %d, %v, %v, want %d", id, ok, err, second)
	}
	if _, ok, err := snap.AppendKey(nil, model.RecordSpace, first); ok || err != nil {
		t.Errorf("got a key of a deleted record (%v), want none", err)
	}
}

// TestDeletedAndFlushed: a record that was looked up, then deleted, and whose deletion was flushed
// before the batch came, is refused like any other that was deleted. Nothing but the snapshot of
// the look-up tells.
func TestDeletedAndFlushed(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	commit := func(write func(b *Batch)) {
		t.Helper()
		var b Batch
		write(&b)
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	commit(func(b *Batch) { b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, "a")) })
	snap := ix.Snapshot()
	defer snap.Close()
	a, ok, err := snap.Lookup(model.RecordSpace, "a")
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	var stale Batch
	stale.Set(country, stale.Key(model.KeySpace(country), "de"), model.ID(a))
	if _, err := ix.CommitFrom(t.Context(), snap, &stale); err != nil {
		t.Fatalf("nothing was deleted: %v", err)
	}
	commit(func(b *Batch) { b.Delete(model.ID(a)) })
	if _, err := ix.CommitFrom(t.Context(), snap, &stale); !errors.Is(err, model.ErrDeleted) {
		t.Errorf("deleted: got %v, want ErrDeleted", err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.CommitFrom(t.Context(), snap, &stale); !errors.Is(err, model.ErrDeleted) {
		t.Errorf("deleted and flushed: got %v, want ErrDeleted", err)
	}
	now := ix.Snapshot()
	defer now.Close()
	row, _, _ := now.Lookup(model.KeySpace(country), "de")
	var list overlay.List
	if err := now.List(country, row, &list); err != nil || list.Len() != 0 {
		t.Errorf("got %d records, %v, want none", list.Len(), err)
	}
}
