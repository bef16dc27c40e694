// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

const (
	follows   = 4
	followers = 8
	country   = 12
	city      = 16 // single-valued
	age       = 20 // integers
)

func testConfig(t testing.TB, deltaBytes int64) Config {
	t.Helper()
	memory, err := memory.New(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	return Config{ID: 7, Memory: memory, DeltaBytes: deltaBytes, Retention: Retention{Entries: 10},
		Secret: format.Secret{1, 2, 3},
		Fields: []model.Field{{ID: follows, Inverse: followers}, {ID: followers, Inverse: follows, Derived: true},
			{ID: country}, {ID: city, Kind: model.Rows}, {ID: age, Kind: model.Integers}}}
}

func open(t testing.TB, s store.Store, config Config) *Index {
	t.Helper()
	ix, err := Open(s, config)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// listName names a posting list by strings, as the model knows it.
type listName struct {
	field uint32
	row   string // "" in _exists
}

// plainModel is the plain reference: sets of strings.
type plainModel map[listName]map[string]bool

func (m plainModel) put(field uint32, row, record string, set bool) {
	n := listName{field, row}
	if m[n] == nil {
		m[n] = map[string]bool{}
	}
	if set {
		m[n][record] = true
	} else {
		delete(m[n], record)
	}
}

func (m plainModel) write(field uint32, row, record string, set bool) {
	m.put(field, row, record, set)
	if field == follows {
		m.put(followers, record, row, set)
	}
}

func (m plainModel) clone() plainModel {
	c := plainModel{}
	for k, v := range m {
		c[k] = maps.Clone(v)
	}
	return c
}

// harness drives an index and the model together.
type harness struct {
	t      testing.TB
	rng    *rand.Rand
	store  store.Store
	config Config
	ix     *Index
	model  plainModel
	names  int // how many accounts may occur
}

func (h *harness) account() string {
	// Skewed, so that some lists are long and most are short.
	return fmt.Sprintf("account-%d", int(float64(h.names)*h.rng.Float64()*h.rng.Float64()))
}

func rowSpace(field uint32) uint32 {
	if field == country || field == city {
		return model.KeySpace(field)
	}
	return model.RecordSpace
}

func (h *harness) ref(b *Batch, field uint32, row string) model.Ref {
	return b.Key(rowSpace(field), row)
}

// commit writes a random batch.
func (h *harness) commit(n int) {
	var b Batch
	for range n {
		set := h.rng.IntN(4) > 0
		record := h.account()
		field, row := uint32(follows), h.account()
		if h.rng.IntN(3) == 0 {
			field, row = country, fmt.Sprintf("c%d", h.rng.IntN(20))
		}
		if set {
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, record))
			if field == follows {
				b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, row))
			}
			b.Set(field, h.ref(&b, field, row), b.Key(model.RecordSpace, record))
		} else {
			b.Clear(field, h.ref(&b, field, row), b.Key(model.RecordSpace, record))
		}
		h.model.write(field, row, record, set)
	}
	before := h.ix.Snapshot()
	seq, err := h.ix.Commit(context.Background(), &b)
	if err != nil {
		h.t.Fatal(err)
	}
	after := h.ix.Snapshot()
	if before.Sequence() >= seq || after.Sequence() < seq {
		h.t.Fatalf("got sequence %d, want it after %d and at most %d", seq, before.Sequence(), after.Sequence())
	}
	before.Close()
	after.Close()
}

