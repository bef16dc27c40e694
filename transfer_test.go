// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// transfers is how much must have happened before TestTransfers ends.
type transfers struct {
	sets, pages            int // how many sets, and on how many pages at least the lists of one batch lie
	wide                   int // batches that move a member of every set
	looks, follows         int // of each reader, of the feed
	flushes, loads         int
	files, compacted       int // tables begun, and compactions
	atLeast                time.Duration
	wideDone               atomic.Int64
	looked, glanced        atomic.Int64
	followed, loadsBegun   atomic.Int64
	compactions            atomic.Int64
	loadsDone, filesBefore atomic.Int64
}

// missing says what has not happened yet.
func (want *transfers) missing(t *testing.T, ix *uproar.Index, dir string) string {
	t.Helper()
	stats, err := ix.Stats()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range []struct {
		what      string
		got, want int64
	}{
		{"wide batches", want.wideDone.Load(), int64(want.wide)},
		{"looks", want.looked.Load(), int64(want.looks)},
		{"looks at the feed", want.followed.Load(), int64(want.follows)},
		{"flushes", int64(stats.Flushes), int64(want.flushes)},
		{"loads", want.loadsDone.Load(), int64(want.loads)},
		{"tables begun", newestTable(t, dir) - want.filesBefore.Load(), int64(want.files)},
		{"compactions", want.compactions.Load(), int64(want.compacted)},
	} {
		if c.got < c.want {
			out = append(out, fmt.Sprintf("%s: %d of %d", c.what, c.got, c.want))
		}
	}
	return strings.Join(out, ", ")
}

// newestTable returns the number of the newest table.
func newestTable(t *testing.T, dir string) (newest int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "[0-9]*.sst")) // a table that is being built has another name
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		var n int64
		if _, err := fmt.Sscanf(filepath.Base(f), "%d.sst", &n); err != nil {
			t.Fatal(err)
		}
		newest = max(newest, n)
	}
	return newest
}

// neighbour rewrites large values beside the database in the same store. So tables fill and
// become garbage faster than by the pages of a small database. The store then moves what is alive
// in them: pages and log entries.
func neighbour(s store.Store, round, values int) error {
	const size = 1 << 20
	key := func(round, i int) []byte { return fmt.Appendf(nil, "\xfeneighbour/%d/%d", round, i) }
	var b store.Batch
	for i := range values {
		b.Put(key(round, i), make([]byte, size))
		b.Delete(key(round-2, i))
	}
	return s.Apply(&b, false)
}

