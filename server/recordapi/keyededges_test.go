// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// TestEdgesWithKeys: records lose edges that have keys from either end of the relation, and the
// keys go with them. Of other edges all keys stay.
func TestEdgesWithKeys(t *testing.T) {
	for _, c := range []struct {
		name, write string
		left        []string // edges, and what keys they have
	}{
		{"nothing that differs", `"merges":[{"key":"b","values":{"known":["a","c"]}}]`,
			[]string{"a b 1", "a b 2", "a d 3", "c b 4"}},
		{"a merge of the relation", `"merges":[{"key":"a","values":{"knows":["d"]}}]`, []string{"a d 3", "c b 4"}},
		{"a merge of the inverse", `"merges":[{"key":"b","values":{"known":[]}}]`, []string{"a d 3"}},
		{"clears of the relation", `"clears":[{"key":"a","fields":["knows"]}]`, []string{"c b 4"}},
		{"clears of the inverse", `"clears":[{"key":"b","fields":["known"]}]`, []string{"a d 3"}},
		{"a put without the inverse", `"puts":[{"key":"b","values":{}}]`, []string{"a b 1", "a b 2", "a d 3", "c b 4"}},
		{"a put with less of the relation", `"puts":[{"key":"a","values":{"knows":["b"]}}]`,
			[]string{"a b 1", "a b 2", "c b 4"}},
		{"a put with less of the inverse", `"puts":[{"key":"b","values":{"known":["c"]}}]`, []string{"a d 3", "c b 4"}},
		{"a put with more of the inverse", `"puts":[{"key":"b","values":{"known":["c","d"]}}]`,
			[]string{"a d 3", "c b 4", "d b"}},
		{"deletes", `"deletes":["b"]`, []string{"a d 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			ix := keyedIndex(t, d)
			d.must(writePath, `{"index":"edges",`+c.write+`}`)
			got := edgesOf(t, ix)
			d.open() // as it is stored
			ix, err := d.db.Index("edges")
			if err != nil {
				t.Fatal(err)
			}
			if again := edgesOf(t, ix); !slices.Equal(got, c.left) || !slices.Equal(again, c.left) {
				t.Errorf("got %q, and %q once opened again, want %q", got, again, c.left)
			}
		})
	}
}

// TestRowsOfEdgesWithKeys: a row of either end is refused with what to do instead.
func TestRowsOfEdgesWithKeys(t *testing.T) {
	d := newDesk(t)
	ix := keyedIndex(t, d)
	before := edgesOf(t, ix)
	for _, field := range []string{"knows", "known"} {
		_, err := d.text(writePath, `{"index":"edges","rows":[{"field":"`+field+`","value":"b"}]}`)
		const want = `got a row of a relation whose edges have keys, want "clears" of it`
		if err == nil || call.Failure(err).Code != api.CodeInvalidRequest ||
			!strings.Contains(call.Failure(err).Message, want) {
			t.Errorf("a row of %s: got %v, want %s", field, err, want)
		}
	}
	if got := edgesOf(t, ix); !slices.Equal(got, before) {
		t.Errorf("got %q, want %q", got, before)
	}
}

// keyedIndex makes an index whose edges have keys, and writes some.
func keyedIndex(t *testing.T, d *desk) *uproar.Index {
	t.Helper()
	ix, err := d.db.CreateIndex(t.Context(), "edges", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "known", Column: uproar.KeyColumn},
		uproar.Field{Name: "likes", Type: uproar.Relation, Inverse: "liked"})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for _, e := range [][3]string{{"a", "b", "1"}, {"a", "b", "2"}, {"a", "d", "3"}, {"c", "b", "4"}} {
		b.SetEdge("knows", e[0], e[1], e[2])
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return ix
}

// edgesOf returns the edges of the index, each with its key, if it has one.
func edgesOf(t *testing.T, ix *uproar.Index) (edges []string) {
	t.Helper()
	s := ix.Snapshot()
	defer s.Close()
	keys, err := s.EdgeKeys("knows")
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{"a", "b", "c", "d"} {
		id, err := s.ID(from)
		if err != nil {
			continue
		}
		for _, to := range []string{"a", "b", "c", "d"} {
			has, err := s.Has("knows", from, to)
			if err != nil || !has {
				continue
			}
			target, err := s.ID(to)
			if err != nil {
				t.Fatal(err)
			}
			edges = append(edges, keyed(t, keys, from+" "+to, id, target)...)
		}
	}
	return edges
}

// keyed returns an edge once for each of its keys, or once if it has none.
func keyed(t *testing.T, keys uproar.EdgeKeys, edge string, from, to uint64) (edges []string) {
	t.Helper()
	all, err := keys.Append(nil, from, 1<<63, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		if k.Target != to {
			continue
		}
		text, err := keys.AppendText([]byte(edge+" "), k.Key)
		if err != nil {
			t.Fatal(err)
		}
		edges = append(edges, string(text))
	}
	if edges == nil {
		edges = append(edges, edge)
	}
	return edges
}