// load brings values in by a bulk load.
func (h *harness) load(n int, memory int64, commit bool) {
	l, err := h.ix.Load(context.Background(), memory, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	defer l.Abort()
	next := h.model.clone()
	together := h.rng.IntN(2) == 0
	for range n {
		row, record := h.account(), h.account()
		if together {
			if err := l.Relate(follows, [][]byte{[]byte(row), []byte(record)}); err != nil {
				h.t.Fatal(err)
			}
			next.write(follows, row, record, true)
			continue
		}
		r, _ := l.Key(model.RecordSpace, row)
		c, _ := l.Key(model.RecordSpace, record)
		if err := errors.Join(l.Set(model.Exists, model.ID(0), r), l.Set(model.Exists, model.ID(0), c),
			l.Set(follows, r, c)); err != nil {
			h.t.Fatal(err)
		}
		next.write(follows, row, record, true)
	}
	if commit {
		if _, err := l.Commit(); err != nil {
			h.t.Fatal(err)
		}
		h.model = next
	}
}

func (h *harness) reopen() {
	if err := h.ix.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.config = testConfig(h.t, h.config.DeltaBytes)
	h.ix = open(h.t, h.store, h.config)
}

// check compares every list of the index with the model, through each way of reading one.
func (h *harness) check(snap reader.Snapshot, m plainModel) {
	h.t.Helper()
	var l overlay.List
	var c overlay.Cursor
	for name, want := range m {
		row, ok, err := snap.Lookup(rowSpace(name.field), name.row)
		if err != nil || !ok {
			h.t.Fatalf("%v: got no ID (%v), want one", name, err)
		}
		if err := snap.List(name.field, row, &l); err != nil {
			h.t.Fatal(err)
		}
		if l.Len() != uint64(len(want)) {
			h.t.Fatalf("%v: got %d records, want %d", name, l.Len(), len(want))
		}
		got := map[string]bool{}
		c.Reset(&l)
		for ok := c.Seek(0); ok; ok = c.Next() {
			if b := c.Block(); b.Len() != c.BlockLen() {
				h.t.Fatalf("%v: got a block of %d, want %d", name, c.BlockLen(), b.Len())
			}
			for _, id := range c.Block().AppendTo(nil) {
				key, ok, err := snap.AppendKey(nil, model.RecordSpace, id)
				if err != nil || !ok {
					h.t.Fatalf("ID %d: got no key (%v), want one", id, err)
				}
				got[string(key)] = true
				if back, ok, err := snap.Lookup(model.RecordSpace, string(key)); err != nil || !ok || back != id {
					h.t.Fatalf("key %q: got ID %d, %v, %v, want %d", key, back, ok, err, id)
				}
				if !l.Contains(id) {
					h.t.Fatalf("%v: record %d is listed, but Contains says no", name, id)
				}
				if in, err := snap.Contains(name.field, row, id); err != nil || !in {
					h.t.Fatalf("%v: record %d is listed, but Contains of the snapshot says no (%v)", name, id, err)
				}
			}
		}
		if !maps.Equal(got, want) {
			h.t.Fatalf("%v: got %d records, want %d:\n%v\n%v", name, len(got), len(want), slices.Sorted(maps.Keys(got)),
				slices.Sorted(maps.Keys(want)))
		}
	}
}

func (h *harness) checkNow() {
	h.t.Helper()
	snap := h.ix.Snapshot()
	defer snap.Close()
	h.check(snap, h.model)
	checkAllRows(h.t, snap, h.rng)
}

// TestHistory runs random histories of commits, flushes, loads and reopenings. It compares all
// lists, also those of old snapshots, with the model.
func TestHistory(t *testing.T) {
	rounds := paced(36, 7) // seven are different in kind
	for seed := range rounds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			s := memstore.New()
			defer s.Close()
			h := &harness{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 1)), store: s, config: testConfig(t, 20_000),
				model: plainModel{}, names: 30 << (seed % 7)}
			h.ix = open(t, s, h.config)
			defer func() { h.ix.Close() }()
			old, oldModel := h.ix.Snapshot(), h.model.clone()
			for range 30 {
				switch h.rng.IntN(9) {
				case 0:
					if err := errors.Join(h.ix.Flush(t.Context()), h.ix.Verify(t.Context(), nil)); err != nil {
						t.Fatal(err)
					}
				case 1:
					h.reopen()
					old, oldModel = h.ix.Snapshot(), h.model.clone()
				case 2:
					h.load(h.rng.IntN(3000), int64(1000+h.rng.IntN(200_000)), h.rng.IntN(3) > 0)
				case 3:
					old.Close()
					old, oldModel = h.ix.Snapshot(), h.model.clone()
				default:
					h.commit(1 + h.rng.IntN(300))
				}
				if h.rng.IntN(4) == 0 {
					h.checkNow()
					h.check(old, oldModel)
				}
			}
			h.check(old, oldModel)
			old.Close()
			h.checkNow()
			h.reopen()
			h.checkNow()
		})
	}
}

// TestLargeLists grows lists into pieces and shrinks them to nothing.
func TestLargeLists(t *testing.T) {
	s := memstore.New()
	defer s.Close()
	ix := open(t, s, testConfig(t, 64<<20))
	defer func() { ix.Close() }()
	rng := rand.New(rand.NewPCG(5, 5))
	want := map[uint64]bool{}
	most := uint64(0)
	for round := range 24 {
		var b Batch
		spread := uint64(40_000_000)
		for range 12_000 {
			id := rng.Uint64N(spread)
			if round < 12 {
				b.Set(country, model.ID(3), model.ID(id))
				want[id] = true
			}
		}
		if round >= 12 {
			for id := range want {
				if rng.IntN(3) == 0 || round == 23 {
					b.Clear(country, model.ID(3), model.ID(id))
					delete(want, id)
				}
			}
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if round%5 != 3 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if round%6 == 5 {
			ix.Close()
			ix = open(t, s, testConfig(t, 64<<20))
		}
		stats, err := ix.Stats()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range stats.Fields {
			if f.Field == country {
				most = max(most, f.Pieces)
			}
		}
		checkIDs(t, ix, country, 3, want)
	}
	if most < 4 {
		t.Errorf("got at most %d pieces, want the list to have been in many", most)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(ix.Snapshot().St.Version.Fields[country].Refs); n != 0 {
		t.Errorf("got %d pages of an empty field, want none", n)
	}
}

func checkIDs(t *testing.T, ix *Index, field uint32, row uint64, want map[uint64]bool) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	var l overlay.List
	if err := snap.List(field, row, &l); err != nil {
		t.Fatal(err)
	}
	if l.Len() != uint64(len(want)) {
		t.Fatalf("got %d records, want %d", l.Len(), len(want))
	}
	var c overlay.Cursor
	c.Reset(&l)
	n := 0
	for ok := c.Seek(0); ok; ok = c.Next() {
		for _, id := range c.Block().AppendTo(nil) {
			n++
			if !want[id] || !l.Contains(id) {
				t.Fatalf("record %d is listed, want it not to be", id)
			}
			if in, err := snap.Contains(field, row, id); err != nil || !in {
				t.Fatalf("record %d: got %v, %v, want true", id, in, err)
			}
		}
	}
	if n != len(want) {
		t.Fatalf("got %d records, want %d", n, len(want))
	}
}