// TestTransfers moves members between sets while readers look. One batch spans more than 10 000
// pages. Flushes, bulk loads, new tables and their merging go on all the time. Every
// snapshot must see one state: the same total, each member once. UPROAR_TRANSFERS sets the least
// duration, as 10m; UPROAR_LONG=1 makes it a minute.
func TestTransfers(t *testing.T) {
	want := &transfers{sets: 5_120, pages: 5_001, wide: 4, looks: 3, follows: 1, flushes: 4, loads: 1, files: 2,
		compacted: 1}
	switch {
	case testing.Short():
		want = &transfers{sets: 256, pages: 256, wide: 4, looks: 4, follows: 2, flushes: 2, loads: 1}
	case os.Getenv("UPROAR_LONG") == "1":
		want.sets, want.pages, want.atLeast = 10_240, 10_001, time.Minute
	}
	if text := os.Getenv("UPROAR_TRANSFERS"); text != "" {
		var err error
		if want.atLeast, err = time.ParseDuration(text); err != nil {
			t.Fatalf("UPROAR_TRANSFERS: %v", err)
		}
	}
	dir := t.TempDir()
	s, err := pebblestore.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	db := openDB(t, s, &uproar.Options{MemoryBytes: 128 << 20, DeltaBytes: 128 << 10})
	defer db.Close()
	l := newLedger(want.sets, 4, 32)
	if err := l.create(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := l.ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if pages := l.pages(t); pages < want.pages {
		t.Fatalf("the lists of all sets lie on %d pages, want %d", pages, want.pages)
	}
	want.filesBefore.Store(newestTable(t, dir))
	start := time.Now()
	want.run(t, l, s, dir)
	stats, err := l.ix.Stats()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("in %v: %d batches over %d pages, %d commits, %d flushes, %d loads, %d tables and %d compactions, "+
		"%d looks and %d glances, %d at the feed",
		time.Since(start).Round(time.Millisecond), want.wideDone.Load(), l.pages(t), stats.Sequence, stats.Flushes,
		want.loadsDone.Load(),
		newestTable(t, dir)-want.filesBefore.Load(), want.compactions.Load(), want.looked.Load(), want.glanced.Load(),
		want.followed.Load())

	l.checkFinds(t, int(want.loadsBegun.Load()))
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// transferPatience is how long it may take until all has happened, on a machine that does much
// else.
const transferPatience = 8 * time.Minute

// run lets everybody work until all that is wanted has happened.
func (want *transfers) run(t *testing.T, l *ledger, s *pebblestore.Store, dir string) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	repeat := func(what string, once func() error) {
		wg.Go(func() {
			defer cancel()
			for ctx.Err() == nil {
				if err := once(); err != nil {
					if ctx.Err() == nil {
						t.Errorf("%s: %v", what, err)
					}
					return
				}
			}
		})
	}
	for _, m := range l.movers {
		repeat(m.name, func() error {
			_, err := m.write(t.Context(), l.ix)
			if m.wide() {
				want.wideDone.Add(1)
			}
			return err
		})
	}
	for range 2 {
		repeat("reader", func() error {
			snap := l.ix.Snapshot()
			defer snap.Close()
			_, err := l.look(snap).check(ctx, int(want.loadsBegun.Load()))
			if err == nil {
				want.looked.Add(1)
			}
			return err
		})
	}
	seen := int64(0)
	repeat("glances", func() (err error) {
		least := max(seen, want.wideDone.Load()) // the batches that were acknowledged before the snapshot are in it
		snap := l.ix.Snapshot()
		defer snap.Close()
		if want.glanced.Add(1)%8 == 0 {
			time.Sleep(100 * time.Microsecond) // others want to work too
		}
		seen, err = l.look(snap).glance(least)
		return err
	})
	feed := newLedgerFollower(l)
	repeat("follower", func() error {
		snap := l.ix.Snapshot()
		defer snap.Close()
		begun := int(want.loadsBegun.Load())
		if err := feed.follow(ctx, snap); err != nil {
			return err
		}
		there, err := l.look(snap).check(ctx, begun)
		if err == nil && there != feed.loads-1 { // the first brought the anchors
			err = fmt.Errorf("got %d loads in a snapshot, and %d of the feed", there, feed.loads-1)
		}
		if err == nil {
			want.followed.Add(1)
		}
		return err
	})
	repeat("load", func() error {
		n := int(want.loadsBegun.Add(1)) - 1
		err := l.bring(t.Context(), n)
		if err == nil {
			want.loadsDone.Add(1)
		}
		return errors.Join(err, pause(ctx, time.Second))
	})
	round := 0
	repeat("neighbour", func() error {
		round++
		return errors.Join(neighbour(s, round, 8), pause(ctx, 80*time.Millisecond))
	})
	repeat("compaction", func() error {
		err := s.Compact(ctx)
		if err == nil {
			want.compactions.Add(1)
		}
		return errors.Join(err, pause(ctx, 50*time.Millisecond))
	})

	start := time.Now()
	for ctx.Err() == nil {
		missing := want.missing(t, l.ix, dir)
		if missing == "" && time.Since(start) >= want.atLeast {
			break
		}
		if time.Since(start) > want.atLeast+transferPatience {
			t.Errorf("after %v: %s", time.Since(start), missing)
			break
		}
		_ = pause(ctx, 100*time.Millisecond)
	}
	cancel()
	wg.Wait()
}

// pause waits, or fails when ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// checkFinds shows that the check can fail: it must find a reader that takes two snapshots for one,
// and a transfer that was written in two halves.
func (l *ledger) checkFinds(t *testing.T, loads int) {
	t.Helper()
	before := l.ix.Snapshot()
	defer before.Close()
	if _, err := l.look(before).check(t.Context(), loads); err != nil {
		t.Error(err)
	}
	wide := l.movers[0]
	if _, err := wide.write(t.Context(), l.ix); err != nil {
		t.Fatal(err)
	}
	after := l.ix.Snapshot()
	defer after.Close()
	if _, err := (look{l, before, after}).check(t.Context(), loads); err == nil {
		t.Error("a reader of two snapshots was not found out")
	} else {
		t.Logf("a reader of two snapshots: %v", err)
	}

	moves := wide.next()[:1]
	var half uproar.Batch
	for _, part := range []struct {
		fill  func(*uproar.Batch, []move)
		whole bool
	}{{wide.take, false}, {wide.give, true}} {
		half.Reset()
		part.fill(&half, moves)
		if _, err := l.ix.Write(t.Context(), &half); err != nil {
			t.Fatal(err)
		}
		snap := l.ix.Snapshot()
		want := l.moving() + l.anchored() + loads*len(l.fields)
		err := l.look(snap).checkSums(t.Context(), want)
		snap.Close()
		if part.whole != (err == nil) {
			t.Errorf("a transfer in halves, the second written: %v: got %v", part.whole, err)
		}
	}
}
