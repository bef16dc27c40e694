// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLogIsWhole follows the log of an index while it is written to, flushed and reopened, in
// pieces: every commit is met once, in order.
func TestLogIsWhole(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 5000)
	config.Retention = Retention{}
	ix := open(t, s, config)
	const commits = 1500
	var done atomic.Bool
	go func() {
		defer done.Store(true)
		for n := range commits {
			var b Batch
			b.Set(country, model.ID(uint64(n%7)), model.ID(uint64(n)))
			if _, err := ix.Commit(context.Background(), &b); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	after := uint64(0)
	follow := func() {
		err := ix.Log(t.Context(), after, func(e Entry) error {
			want := []Change{{Kind: Put, Field: country, Row: (e.Sequence - 1) % 7, Record: e.Sequence - 1}}
			if e.Sequence != after+1 || !slices.Equal(e.Changes, want) {
				t.Fatalf("got entry %d with %v after %d, want %v", e.Sequence, e.Changes, after, want)
			}
			after = e.Sequence
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for after < commits {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		if err := ix.Wait(ctx, after); err != nil {
			t.Fatal(err)
		}
		cancel()
		follow()
	}
	for !done.Load() {
		time.Sleep(time.Millisecond)
	}
	ix.Close()
	ix = open(t, s, config)
	defer ix.Close()
	after = 0
	follow()
	if after != commits {
		t.Errorf("got %d commits, want %d", after, commits)
	}
	if err := ix.Log(t.Context(), commits+1, nil); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("got %v for a number to come, want ErrInvalid", err)
	}
	stop := errors.New("stop")
	if err := ix.Log(t.Context(), 0, func(Entry) error { return stop }); err != stop {
		t.Errorf("got %v, want the follower's error", err)
	}
	waiting, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ix.Wait(waiting, commits); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestRetention trims the log by size and by age, and tells followers who come too late.
func TestRetention(t *testing.T) {
	for _, c := range []struct {
		name      string
		retention Retention
		left      func(n, bytes uint64) bool
	}{
		{"entries", Retention{Entries: 7}, func(n, _ uint64) bool { return n == 7 }},
		{"bytes", Retention{Bytes: 500}, func(n, bytes uint64) bool { return n > 3 && n < 40 && bytes <= 500 }},
		{"young", Retention{Age: time.Hour}, func(n, _ uint64) bool { return n == 100 }},
		{"old", Retention{Age: time.Nanosecond}, func(n, bytes uint64) bool { return n == 0 && bytes == 0 }},
		{"all", Retention{}, func(n, _ uint64) bool { return n == 100 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := memstore.New()
			config := testConfig(t, 1<<20)
			config.Retention = c.retention
			ix := open(t, s, config)
			for n := range uint64(100) {
				var b Batch
				b.Set(country, model.ID(1), model.ID(n))
				if _, err := ix.Commit(t.Context(), &b); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(2 * time.Millisecond) // an age is of whole milliseconds
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				stats, err := ix.Stats()
				if err != nil {
					t.Fatal(err)
				}
				left := 100 + 1 - stats.OldestLog
				if !c.left(left, stats.LogBytes) {
					t.Errorf("got %d entries of %d bytes", left, stats.LogBytes)
				}
				err = ix.Log(t.Context(), 0, func(Entry) error { return nil })
				var trimmed *TrimmedError
				if left == 100 && err != nil || left < 100 && (!errors.As(err, &trimmed) ||
					!errors.Is(err, model.ErrSequenceTrimmed) || trimmed.Oldest != stats.OldestLog) {
					t.Errorf("got %v, want to be told of entry %d", err, stats.OldestLog)
				}
				n := uint64(0)
				if err := ix.Log(t.Context(), stats.OldestLog-1, func(Entry) error {
					n++
					return nil
				}); err != nil || n != left {
					t.Errorf("got %d entries, %v, want %d", n, err, left)
				}
				ix.Close()
				ix = open(t, s, config)
			}
			ix.Close()
		})
	}
}

// TestLogTellsAll shows each kind of change as a follower sees it.
func TestLogTellsAll(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	commit := func(fill func(*Batch)) {
		t.Helper()
		var b Batch
		fill(&b)
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	commit(func(b *Batch) { b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, "ann")) })
	commit(func(b *Batch) { b.Set(follows, model.ID(0), model.ID(9)); b.Clear(country, model.ID(2), model.ID(3)) })
	commit(func(b *Batch) { b.Assign(city, model.ID(5), model.ID(6)); b.AssignInt(age, model.ID(5), -8) })
	commit(func(b *Batch) { b.Unassign(city, model.ID(5)); b.Empty(country, model.ID(2)) })
	commit(func(b *Batch) { b.Delete(model.ID(0)) })
	var got []string
	if err := ix.Log(t.Context(), 0, func(e Entry) error {
		got = append(got, fmt.Sprint(e.Sequence, e.Changes))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		fmt.Sprint(1, []Change{{Put, model.Exists, 0, 0, 0, ""}}),
		fmt.Sprint(2, []Change{{Put, follows, 0, 9, 0, ""}, {Cut, country, 2, 3, 0, ""}}),
		fmt.Sprint(3, []Change{{Assign, city, 6, 5, 0, ""}, {Assign, age, 0, 5, -8, ""}}),
		fmt.Sprint(4, []Change{{Empty, country, 2, 0, 0, ""}, {Remove, city, 0, 5, 0, ""}}),
		fmt.Sprint(5, []Change{{Delete, 0, 0, 0, 0, "ann"}}),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// TestRewritesAreFlushed sets the same values again and again: the delta stays small, but the log
// is flushed and trimmed all the same, and writers wait where they outrun that. So the log never
// has more than it says: two deltas, each let grow to twice its size while the other is flushed,
// and what is retained.
func TestRewritesAreFlushed(t *testing.T) {
	const deltaBytes, retained, group = 20_000, 1000, 200
	s := memstore.New()
	config := testConfig(t, deltaBytes)
	config.Retention = Retention{Bytes: retained}
	ix := open(t, s, config)
	defer ix.Close()
	for n := range int64(4000) {
		var b Batch
		b.AssignInt(age, model.ID(1), n%2)
		if n%3 == 0 {
			b.AssignInt(age, model.ID(1), 1) // often no change
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if kept := ix.changes.bytes.Load(); kept > 4*deltaBytes+retained+group {
			t.Fatalf(
				"got %d bytes of log after %d commits, want at most four times the delta of %d and what is retained",
				kept, n+1, deltaBytes)
		}
	}
	if flushes := ix.flusher.flushes.Load(); flushes == 0 {
		t.Error("got no flush, want some")
	}
}

// TestLoadsCountAsLog checks that the bytes of log are those of log entries, whatever loads write
// beside them.
func TestLoadsCountAsLog(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	config.Retention = Retention{}
	ix := open(t, s, config)
	defer ix.Close()
	for n := range 5 {
		if err := loadNumbered(ix, n); err != nil {
			t.Fatal(err)
		}
	}
	want := 0
	for _, op := range entries(t, s) {
		if op.Key[0] == format.KindLog {
			want += len(op.Key) + len(op.Value)
		}
	}
	stats, err := ix.Stats()
	if err != nil || stats.LogBytes != uint64(want) {
		t.Errorf("got %d bytes of log, %v, want %d", stats.LogBytes, err, want)
	}
}

// TestLogCancelled: a follower whose context has ended is given nothing more, and told why.
func TestLogCancelled(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	commitNumbered(t, ix, 0, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	told := 0
	if err := ix.Log(ctx, 0, func(Entry) error { told++; return nil }); !errors.Is(err, context.Canceled) || told > 0 {
		t.Errorf("got %v after %d commits, want %v and none", err, told, context.Canceled)
	}
}
