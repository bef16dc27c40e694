// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestDeltaBytes: what a delta says that it takes is what the heap grows by.
func TestDeltaBytes(t *testing.T) {
	const n = 100_000
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what a finalizer or a pool held
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	r := rand.New(rand.NewPCG(61, 62))
	for name, write := range map[string]func(d *delta.Table, i int){
		"random": func(d *delta.Table, _ int) {
			d.Put(model.Edit{Field: 4, Set: true, Row: r.Uint64N(1 << 22), Record: r.Uint64N(1 << 22)})
		},
		"rising": func(d *delta.Table, i int) {
			d.Put(model.Edit{Field: 4, Set: true, Row: uint64(i / 10), Record: uint64(i)})
		},
		"one row": func(d *delta.Table, _ int) {
			d.Put(model.Edit{Field: 4, Set: true, Row: 7, Record: r.Uint64N(1 << 40)})
		},
		"values": func(d *delta.Table, _ int) {
			d.Assign(model.ValueEdit{Field: 4, Record: r.Uint64N(1 << 22), Word: 3})
		},
		"keys": func(d *delta.Table, i int) {
			d.AddKey(model.RecordSpace, fmt.Sprintf("a key that is as long as many: %d", i))
		},
		"published": func(d *delta.Table, i int) {
			if d.Put(model.Edit{Field: 4, Set: true, Row: r.Uint64N(1 << 22), Record: r.Uint64N(1 << 22)}); i%50 == 0 {
				d.Publish()
			}
		},
	} {
		measure := func() (held, counted int64) {
			before := heap()
			d := delta.New(nil)
			for i := range n {
				write(d, i)
			}
			held = heap() - before
			runtime.KeepAlive(d)
			return held, d.Bytes
		}
		for try := 1; ; try++ { // an index that an earlier test has closed may be let go of meanwhile
			held, counted := measure()
			ratio := float64(held) / float64(counted)
			if ratio >= 0.5 && ratio <= 1.2 {
				break
			}
			if try == 3 {
				t.Errorf("%s: got %d bytes counted, want about %d", name, counted, held)
				break
			}
		}
	}
}

// manyRecords opens three indexes in one store and shares one bound of memory among them. The bound
// is far too small for what they are told to gather.
func manyRecords(t *testing.T, limit int64, s store.Store) (m *memory.Bound, indexes []*Index) {
	t.Helper()
	m, err := memory.New(limit)
	if err != nil {
		t.Fatal(err)
	}
	for id := range uint32(3) {
		config := testConfig(t, limit)
		config.Memory, config.ID = m, id+1
		indexes = append(indexes, open(t, s, config))
	}
	return m, indexes
}

