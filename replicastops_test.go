// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// cutOff returns a writer's database with one index, and the network between it and the log.
func cutOff(t *testing.T) (*uproar.DB, *uproar.Index, *shiptest.Faulty) {
	t.Helper()
	network := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{})
	db, _ := copyOf(t, network, ship.Writer)
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	return db, ix, network
}

// write adds a record within a time, and returns how long that took.
func write(t *testing.T, ix *uproar.Index, key string, within time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	var b uproar.Batch
	b.Set("likes", key, "tea")
	start := time.Now()
	_, err := ix.Write(ctx, &b)
	return time.Since(start), err
}

// TestWriteEndsAtItsDeadline: while the storage of the log is away, a write ends with its context,
// also when it is under way. Once the storage is back the next one succeeds, and the first is
// there.
func TestWriteEndsAtItsDeadline(t *testing.T) {
	_, ix, network := cutOff(t)
	network.Cut()
	for _, key := range []string{"under way", "behind it"} {
		took, err := write(t, ix, key, 200*time.Millisecond)
		if !errors.Is(err, context.DeadlineExceeded) || took > 20*time.Second {
			t.Fatalf("%s: got %v after %v, want the end of the context", key, err, took)
		}
		if underway := strings.Contains(err.Error(), "may come to be there"); underway != (key == "under way") {
			t.Errorf("%s: got %q", key, err)
		}
	}
	if got := countIn(t, ix, "likes = tea"); got != 0 {
		t.Errorf("readers see %d records that are not in the log", got)
	}
	network.Heal()
	if _, err := write(t, ix, "after it", 20*time.Second); err != nil {
		t.Fatal(err)
	}
	if got := countIn(t, ix, "likes = tea"); got != 2 {
		t.Errorf("got %d records, want the one that was under way and the one after it", got)
	}
}

// TestCloseWhileStorageIsAway: Close takes no longer than it says.
func TestCloseWhileStorageIsAway(t *testing.T) {
	db, ix, network := cutOff(t)
	network.Cut()
	lost := make(chan error, 1)
	go func() {
		_, err := write(t, ix, "lost", time.Hour)
		lost <- err
	}()
	time.Sleep(100 * time.Millisecond)
	start := time.Now()
	if err := db.Close(); err != nil {
		t.Log(err) // a part of what was under way is lost, and may be said so
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("Close took %v", took)
	}
	if err := <-lost; err == nil {
		t.Error("a write was acknowledged that is in no log")
	}
}

// TestCopyWithoutItsLog: the folder of a copy is not written without the log, which would never
// hear of it. It can be read.
func TestCopyWithoutItsLog(t *testing.T) {
	dir, e := t.TempDir(), new(shiptest.Memory)
	local, err := pebblestore.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ship.Open(t.Context(), local, e, ship.Options{Role: ship.Writer, Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	db, err := uproar.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := write(t, ix, "me", time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	if local, err = pebblestore.Open(dir, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := uproar.Open(t.Context(), local, nil); !errors.Is(err, store.ErrCopy) {
		t.Errorf("for writing: got %v, want store.ErrCopy", err)
	}
	db, err = uproar.Open(t.Context(), local, &uproar.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if ix, err = db.Index("people"); err != nil {
		t.Fatal(err)
	}
	if got := countIn(t, ix, "likes = tea"); got != 1 {
		t.Errorf("for reading: got %d records, want 1", got)
	}
}
