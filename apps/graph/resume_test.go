// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// cutImport imports the first 15 000 of 25 000 follows, of which 10 000 are stored, and is cut off.
func cutImport(t *testing.T) (*graph.Graph, []string) {
	t.Helper()
	_, g := keyedGraph(t)
	all := strings.SplitAfter(lines(25_000), "\n")
	cut := errors.New("cut")
	_, err := g.Import(t.Context(), io.MultiReader(strings.NewReader(strings.Join(all[:15_000], "")), failing{cut}),
		keyedList())
	if !errors.Is(err, cut) {
		t.Fatalf("got %v, want that the list is cut", err)
	}
	return g, all
}

// TestResumeKeepsDeletions deletes a follow that a load has stored before it goes on: it stays
// deleted, and what stands behind is written.
func TestResumeKeepsDeletions(t *testing.T) {
	g, all := cutImport(t)
	key := strings.Split(all[0], ",")[1]
	if got := recordsOf(t, g, "a0"); !strings.Contains(got, key) {
		t.Fatalf("got %s, want %s", got, key)
	}
	mustWrite(t, g, drop("a0", key))
	opts := keyedList()
	opts.Resume = true
	report, err := g.Import(t.Context(), strings.NewReader("\n# a comment\nbad\n"+strings.Join(all, "")), opts)
	if err != nil || report.Follows != 25_000 || report.BadLines != 1 {
		t.Fatalf("got %+v, %v, want 25000 follows", report, err)
	}
	if got, err := unfinished(t, g); err != nil || got != 0 {
		t.Errorf("got %d stored, %v, want that it has ended", got, err)
	}
	got := recordsOf(t, g, "a0")
	if strings.Contains(got, key) {
		t.Errorf("got %s, want %s deleted", got, key)
	}
	if n := strings.Count(got, "="); n != 25_000/700 {
		t.Errorf("got %d follows of an account, want %d", n, 25_000/700)
	}
}

// TestResumeOfOtherLists goes on with lists of as many follows that are others, or in another
// order: the import fails, writes nothing and leaves the mark. Those behind what is stored may be
// others.
func TestResumeOfOtherLists(t *testing.T) {
	g, all := cutImport(t)
	opts := keyedList()
	opts.Resume = true
	before := sequenceOf(g)
	for i, change := range []func(list []string){
		func(list []string) { list[0], list[1] = list[1], list[0] },
		func(list []string) { list[9_999] = strings.Replace(list[9_999], ",b", ",c", 1) },
		func(list []string) { list[5] = "x" + list[5] },
		func(list []string) {
			account, rest, _ := strings.Cut(list[7], ",")
			key, target, _ := strings.Cut(rest, ",")
			list[7] = account + "," + key + "x," + target
		},
	} {
		other := append([]string(nil), all...)
		change(other)
		_, err := g.Import(t.Context(), strings.NewReader(strings.Join(other, "")), opts)
		part, ok := errors.AsType[*graph.UnfinishedError](err)
		if !ok || part.Follows != 10_000 || !strings.HasPrefix(part.Got,
			"other follows: the sum of the first 10000 is ") {
			t.Errorf("%d: got %v, want that the list is another", i, err)
		}
		if got, err := unfinished(t, g); err != nil || got != 10_000 || sequenceOf(g) != before {
			t.Errorf("%d: got %d stored, %v, commit %d, want 10000 as before", i, got, err, sequenceOf(g))
		}
	}
	all[10_000] = "p,self,q\n"
	if _, err := g.Import(t.Context(), strings.NewReader(strings.Join(all, "")), opts); err != nil {
		t.Fatal(err)
	}
	if got := recordsOf(t, g, "p"); got != "q=self" {
		t.Errorf("got %q, want what stands behind the stored follows", got)
	}
}

// sequenceOf is the number of the last commit.
func sequenceOf(g *graph.Graph) uint64 {
	s := g.Index().Snapshot()
	defer s.Close()
	return s.Sequence()
}
