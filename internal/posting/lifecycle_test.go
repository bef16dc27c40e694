// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// within fails the test when fn takes longer than anything here should.
func within(t *testing.T, what string, fn func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		fn()
	}()
	select {
	case <-done:
	case <-time.After(3 * time.Minute):
		t.Fatalf("%s hangs", what)
	}
}

// TestLoadBesideWriters loads many keys, in many runs, beside writers. The delta is full all the
// time, and nobody waits for ever.
func TestLoadBesideWriters(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 10_000)
	ix := open(t, s, config)
	stop := make(chan struct{})
	writing := make(chan int)
	go func() {
		n := 0
		for ; ; n++ {
			select {
			case <-stop:
				writing <- n
				return
			default:
			}
			if _, err := ix.Commit(context.Background(), numbered(n)); err != nil {
				t.Error(err)
			}
		}
	}()
	const keys = 40_000
	within(t, "the load", func() {
		l, err := ix.Load(t.Context(), 100_000, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer l.Abort()
		for i := range keys {
			a, _ := l.Key(model.RecordSpace, fmt.Sprint("loaded-", i))
			b, _ := l.Key(model.RecordSpace, fmt.Sprint("loaded-", i/2))
			if err := l.Set(follows, a, b); err != nil {
				t.Error(err)
				return
			}
		}
		if n := runsOf(t, l); n < 3 {
			t.Errorf("got %d runs, want several", n)
		}
		if _, err := l.Commit(); err != nil {
			t.Error(err)
		}
	})
	close(stop)
	begun := 0
	within(t, "the writer", func() { begun = <-writing })
	check := func() {
		acknowledged := map[int]bool{}
		for n := range begun {
			acknowledged[n] = true
		}
		checkNumbered(t, ix, acknowledged, nil, begun)
		snap := ix.Snapshot()
		defer snap.Close()
		var l overlay.List
		for i := range keys {
			row, ok, err := snap.Lookup(model.RecordSpace, fmt.Sprint("loaded-", i))
			if err != nil || !ok {
				t.Fatal(i, ok, err)
			}
			if err := snap.List(follows, row, &l); err != nil || l.Len() != 1 {
				t.Fatalf("loaded-%d: got %d, %v, want 1", i, l.Len(), err)
			}
		}
	}
	check()
	within(t, "Close", func() { ix.Close() })
	ix = open(t, s, testConfig(t, 10_000))
	check()
	ix.Close()
}

// TestCloseEndsLoads closes an index with a load open, and one that is waiting to merge.
func TestCloseEndsLoads(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 10_000))
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := l.Key(model.RecordSpace, "a")
	if err := l.Set(follows, a, a); err != nil {
		t.Fatal(err)
	}
	release, err := ix.manifests.lockMerges(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	flushed, committed := make(chan error, 1), make(chan error, 1)
	go func() { flushed <- ix.Flush(context.Background()) }()
	go func() {
		_, err := l.Commit()
		committed <- err
	}()
	time.Sleep(5 * time.Millisecond)
	closed := make(chan error, 1)
	go func() { closed <- ix.Close() }()
	for what, ch := range map[string]chan error{"Flush": flushed, "Commit of a load": committed} {
		within(t, what, func() {
			if err := <-ch; !errors.Is(err, model.ErrClosed) {
				t.Errorf("%s: got %v, want ErrClosed", what, err)
			}
		})
	}
	release()
	within(t, "Close", func() {
		if err := <-closed; err != nil {
			t.Error(err)
		}
	})
	if err := ix.Flush(t.Context()); !errors.Is(err, model.ErrClosed) {
		t.Errorf("Flush after Close: got %v, want ErrClosed", err)
	}
	if _, err := ix.Load(t.Context(), 1, nil); !errors.Is(err, model.ErrClosed) {
		t.Errorf("Load after Close: got %v, want ErrClosed", err)
	}
	if err := ix.Close(); !errors.Is(err, model.ErrClosed) {
		t.Errorf("a second Close: got %v, want ErrClosed", err)
	}
}

// TestFlushObeysContext gives up waiting, and flushing, when the context ends; nothing is lost.
func TestFlushObeysContext(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	for n := range 50 {
		if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
	}
	release, err := ix.manifests.lockMerges(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	within(t, "Flush", func() {
		if err := ix.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want DeadlineExceeded", err)
		}
	})
	if err := ix.flusher.flushFrozen(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v of a flush whose context has ended, want DeadlineExceeded", err)
	}
	release()
	if _, err := ix.Commit(t.Context(), numbered(50)); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st := ix.source.State.Load(); st.Frozen != nil || !st.Active.IsEmpty() {
		t.Error("got writes left over, want both deltas flushed")
	}
	acknowledged := map[int]bool{50: true}
	checkNumbered(t, ix, acknowledged, nil, 51)
}

