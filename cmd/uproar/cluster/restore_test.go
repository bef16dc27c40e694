// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
)

// ledger is the model: which commit gave each record its row.
type ledger struct {
	mu   sync.Mutex
	made map[uint64]string // row of each commit
}

// write has writers commit beside each other, one record and row each, so that many commits share
// an object and an entry of the log.
func (l *ledger) write(t *testing.T, ix *uproar.Index, name string, commits int) {
	t.Helper()
	var work sync.WaitGroup
	for w := range 16 {
		work.Go(func() {
			for i := range commits / 16 {
				row := fmt.Sprintf("%s-%d-%d", name, w, i)
				var b uproar.Batch
				b.Set("likes", "someone", row)
				sequence, err := ix.Write(t.Context(), &b)
				if err != nil {
					t.Error(err)
					return
				}
				l.mu.Lock()
				l.made[sequence] = row
				l.mu.Unlock()
			}
		})
	}
	work.Wait()
}

// TestRestoreSequence restores commits of an index that lie anywhere: within an entry of the log,
// at checkpoints and takeovers, beside flushes and commits to another index. Each database has what
// was committed until then, and nothing else.
func TestRestoreSequence(t *testing.T) {
	url := "file://" + t.TempDir()
	local := keepOpen{memstore.New()}
	l := &ledger{made: make(map[uint64]string)}
	last := uint64(0)
	for term := range 3 {
		e, err := Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ship.Open(t.Context(), local, e, ship.Options{Role: ship.Writer, Unchecked: true,
			Interval: 2 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		db, err := uproar.Open(t.Context(), s, &uproar.Options{MemoryBytes: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if term == 0 {
			for _, name := range []string{"other", "people"} {
				field := uproar.Field{Name: "likes", Type: uproar.Set}
				if _, err := db.CreateIndex(t.Context(), name, field); err != nil {
					t.Fatal(err)
				}
			}
		}
		people, err := db.Index("people")
		if err != nil {
			t.Fatal(err)
		}
		other, err := db.Index("other")
		if err != nil {
			t.Fatal(err)
		}
		beside := &ledger{made: make(map[uint64]string)}
		var work sync.WaitGroup
		work.Go(func() { beside.write(t, other, "other", 64) })
		l.write(t, people, fmt.Sprint("a", term), 160)
		if err := s.Checkpoint(t.Context()); err != nil {
			t.Error(err)
		}
		if err := people.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		l.write(t, people, fmt.Sprint("b", term), 160)
		work.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	for n := range l.made {
		last = max(last, n)
	}
	if last != uint64(len(l.made)) {
		t.Fatalf("got %d commits, the last with number %d", len(l.made), last)
	}
	within := 0
	for _, number := range []uint64{1, 2, 7, 100, 159, 160, 161, 200, 319, 320, 321, 333, 480, 500, 640, 700, last - 1,
		last} {
		dir := t.TempDir()
		at, err := restored(t, url, dir, number)
		if err != nil {
			t.Fatalf("commit %d: %v", number, err)
		}
		if again, err := restored(t, url, t.TempDir(), number+1); err == nil && again == at {
			within++
		}
		checkRestored(t, l, dir, number)
	}
	if within < 3 {
		t.Errorf("got %d commits that lie in one object with the next, want some, or this shows little", within)
	}
	if _, err := restored(t, url, t.TempDir(), last+1); err == nil || !strings.Contains(err.Error(), "does not reach") {
		t.Errorf("a commit that is yet to come: got %v, want ErrNotReached", err)
	}
	c := &RestoreLog{Log: url, Dir: t.TempDir(), Store: "pebble", Sequence: sequence{name: "nobody", number: 1}}
	if err := c.Run(t.Context(), terminal.New(nil, new(bytes.Buffer), new(bytes.Buffer), nil)); err == nil ||
		!strings.Contains(err.Error(), "no index") {
		t.Errorf("an index that is not there: got %v", err)
	}
}

// TestRestoreNoLog restores where there is no log: it makes neither one nor a database.
func TestRestoreNoLog(t *testing.T) {
	place, dir := t.TempDir(), filepath.Join(t.TempDir(), "new")
	c := &RestoreLog{Log: "file://" + place, Dir: dir, Store: "pebble", At: 1}
	err := c.Run(t.Context(), terminal.New(nil, new(bytes.Buffer), new(bytes.Buffer), nil))
	if err == nil || !strings.Contains(err.Error(), "no log") {
		t.Errorf("got %v, want that there is no log", err)
	}
	if _, err := os.Stat(filepath.Join(place, "log.json")); err == nil {
		t.Error("it has made a log")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("it has made a folder")
	}
}

// keepOpen is a store that outlives Close.
type keepOpen struct{ *memstore.Store }

func (keepOpen) Close() error { return nil }

// restored restores a commit into a folder, and returns the position that the command has named.
func restored(t *testing.T, url, dir string, number uint64) (at string, err error) {
	t.Helper()
	var out, log bytes.Buffer
	c := &RestoreLog{Log: url, Dir: dir, Store: "pebble", JSON: true,
		Sequence: sequence{name: "people", number: number}}
	err = c.Run(t.Context(), &terminal.Console{Out: &out, Err: &log})
	return out.String(), err
}

// checkRestored compares a database with the model as of a commit.
func checkRestored(t *testing.T, l *ledger, dir string, number uint64) {
	t.Helper()
	opts := &uproar.Options{MemoryBytes: 16 << 20}
	s, err := database.OpenStore(dir, "pebble", false, opts)
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, opts)
	if err != nil {
		t.Fatalf("commit %d: opening the database: %v", number, err)
	}
	defer db.Close()
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Errorf("commit %d: Verify: %v", number, err)
	}
	ix, err := db.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	if got := snap.Sequence(); got != number {
		t.Errorf("got sequence %d, want %d", got, number)
	}
	for n, row := range l.made {
		q, err := query.Parse("likes = " + strconv.Quote(row))
		if err != nil {
			t.Fatal(err)
		}
		got, err := snap.Count(t.Context(), q)
		if err != nil && n <= number {
			t.Fatal(err)
		}
		if (got == 1) != (n <= number) {
			t.Fatalf("restored to commit %d: got %d records of commit %d", number, got, n)
		}
	}
	var b uproar.Batch
	b.Set("likes", "someone", "new")
	if got, err := ix.Write(t.Context(), &b); err != nil || got != number+1 {
		t.Errorf("a write after it: got sequence %d and %v, want %d", got, err, number+1)
	}
}