// TestMemoryBound: writers, readers and a load on several indexes take no more together than the
// bound, and give all of it back.
func TestMemoryBound(t *testing.T) {
	const limit = 16 << 20
	s := &watched{Store: memstore.New(), look: func() {}}
	m, indexes := manyRecords(t, limit, s)
	done := make(chan struct{})
	var looking sync.Mutex
	var greatest memory.Usage
	look := func() {
		looking.Lock()
		defer looking.Unlock()
		sum := m.Sum.Load()
		u := m.Usage()
		greatest = memory.Usage{Limit: u.Limit, Cache: max(greatest.Cache, u.Cache),
			Deltas: max(greatest.Deltas, u.Deltas),
			Merges: max(greatest.Merges, u.Merges), Loads: max(greatest.Loads, u.Loads),
			Queries: max(greatest.Queries, u.Queries)}
		if m.Sum.Load() != sum {
			return // what was seen was not there at a time
		}
		// The cache is made smaller as soon as another has taken something, and not before.
		if sum := u.Cache + u.Indexes + u.Deltas + u.Merges + u.Loads + u.Queries; sum > limit+limit/8 {
			t.Errorf("got %d bytes in all, want at most %d: %+v", sum, limit, u)
		}
	}
	s.look = look // where pages are written
	var sampler, workers, readers sync.WaitGroup
	var written atomic.Bool
	sampler.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				look()
			}
		}
	})
	for i, ix := range indexes {
		workers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 64))
			for range 20 {
				var b Batch
				for range 5000 {
					b.Set(follows, model.ID(r.Uint64N(1<<16)), model.ID(r.Uint64N(1<<16)))
				}
				if _, err := ix.Commit(t.Context(), &b); err != nil {
					t.Error(err)
					return
				}
				look()
			}
		})
		readers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 65))
			var l overlay.List
			for n := 0; n < 4000 || !written.Load(); n++ { // until there have been pages
				snap := ix.Snapshot()
				if err := snap.List(follows, r.Uint64N(1<<16), &l); err != nil {
					t.Error(err)
				}
				if snap.Take(l.Bytes()) == nil {
					snap.Give(l.Bytes())
				}
				snap.Close()
				if n%1000 == 0 {
					look()
				}
			}
			look()
		})
	}
	workers.Go(func() {
		l, err := indexes[0].Load(t.Context(), 2<<20, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer l.Abort()
		look()
		for i := range 30_000 {
			if _, err := l.Trim(); err != nil {
				t.Error(err)
			}
			a, _ := l.Key(model.RecordSpace, fmt.Sprint("account ", i%20_000))
			if err := l.Set(follows, a, a); err != nil {
				t.Error(err)
			}
		}
		if _, err := l.Commit(); err != nil {
			t.Error(err)
		}
	})
	workers.Wait()
	written.Store(true)
	readers.Wait()
	close(done)
	sampler.Wait()
	looking.Lock() // flushes go on
	if greatest.Cache == 0 || greatest.Deltas < limit/8 || greatest.Merges == 0 || greatest.Loads != 2<<20 {
		t.Errorf("got at most %+v: not everything took part", greatest)
	}
	looking.Unlock()
	for _, ix := range indexes {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	}
	if u := m.Usage(); u.Indexes != 0 || u.Deltas != 0 || u.Merges != 0 || u.Loads != 0 || u.Queries != 0 {
		t.Errorf("closed: got %+v, want nothing taken but the cache", u)
	}
}