// TestKeepAllLog keeps the whole log, and never deletes what is not flushed.
func TestKeepAllLog(t *testing.T) {
	for _, retained := range []uint64{0, 1, math.MaxUint64 - 1, math.MaxUint64} {
		s := memstore.New()
		config := testConfig(t, 1<<20)
		config.Retention = Retention{Entries: retained}
		ix := open(t, s, config)
		acknowledged := map[int]bool{}
		for n := range 9 {
			if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
				t.Fatal(err)
			}
			acknowledged[n] = true
			if n == 5 {
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		ix.Close()
		ix = open(t, s, config)
		checkNumbered(t, ix, acknowledged, nil, 9)
		left := 0
		for _, op := range entries(t, s) {
			if op.Key[0] == format.KindLog {
				left++
			}
		}
		want := 3 + int(min(retained, 6))
		if retained == 0 {
			want = 9 // no bound
		}
		if left != want {
			t.Errorf("retention of %d: got %d entries, want %d", retained, left, want)
		}
		ix.Close()
	}
}

// TestFullDisk refuses writes while the store has no room, and takes them again afterwards. Nothing
// is lost, and nothing is half there.
func TestFullDisk(t *testing.T) {
	faulty := storetest.NewFaulty(memstore.New())
	config := testConfig(t, 3000)
	config.pause = time.Millisecond
	ix := open(t, faulty, config)
	defer func() { ix.Close() }()
	acknowledged := map[int]bool{}
	for n := range 120 {
		if n%3 == 1 {
			faulty.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1 + n%5, Err: store.ErrFull, Once: true})
		}
		_, err := ix.Commit(t.Context(), numbered(n))
		switch {
		case err == nil:
			acknowledged[n] = true
		case !errors.Is(err, store.ErrFull):
			t.Fatalf("got %v, want ErrFull", err)
		}
		if n%10 == 9 {
			faulty.Heal()
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	faulty.Heal()
	if len(acknowledged) < 60 || len(acknowledged) == 120 {
		t.Fatalf("got %d commits through, want most of them", len(acknowledged))
	}
	checkNumbered(t, ix, acknowledged, nil, 120)
	ix.Close()
	ix = open(t, faulty, testConfig(t, 3000))
	checkNumbered(t, ix, acknowledged, nil, 120)
}

func TestLongKeys(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 16<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 400 {
		a, _ := l.Key(model.RecordSpace, fmt.Sprint(strings.Repeat("x", format.MaxKey-8), i))
		if err := l.Set(follows, a, a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if _, ok, err := snap.Lookup(model.RecordSpace, fmt.Sprint(strings.Repeat("x", format.MaxKey-8), 399)); !ok ||
		err != nil {
		t.Errorf("got %v, %v, want the key", ok, err)
	}
}

// TestMisuse is refused: IDs and Refs that cannot be, loads that have ended, snapshots closed
// twice, options that make no sense.
func TestMisuse(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	for _, r := range []model.Ref{model.ID(model.MaxID + 1), model.ID(math.MaxUint64), model.KeyRef | 1} {
		var b Batch
		b.Key(model.RecordSpace, "a")
		b.Set(follows, model.ID(1), r)
		if _, err := ix.Commit(t.Context(), &b); !errors.Is(err, model.ErrInvalid) {
			t.Errorf("Ref %x: got %v, want ErrInvalid", r, err)
		}
	}
	var large Batch
	for range model.MaxEdits + 1 {
		large.Set(follows, model.ID(1), model.ID(2))
	}
	if _, err := ix.Commit(t.Context(), &large); !errors.Is(err, model.ErrTooLarge) {
		t.Errorf("got %v of %d writes, want ErrTooLarge", err, large.Len())
	}
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Set(follows, model.KeyRef|7, model.ID(1)); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("the Ref of another load: got %v, want ErrInvalid", err)
	}
	if err := l.Set(followers, model.ID(1), model.ID(1)); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("an inverse: got %v, want ErrInvalid", err)
	}
	l.Abort()
	r, _ := l.Key(model.RecordSpace, "late")
	if err := l.Set(follows, r, r); !errors.Is(err, model.ErrClosed) {
		t.Errorf("Set after Abort: got %v, want ErrClosed", err)
	}
	if _, err := l.Commit(); !errors.Is(err, model.ErrClosed) {
		t.Errorf("Commit after Abort: got %v, want ErrClosed", err)
	}
	snap := ix.Snapshot()
	snap.Close()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a second Close of a snapshot: got no panic, want one")
			}
		}()
		snap.Close()
	}()
	ix.source.State.Load().Version.Users.Store(1)
	config := testConfig(t, -1)
	if _, err := Open(memstore.New(), config); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("DeltaBytes -1: got %v, want ErrInvalid", err)
	}
}

