// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// commitsOf returns the numbers of the commits behind one.
func commitsOf(ctx context.Context, ix *uproar.Index, after uint64) (numbers []uint64, err error) {
	for c, err := range ix.Changes(ctx, after) {
		if err != nil {
			return numbers, err
		}
		numbers = append(numbers, c.Sequence)
	}
	return numbers, nil
}

// writeSome writes some commits, and returns the number of the last one.
func writeSome(t *testing.T, ix *uproar.Index, commits int) (last uint64) {
	t.Helper()
	for i := range commits {
		var b uproar.Batch
		b.Set("likes", fmt.Sprint("r", i), "tea")
		var err error
		if last, err = ix.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// TestIndexMadeAgain: who follows an index that is dropped and made again under its name is told,
// wherever it stood, also after a restart; who begins gets all commits of the new one.
func TestIndexMadeAgain(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	db := openPebble(t, dir)
	likes := uproar.Field{Name: "likes", Type: uproar.Set}
	for round, commits := range []int{3, 7, 2} {
		ix, err := db.CreateIndex(ctx, "people", likes)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := commitsOf(ctx, ix, 0); len(got) > 0 || err != nil {
			t.Fatalf("round %d: of a new index: got %v, %v", round, got, err)
		}
		waiting, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		if err := ix.Wait(waiting, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("round %d: waiting for the first commit: got %v", round, err)
		}
		cancel()
		before := ix.Snapshot()
		begun := before.Sequence()
		before.Close()
		last := writeSome(t, ix, commits)
		if round%2 == 0 { // the log alone, and pages
			if err := ix.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = openPebble(t, dir)
		if ix, err = db.Index("people"); err != nil {
			t.Fatal(err)
		}
		got, err := commitsOf(ctx, ix, 0)
		if len(got) != commits || got[0] != begun+1 || got[commits-1] != last || err != nil {
			t.Errorf("round %d: from the first: got %v, %v, want %d up to %d", round, got, err, commits, last)
		}
		if got, err := commitsOf(ctx, ix, last); len(got) > 0 || err != nil {
			t.Errorf("round %d: behind the last: got %v, %v", round, got, err)
		}
		for after := uint64(1); after <= 10; after++ { // as they were in the rounds before
			if _, err := commitsOf(ctx, ix, after); round > 0 && !errors.Is(err, uproar.ErrSequenceTrimmed) {
				t.Errorf("round %d: behind commit %d of another index: got %v, want it trimmed", round, after, err)
			}
		}
		if err := db.DropIndex(ctx, "people"); err != nil {
			t.Fatal(err)
		}
		if err := ix.Wait(ctx, last); !errors.Is(err, uproar.ErrClosed) {
			t.Errorf("round %d: waiting for a dropped index: got %v", round, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestAliasThatMoves: who follows an alias is told when it has moved to a newer index.
func TestAliasThatMoves(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	likes := uproar.Field{Name: "likes", Type: uproar.Set}
	if _, err := db.CreateIndex(ctx, "first", likes); err != nil {
		t.Fatal(err)
	}
	if err := db.SetAlias(ctx, "now", "first"); err != nil {
		t.Fatal(err)
	}
	ix, err := db.Index("now")
	if err != nil {
		t.Fatal(err)
	}
	last := writeSome(t, ix, 2)
	load, err := db.LoadIndex(ctx, "second", []uproar.Field{likes}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Set("likes", "ann", "tea"); err != nil {
		t.Fatal(err)
	}
	if err := load.CommitAs("now"); err != nil {
		t.Fatal(err)
	}
	if ix, err = db.Index("now"); err != nil || ix.Name() != "second" {
		t.Fatalf("the alias: got %v, %v", ix, err)
	}
	for after := uint64(1); after <= last; after++ {
		if _, err := commitsOf(ctx, ix, after); !errors.Is(err, uproar.ErrSequenceTrimmed) {
			t.Errorf("behind commit %d of the first: got %v, want it trimmed", after, err)
		}
	}
	if got, err := commitsOf(ctx, ix, 0); len(got) == 0 || err != nil {
		t.Errorf("from the first commit: got %v, %v, want those of the load", got, err)
	}
}

// TestNumberToCome: a number that no commit has yet is refused in the words of who follows.
func TestNumberToCome(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	last := writeSome(t, ix, 2)
	_, err = commitsOf(t.Context(), ix, 99)
	want := fmt.Sprintf("uproar: invalid: changes: got commit 99 to go on behind, want at most %d, the last one", last)
	if !errors.Is(err, uproar.ErrInvalid) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestWriteWithoutEffect: what assigns the values that are there is no commit, alone and beside
// others.
func TestWriteWithoutEffect(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "city", Type: uproar.Single})
	if err != nil {
		t.Fatal(err)
	}
	write := func(age int64, city string) uint64 {
		var b uproar.Batch
		b.SetInt("age", "ann", age)
		b.Set("city", "ann", city)
		b.Clear("city", "nobody", "Rome")
		sequence, err := ix.Write(t.Context(), &b)
		if err != nil {
			t.Fatal(err)
		}
		return sequence
	}
	first := write(30, "Bern")
	if again := write(30, "Bern"); again != first {
		t.Errorf("the same again: got commit %d, want %d", again, first)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := write(30, "Bern"); again != first {
		t.Errorf("the same again, as it is in pages: got commit %d, want %d", again, first)
	}
	if other := write(31, "Bern"); other != first+1 {
		t.Errorf("another age: got commit %d, want %d", other, first+1)
	}
	if got, err := commitsOf(t.Context(), ix, 0); len(got) != 2 || err != nil {
		t.Errorf("got commits %v, %v, want two", got, err)
	}
}