// TestTrim: a load that forgets keys finds the same IDs when it meets the keys again.
func TestTrim(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	const accounts, rounds = 40_000, 3
	forgotten := 0
	for round := range rounds {
		for i := range accounts {
			if _, err := l.Trim(); err != nil {
				t.Fatal(err)
			}
			a, first := l.Key(model.RecordSpace, fmt.Sprint("account ", i))
			if first && round > 0 {
				forgotten++
			}
			if err := l.Set(follows, a, model.ID(uint64(round))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	if forgotten == 0 {
		t.Fatal("got no key that the load had forgotten, want many")
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if next := snap.St.Active.Next()[model.RecordSpace]; next != accounts {
		t.Errorf("got %d IDs given out, want %d", next, accounts)
	}
	var list overlay.List
	for i := range accounts {
		id, ok, err := snap.Lookup(model.RecordSpace, fmt.Sprint("account ", i))
		if err != nil || !ok {
			t.Fatalf("account %d: got %v, %v", i, ok, err)
		}
		if err := snap.List(follows, id, &list); err != nil || list.Len() != rounds {
			t.Fatalf("account %d: got %d follows and %v, want %d", i, list.Len(), err, rounds)
		}
	}
}

func TestOutOfMemory(t *testing.T) {
	m, indexes := manyRecords(t, 16<<20, memstore.New())
	ix := indexes[0]
	var e *memory.Error
	if _, err := ix.Load(t.Context(), 16<<20, nil); !errors.Is(err, model.ErrMemory) || !errors.As(err, &e) ||
		e.Want != 16<<20 || e.Limit != 16<<20 {
		t.Errorf("a load of all the memory: got %v, want ErrMemory", err)
	}
	l, err := ix.Load(t.Context(), 4<<20, nil) // the one before left nothing behind
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if err := snap.Take(12 << 20); !errors.Is(err, model.ErrMemory) {
		t.Errorf("a query beside a load: got %v, want ErrMemory", err)
	}
	l.Abort()
	if err := snap.Take(12 << 20); err != nil {
		t.Errorf("a query alone: got %v", err)
	}
	if bound := m.Cache.Limit(); bound > 4<<20 {
		t.Errorf("the cache may have %d bytes beside a query of 12 MiB, want at most 4 MiB", bound)
	}
	snap.Give(12 << 20)
	if bound := m.Cache.Limit(); bound < 15<<20 {
		t.Errorf("the cache may have %d bytes after it, want nearly all", bound)
	}
	var b Batch
	for i := range uint64(1 << 15) {
		b.Set(follows, model.ID(i), model.ID(i))
	}
	if _, err := ix.Commit(t.Context(), &b); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("a batch of more than an eighth of the memory: got %v, want ErrTooLarge", err)
	}
	if _, err := memory.New(memory.Min - 1); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("less than MinMemory: got %v, want ErrInvalid", err)
	}
}

// TestFailedIndexBlocksNobody: an index that cannot flush any more keeps its delta for ever, and
// the writers of others do not wait for that.
func TestFailedIndexBlocksNobody(t *testing.T) {
	const limit = 4 << 20
	faulty := storetest.NewFaulty(memstore.New())
	m, indexes := manyRecords(t, limit, faulty)
	batch := func(from uint64) *Batch {
		var b Batch
		for i := range uint64(4000) {
			b.Set(follows, model.ID(from+i), model.ID(i))
		}
		return &b
	}
	bad, good := indexes[0], indexes[1]
	for n := uint64(0); m.Usage().Deltas < limit/4; n += 4000 {
		if _, err := bad.Commit(t.Context(), batch(n)); err != nil {
			t.Fatal(err)
		}
	}
	faulty.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1, Err: errors.New("the disk is gone")})
	if _, err := bad.Commit(t.Context(), batch(0)); !errors.Is(err, model.ErrFailed) {
		t.Fatalf("got %v, want ErrFailed", err)
	}
	faulty.Heal()
	for n := range uint64(10) {
		if _, err := good.Commit(t.Context(), batch(n*4000)); err != nil {
			t.Fatal(err)
		}
	}
}

// watched is a store that calls a function before each batch, in the midst of whatever writes it.
type watched struct {
	store.Store
	look func()
}

func (w *watched) Apply(b *store.Batch, sync bool) error {
	w.look()
	return w.Store.Apply(b, sync)
}

// TestMergesCountScratch: what a flush gathers of new keys, and of the words of a value column,
// counts as memory while it holds it.
func TestMergesCountScratch(t *testing.T) {
	const records = 3 * format.MostValueRows
	s := &watched{Store: memstore.New(), look: func() {}}
	config := testConfig(t, 1<<30)
	var err error
	if config.Memory, err = memory.New(1 << 30); err != nil { // so much that nothing is flushed by itself
		t.Fatal(err)
	}
	ix := open(t, s, config)
	defer ix.Close()
	for _, test := range []struct {
		what  string
		write func(b *Batch, i uint64)
		want  int64
	}{
		{"words", func(b *Batch, i uint64) { b.AssignInt(age, model.ID(i), int64(i)<<20) }, format.MostValueRows * 8},
		{"keys", func(b *Batch, i uint64) {
			b.Key(model.RecordSpace, fmt.Sprintf("%d, which is like no other: %x", i, i*i*i))
		}, records / 2 * 24},
	} {
		for i := uint64(0); i < records; {
			var b Batch
			for range format.MostValueRows / 4 {
				test.write(&b, i)
				i++
			}
			if _, err := ix.Commit(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
		}
		most := int64(0)
		s.look = func() { most = max(most, config.Memory.Usage().Merges) }
		held := merge.Bytes(ix.source) + int64(ix.writer.active.Values.Len())*merge.EditSize
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.look = func() {}
		if got := most - held; got < test.want {
			t.Errorf("%s: got %d bytes counted beside the edits, want at least %d", test.what, got, test.want)
		}
	}
	if u := config.Memory.Usage(); u.Merges != 0 {
		t.Errorf("got %d bytes of merges after them, want none", u.Merges)
	}
}