// TestOldSnapshotsKeepOnlyTheirPages holds a snapshot of the empty index over many flushes: the
// pages that came and went since are gone.
func TestOldSnapshotsKeepOnlyTheirPages(t *testing.T) {
	s := memstore.New()
	ix := open(t, s, testConfig(t, 1<<20))
	defer ix.Close()
	old := ix.Snapshot()
	for n := range 40 {
		if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	// The collector deletes behind the flushes; it may still be at it.
	current, pages := ix.source.State.Load().Version.Count(), 0
	for range 20_000 {
		pages = 0
		for _, op := range entries(t, s) {
			if op.Key[0] == format.KindPage {
				pages++
			}
		}
		if pages == current {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if pages != current {
		t.Errorf("got %d pages in the store, want the %d current ones", pages, current)
	}
	old.Close()
}

// TestManifestInParts writes a checkpoint and changes of several parts, some of them unfinished,
// and reads them back.
func TestManifestInParts(t *testing.T) {
	var c format.ManifestChange
	c.Next = map[uint32]uint64{}
	for i := range uint64(2*format.PartPages + 10) {
		c.Added = append(c.Added, format.Ref{Field: 4, First: i * 3, Rows: 2, Generation: i + 1, Bytes: 100})
	}
	first := c.Records(1 << 20)
	m, err := format.EmptyManifest().Apply(&c, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	drop := format.ManifestChange{Flushed: 9, Next: c.Next, Dropped: c.Added[:format.PartPages+5]}
	second := drop.Records(1 << 21)
	if len(first) != 3 || len(second) != 2 {
		t.Fatalf("got %d and %d parts, want 3 and 2", len(first), len(second))
	}
	after, err := m.Apply(&drop, 1<<21)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		records []*format.ManifestRecord
		want    int
	}{
		{"whole", append(append([]*format.ManifestRecord{}, first...), second...), format.PartPages + 5},
		{"second unfinished", append(append([]*format.ManifestRecord{}, first...), second[0]), 2*format.PartPages + 10},
		{"unfinished, then whole", append(append(append([]*format.ManifestRecord{}, first...), second[0]), second...),
			format.PartPages + 5},
		{"first unfinished", first[:2], 0},
		{"unfinished first, then whole", append(append([]*format.ManifestRecord{}, first[:2]...), first...),
			2*format.PartPages + 10},
		{"stale parts behind a whole one", append(append([]*format.ManifestRecord{}, first...), second[0],
			(&format.ManifestChange{Next: drop.Next}).Records(1)[0], second[1]), 2*format.PartPages + 10},
		{"a hole before a checkpoint", append(append([]*format.ManifestRecord{first[0], nil, nil, nil}, first[2]),
			after.Checkpoint()...), format.PartPages + 5},
		{"deleting what a checkpoint made needless was interrupted", append(append([]*format.ManifestRecord{nil, nil,
			nil},
			second...), after.Checkpoint()...), format.PartPages + 5},
		{"a hole after a checkpoint", append(append([]*format.ManifestRecord{}, after.Checkpoint()...), nil, second[0],
			second[1]), -1},
		{"a hole at the begin", append([]*format.ManifestRecord{nil}, first...), -1},
		{"a hole before an unfinished checkpoint", append(append([]*format.ManifestRecord{}, first...), nil,
			after.Checkpoint()[0]), -1},
		{"checkpoint", append(append([]*format.ManifestRecord{}, first...), after.Checkpoint()...), format.PartPages +
			5},
	} {
		s := memstore.New()
		ms := &manifests{env: &env{source: &reader.Source{ID: 1, Store: s}}}
		for i, r := range c.records {
			if r == nil {
				continue
			}
			if err := ms.putRecords([]*format.ManifestRecord{r}, uint64(i)); err != nil {
				t.Fatal(err)
			}
		}
		got, err := manifest.Read(s, 1)
		if c.want < 0 {
			if !errors.Is(err, model.ErrCorrupt) {
				t.Errorf("%s: got %v, want ErrCorrupt", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if n := got.Manifest.Count(); n != c.want || got.Last != uint64(len(c.records)) {
			t.Errorf("%s: got %d pages after record %d, want %d after %d", c.name, n, got.Last, c.want, len(c.records))
		}
	}
}

// TestSparseRows keeps lists of rows that are far apart in few pages.
func TestSparseRows(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	defer ix.Close()
	for round := range 3 {
		var b Batch
		for i := range uint64(3000) {
			b.Set(country, model.ID(i*100+uint64(round)), model.ID(i))
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	refs := ix.source.State.Load().Version.Fields[country].Refs
	if len(refs) > 12 {
		t.Errorf("got %d pages for 9 000 lists of one record, want a dozen at most", len(refs))
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for i := range uint64(3000) {
		for round := range uint64(4) {
			in, err := snap.Contains(country, i*100+round, i)
			if err != nil || in != (round < 3) {
				t.Fatalf("row %d: got %v, %v, want %v", i*100+round, in, err, round < 3)
			}
		}
	}
}
