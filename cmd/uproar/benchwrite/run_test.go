// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

func openPebble(dir string) (store.Store, error) {
	return pebblestore.Open(dir, &pebblestore.Options{Memory: 16 << 20})
}

func openBbolt(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) }

// tiny returns options of a run of some tenths of a second.
func tiny(t *testing.T, mode Mode) Options {
	return Options{Mode: mode, Dir: t.TempDir(), Store: "pebble", Open: openPebble, Seed: 1,
		Count: 2000, Batch: 100, Writers: 2,
		KeyBytes: 16, ValueBytes: 100, Pages: 50,
		Graph:   GraphOptions{Accounts: 200, Follows: 3000, Memory: 16 << 20, Delta: 1 << 20},
		Measure: MeasureOptions{Interval: time.Second, Ceiling: time.Millisecond}}
}

// What is reported is what is in the store afterwards.
func TestRunEntries(t *testing.T) {
	for _, change := range []func(*Options){
		func(*Options) {},
		func(o *Options) { o.Sorted, o.Writers = true, 1 },
		func(o *Options) { o.Store, o.Open, o.Count, o.Batch = "bbolt", openBbolt, 501, 50 },
		func(o *Options) { o.Mode, o.ValueBytes = Pages, 2000 },
		func(o *Options) { o.Keys = 100 }, // 2000 draws leave none out
	} {
		o := tiny(t, Entries)
		change(&o)
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		want := o.Count
		if o.Mode == Pages {
			want = int64(o.Pages)
		} else if o.Keys > 0 {
			want = o.Keys
		}
		if r.Writing.Count != o.Count || r.Writing.Bytes != o.Count*int64(o.KeyBytes+o.ValueBytes) ||
			r.Disk.Live != want*int64(o.KeyBytes+o.ValueBytes) {
			t.Errorf("%s: got %d written, %d bytes, %d alive; want %d, %d alive", o.Mode, r.Writing.Count,
				r.Writing.Bytes, r.Disk.Live,
				o.Count, want)
		}
		e, err := openEngine(&o)
		if err != nil {
			t.Fatal(err)
		}
		got := int64(0)
		err = e.Scan(nil, nil, func(key, value []byte) error {
			if got++; len(key) != o.KeyBytes || len(value) != o.ValueBytes {
				return fmt.Errorf("got an entry of %d and %d bytes", len(key), len(value))
			}
			return nil
		})
		if err = errors.Join(err, e.Close()); err != nil || got != want {
			t.Errorf("%s in %s: got %d entries in the store, %v; want %d", o.Mode, o.Store, got, err, want)
		}
	}
}

// Readers of a graph in which many accounts follow nobody go on.
func TestRunListsOfFewFollows(t *testing.T) {
	o := tiny(t, Lists)
	o.Graph.Accounts, o.Graph.Follows, o.Writers, o.Count, o.Graph.Readers = 5000, 50, 1, 50, 1
	if r, err := Run(t.Context(), o); err != nil || r.ReadsAlone.Count == 0 {
		t.Errorf("got %d reads, %v", r.ReadsAlone.Count, err)
	}
}

// A run of lists leaves the graph that the seed says, with the events applied in their order: with
// one writer, the last word on each follow counts.
func TestRunLists(t *testing.T) {
	o := tiny(t, Lists)
	o.Writers, o.Batch, o.Count, o.Graph.Readers = 1, 7, 500, 2
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Writing.Count != o.Count || r.Engine.Flushes == 0 || r.Writing.Latency.Count == 0 || r.ReadsAlone.Count == 0 ||
		r.ReadsBeside.Count == 0 {
		t.Errorf("got %+v, want %d events, flushes, latencies and reads", r, o.Count)
	}
	g := graph{seed: o.Seed, accounts: o.Graph.Accounts}
	want := map[[2]int]bool{}
	for i := range int64(o.Graph.Follows) {
		a, b := g.follow(i)
		want[[2]int{a, b}] = true
	}
	for i := range o.Count {
		if i%unfollowEvery == unfollowEvery-1 {
			a, b := g.follow(int64(mix(uint64(i)) % uint64(o.Graph.Follows)))
			delete(want, [2]int{a, b})
			continue
		}
		a, b := g.follow(int64(o.Graph.Follows) + i)
		want[[2]int{a, b}] = true
	}
	out := map[int]uint64{}
	for pair := range want {
		out[pair[0]]++
	}
	e, err := openEngine(&o)
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), e.Store, nil)
	if err != nil {
		t.Fatal(errors.Join(err, e.Close()))
	}
	defer db.Close()
	index, err := db.Index(indexName)
	if err != nil {
		t.Fatal(err)
	}
	snap := index.Snapshot()
	defer snap.Close()
	for account, n := range out {
		// Follows(x) is whom x follows: the list of the row x.
		if got, err := snap.Count(t.Context(), query.Related{Field: follows, Key: g.name(account)}); err != nil ||
			got != n {
			t.Fatalf("account %d follows %d, %v; want %d", account, got, err, n)
		}
	}
}

