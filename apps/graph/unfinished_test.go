// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// lines are n follows with keys.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d,%s,b%d\n", i%700, tidOf(longListStart+int64(i)*1e6, 3), i%900)
	}
	return b.String()
}

// keyedList are the options of an import of lines.
func keyedList() graph.ImportOptions {
	return graph.ImportOptions{EdgeList: graph.EdgeListOptions{Separator: graph.Comma, Header: graph.NoHeader,
		Keys: true}}
}

// TestUnfinished cuts imports with keys off: a mark says so while a part is there, also in a
// database that is opened again, and goes in the commit of the last follows.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	open := func() *uproar.DB {
		t.Helper()
		disk, err := pebblestore.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		db, err := uproar.Open(t.Context(), disk, nil)
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	db := open()
	defer func() { _ = db.Close() }()
	g, err := graph.OpenWith(t.Context(), db, graph.Records)
	if err != nil {
		t.Fatal(err)
	}
	want := func(stored int64) {
		t.Helper()
		if got, err := unfinished(t, g); err != nil || got != stored {
			t.Fatalf("got %d stored, %v, want %d", got, err, stored)
		}
	}
	want(0)
	cut, opts := errors.New("cut"), keyedList()
	all := lines(25_000)
	_, err = g.Import(t.Context(), io.MultiReader(strings.NewReader(all[:len(all)/10]), failing{cut}), opts)
	if !errors.Is(err, cut) {
		t.Fatalf("got %v, want that the list is cut", err)
	}
	want(0) // nothing was stored
	for range 2 {
		_, err = g.Import(t.Context(), io.MultiReader(strings.NewReader(all[:len(all)*9/10]), failing{cut}), opts)
		if !errors.Is(err, cut) {
			t.Fatalf("got %v, want that the list is cut", err)
		}
		want(20_000)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = open()
		if g, err = graph.Open(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		want(20_000)
		for _, other := range []graph.ImportOptions{{}, {Resume: true}, {EdgeList: opts.EdgeList}} {
			_, err := g.BeginImport(t.Context(), other)
			part, ok := errors.AsType[*graph.UnfinishedError](err)
			if !ok || part.Follows != 20_000 || !errors.Is(err, uproar.ErrLoading) {
				t.Errorf("%+v: got %v, want that an import has not ended", other, err)
			}
		}
		opts.Resume = true
	}
	if _, err := g.Import(t.Context(), strings.NewReader(all[:len(all)/2]), opts); !errors.Is(err,
		uproar.ErrLoading) {
		t.Errorf("got %v for a shorter list, want that the import has not ended", err)
	}
	want(20_000)
	im, err := g.BeginImport(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := im.Read(strings.NewReader(all)); err != nil {
		t.Fatal(err)
	}
	want(20_000)
	before := g.Index().Snapshot()
	defer before.Close()
	if err := im.Commit(); err != nil {
		t.Fatal(err)
	}
	want(0)
	after := g.Index().Snapshot()
	defer after.Close()
	if before.Sequence()+1 != after.Sequence() {
		t.Errorf("got commits %d to %d for the last follows and the mark, want one", before.Sequence(), after.Sequence())
	}
	if n, err := graph.Unfinished(t.Context(), before); err != nil || n != 20_000 {
		t.Errorf("got %d stored, %v, in the state before, want 20000", n, err)
	}
	stats, err := g.Index().Stats()
	if err != nil || stats.Records != 1600 {
		t.Errorf("got %d accounts, %v, want 1600", stats.Records, err)
	}
}

// TestUnfinishedBeside: an import that has begun before another stored its first follows fails, and
// has the mark stay.
func TestUnfinishedBeside(t *testing.T) {
	_, g := keyedGraph(t)
	var ims [2]*graph.Import
	for i := range ims {
		im, err := g.BeginImport(t.Context(), keyedList())
		if err != nil {
			t.Fatal(err)
		}
		ims[i] = im
	}
	if _, err := ims[0].Read(strings.NewReader(lines(10_001))); err != nil {
		t.Fatal(err)
	}
	if _, err := ims[1].Read(strings.NewReader(lines(10_001))); !errors.Is(err, uproar.ErrLoading) {
		t.Errorf("got %v from the second, want that the first has not ended", err)
	}
	if got, err := unfinished(t, g); err != nil || got != 10_000 {
		t.Errorf("got %d stored, %v, want 10000", got, err)
	}
	if err := ims[0].Commit(); err != nil {
		t.Error(err)
	}
	if got, err := unfinished(t, g); err != nil || got != 0 {
		t.Errorf("got %d stored, %v, want that the first has ended", got, err)
	}
}

// unfinished is graph.Unfinished of the present state.
func unfinished(t *testing.T, g *graph.Graph) (int64, error) {
	s := g.Index().Snapshot()
	defer s.Close()
	return graph.Unfinished(t.Context(), s)
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
