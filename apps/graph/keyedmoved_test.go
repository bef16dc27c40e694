// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestRecordsAreRestored: a backup has the records of edges, of pages and of the log; a field that
// is dropped loses them.
func TestRecordsAreRestored(t *testing.T) {
	db, g := keyedGraph(t)
	var list []graph.Change
	for i := range 3000 {
		list = append(list, put("a", tidOf(1_700_000_000_000_000+int64(i)*977, i%3), fmt.Sprintf("t%d", i)))
	}
	mustWrite(t, g, list...)
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, g, put("a", "self", "b"), drop("a", list[7].Key), put("c", "self", "a"))
	want, wantC := recordsOf(t, g, "a"), recordsOf(t, g, "c")
	var backup bytes.Buffer
	if _, err := db.Backup(t.Context(), &backup, nil); err != nil {
		t.Fatal(err)
	}
	mem := memstore.New()
	if _, err := uproar.Restore(t.Context(), mem, &backup); err != nil {
		t.Fatal(err)
	}
	other, err := uproar.Open(t.Context(), mem, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	restored, err := graph.Open(t.Context(), other) // which finds the keys
	if err != nil {
		t.Fatal(err)
	}
	if !restored.Keyed(graph.Follows) || restored.Keyed(graph.Mutes) {
		t.Error("the relations with keys are others")
	}
	if got := recordsOf(t, restored, "a"); got != want {
		t.Errorf("restored %d bytes of records, want %d", len(got), len(want))
	}
	if got := recordsOf(t, restored, "c"); got != wantC {
		t.Errorf("restored %s, want %s", got, wantC)
	}
	if err := other.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	index, err := other.ChangeFields(t.Context(), graph.IndexName, []string{graph.FollowsField}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := index.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := other.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestImportIntoKeyed: an import brings edges without records, which are cleared, replaced and get
// records like others.
func TestImportIntoKeyed(t *testing.T) {
	db, g := keyedGraph(t)
	mustWrite(t, g, put("a", "k1", "b"))
	if _, err := g.Import(t.Context(), strings.NewReader("actor,target\na,b\na,c\na,d\ne,a\n"),
		graph.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := recordsOf(t, g, "a"); got != "b=k1 c= d=" {
		t.Errorf("got %s", got)
	}
	mustWrite(t, g, put("a", "k2", "c"), graph.Change{Op: graph.Clear, Relation: graph.Follows, Account: "a",
		Target: "d"}, drop("a", "k1"))
	if got := recordsOf(t, g, "a"); got != "c=k2" {
		t.Errorf("got %s", got)
	}
	mustWrite(t, g, graph.Change{Op: graph.Replace, Relation: graph.Follows, Account: "e",
		Edges: []graph.Edge{{Target: "b"}}})
	if got := recordsOf(t, g, "e"); got != "b=" {
		t.Errorf("got %s", got)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestImportOfKeys: lists with the keys of records, with names of columns, without, and as objects.
func TestImportOfKeys(t *testing.T) {
	const k1, k2, k3 = "3m6i4wtqkuf2l", "3m6i4wtqkuf3l", "self"
	want := "b=" + k1 + " b=" + k3 + " c=" + k2
	for name, text := range map[string]string{
		"names": "creator,rkey,subject\na," + k1 + ",b\na," + k2 + ",c\na," + k3 + ",b\n",
		"order": "subject_did\tcid\tRKey\tactor\nb\tx\t" + k1 + "\ta\nc\tx\t" + k2 + "\ta\nb\tx\t" + k3 +
			"\ta\n",
		"none": "a," + k1 + ",b\na," + k2 + ",c\na," + k3 + ",b\n",
		"objects": `{"actor":"a","target":"b","rkey":"` + k1 + `"}` + "\n" + `{"rkey":"` + k2 +
			`","target":"c","actor":"a"}` + "\n" + `{"actor":"a","target":"b","key":"` + k3 + `"}`,
		"bad": "a," + k1 + ",b\na,,x\na," + k2 + ",c\na," + strings.Repeat("k", 513) + ",x\na," + k3 + ",b\n",
	} {
		_, g := keyedGraph(t)
		for range 2 { // the second time nothing changes
			opts := graph.ImportOptions{EdgeList: graph.EdgeListOptions{Keys: true}}
			report, err := g.Import(t.Context(), strings.NewReader(text), opts)
			if err != nil || report.Follows != 3 || (report.BadLines == 2) != (name == "bad") {
				t.Errorf("%s: got %+v, %v", name, report, err)
			}
			if got := recordsOf(t, g, "a"); got != want {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
	}
	_, g := keyedGraph(t)
	for _, text := range []string{"a,b\n", "actor,target,x\na,b,c\n", "a,b,c,d\n", `{"actor":"a","target":"b"}`} {
		opts := graph.ImportOptions{EdgeList: graph.EdgeListOptions{Keys: true}, Strict: true}
		if _, err := g.Import(t.Context(), strings.NewReader(text), opts); err == nil {
			t.Errorf("%q: is imported without keys", text)
		}
	}
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if g, err = graph.Open(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	opts := graph.ImportOptions{EdgeList: graph.EdgeListOptions{Keys: true}}
	if _, err := g.Import(t.Context(), strings.NewReader("a,k,b\n"), opts); !errors.As(err, new(*graph.UnkeyedError)) {
		t.Errorf("a graph without keys: got %v", err)
	}
}

// TestKnownInOrder: known followers are in the order of the viewer's follows, the oldest first.
func TestKnownInOrder(t *testing.T) {
	_, g := keyedGraph(t)
	var list []graph.Change
	for i := range 40 {
		list = append(list, put(fmt.Sprintf("m%02d", i), "k", "target"))
	}
	for i := range 30 { // the newest are those of the least ID
		list = append(list, put("viewer", tidOf(1_764_100_801_000_000-int64(i)*1_000_000, 1), fmt.Sprintf("m%02d", i)))
	}
	list = append(list, put("viewer", tidOf(1_764_100_899_000_000, 1), "m29"), // a second record
		put("viewer", tidOf(1_764_100_900_000_000, 1), "nobody"))
	mustWrite(t, g, list...)
	known := g.KnownFollowers(t.Context(), "viewer")
	defer known.Close()
	for limit, want := range map[int]string{0: "m29 m28", 3: "m29 m28 m27"} {
		got, err := known.Append(t.Context(), nil, "target", limit, uproar.KeyForm{Between: " "})
		if err != nil || !strings.HasPrefix(string(got), want) || limit > 0 && string(got) != want {
			t.Errorf("limit %d: got %s, %v, want %s", limit, got, err, want)
		}
		if limit == 0 && (!strings.HasSuffix(string(got), "m01 m00") || len(strings.Fields(string(got))) != 30) {
			t.Errorf("got %s", got)
		}
	}
	if n, err := known.Count(t.Context(), "target"); n != 30 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
}