// A run that is interrupted reports what it has, and leaves a store that can be opened.
func TestRunInterrupted(t *testing.T) {
	o := tiny(t, Entries)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Count, o.Duration, o.Idle, o.Measure.Interval = 0, time.Hour, time.Hour, time.Hour
	o.Progress = func(p Progress) {
		if p.PerSecond > 0 {
			cancel()
		}
	}
	r, err := Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted || r.Writing.Count == 0 || len(r.Writing.Intervals) != 1 || r.Open == 0 {
		t.Errorf("got %+v, want an interrupted run with one interval", r)
	}
	e, err := openEngine(&o)
	if err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	err = e.Keys(nil, nil, func([]byte) error { n++; return nil })
	if err = errors.Join(err, e.Close()); err != nil || n != r.Writing.Count {
		t.Errorf("got %d entries, %v; want the %d of the report", n, err, r.Writing.Count)
	}
}

// What the process and the disk say is noted where the system tells.
func TestRunFigures(t *testing.T) {
	o := tiny(t, Pages)
	o.ValueBytes, o.Measure.Profile, o.Idle = 4000, filepath.Join(t.TempDir(), "heap"), time.Millisecond
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Disk.Most < r.Disk.Live || r.Ceiling.Before <= 0 || r.Ceiling.After <= 0 || r.Ceiling.Ratio <= 0 ||
		r.Engine.Heap <= 0 {
		t.Errorf("got %+v", r)
	}
	if runtime.GOOS == "linux" && r.Engine.Memory <= 0 {
		t.Errorf("got %d bytes of anonymous memory", r.Engine.Memory)
	}
	if info, err := os.Stat(o.Measure.Profile); err != nil || info.Size() == 0 {
		t.Errorf("no heap profile: %v", err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "ceiling")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of the ceiling is left behind: %v", err)
	}
}

// The disk alone is measured between turns of writing, off the clock.
func TestTurns(t *testing.T) {
	o := tiny(t, Pages)
	o.ValueBytes, o.Count, o.Duration = 4000, 0, 200*time.Millisecond
	o.Measure.Turn, o.Measure.Ceiling = 50*time.Millisecond, 20*time.Millisecond
	start := time.Now()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start).Seconds()
	if len(r.Ceiling.Turns) == 0 || r.Writing.Seconds < o.Duration.Seconds() ||
		r.Writing.Seconds > took-float64(len(r.Ceiling.Turns))*0.01 {
		t.Fatalf("got %d turns, %v s of %v s; want turns that are not counted", len(r.Ceiling.Turns), r.Writing.Seconds, took)
	}
	bytes, before := 0.0, 0.0
	for _, turn := range r.Ceiling.Turns {
		if turn.Alone <= 0 || turn.Ratio != turn.Bytes/turn.Alone {
			t.Errorf("got %+v, want the share of what the disk did", turn)
		}
		bytes, before = bytes+turn.Bytes*(turn.At-before), turn.At
	}
	if math.Abs(bytes-float64(r.Writing.Bytes)) > 1 {
		t.Errorf("turns have %.0f bytes, want all %d", bytes, r.Writing.Bytes)
	}
}

func TestOptionsRefused(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"mode":       func(o *Options) { o.Mode = "blobs" },
		"end":        func(o *Options) { o.Count = 0 },
		"count":      func(o *Options) { o.Count = -1 },
		"batch":      func(o *Options) { o.Batch = 0 },
		"operations": func(o *Options) { o.Batch = store.MaxOps + 1 },
		"bytes":      func(o *Options) { o.ValueBytes = store.MaxBatch / 50 },
		"writers":    func(o *Options) { o.Writers = 0 },
		"short key":  func(o *Options) { o.KeyBytes = minKey - 1 },
		"long key":   func(o *Options) { o.KeyBytes = store.MaxKey + 1 },
		"value":      func(o *Options) { o.ValueBytes = -1 },
		"pages":      func(o *Options) { o.Mode, o.Pages = Pages, 0 },
		"sorted":     func(o *Options) { o.Sorted = true },
		"accounts":   func(o *Options) { o.Mode, o.Graph.Accounts = Lists, 1 },
		"interval":   func(o *Options) { o.Measure.Interval = 0 },
		"keys":       func(o *Options) { o.Mode, o.Keys = Pages, 5 },
		"turn":       func(o *Options) { o.Measure.Turn = -1 },
		"engine":     func(o *Options) { o.Open = nil },
		"compact":    func(o *Options) { o.Compact.Batches = -1 },
	} {
		o := tiny(t, Entries)
		change(&o)
		if r, err := Run(t.Context(), o); err == nil || r != nil {
			t.Errorf("%s: got report %v and error %v, want an error only", name, r, err)
		}
	}
}
