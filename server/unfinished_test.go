// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestUnfinishedLoad: while a load with keys has not ended, callers who would take a part for all
// get 503, /readyz and stats say so, and another import is refused with what to do.
func TestUnfinishedLoad(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.OpenWith(t.Context(), db, graph.Records)
	if err != nil {
		t.Fatal(err)
	}
	opts := &server.Options{Paths: server.Paths{Rsky: true, Constellation: true, GraphD: true},
		Logger: slog.New(slog.DiscardHandler)}
	s := newSiteOf(t, opts, db, g)
	s.changes("set follows @v 3m6i4wtqkuf2l @a; set follows @a 3m6i4wtqkuf2l @t")
	graphd := [][2]string{{"/_health", `{"status":"ok","version":"0.0.1"}`}, {"/followers?did=@a", `["@v"]`},
		{"/following?did=@v", `["@a"]`}, {"/moots?did=@v", `[]`},
		{"/followers_not_following?did=@a", `{"dids":["@v"]}`},
		{"/does_follow?actor_did=@v&target_did=@a", `true`}, {"/are_moots?actor_did=@v&target_did=@a", `false`},
		{"/follows_following?actor_did=@v&target_did=@t", `["@a"]`}, {"/intersect_followers?did=@a", `["@v"]`},
		{"/intersect_following?did=@v", `["@a"]`}}
	const (
		link = "/links/count?collection=app.bsky.graph.follow&path=.subject&target=@t"
		said = `an import of follows with keys has not ended, of which 10000 are stored; if it was cut off, stop the ` +
			`server, and go on by uproar import graph --dir DIR --keys --resume with the same files`
		listed = `"unfinished_follows":`
	)
	whole := func() {
		t.Helper()
		s.rsky("GET", rskyPath+"@v&targets=@t", 200, answer("@t=@a"))
		s.rsky("GET", "/v1/is-following?actor=@v&target=@a", 200, `{"following":true}`)
		s.link(link, 200, `{"total":1}`)
		for _, c := range graphd {
			s.graphd("GET", c[0], "", 200, c[1])
		}
		s.check("GET", "/readyz", "", 200, `{"status":"ok"}`)
		if _, stats := s.do("GET", "/v1/stats", ""); strings.Contains(stats, listed) {
			t.Errorf("got %s, want no %s", stats, listed)
		}
	}
	whole()
	im, err := g.BeginImport(t.Context(), graph.ImportOptions{EdgeList: graph.EdgeListOptions{
		Separator: graph.Comma, Header: graph.NoHeader, Keys: true}})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for i := range 10_001 {
		fmt.Fprintf(&lines, "x%d,3m6i4wtqkuf2l,y%d\n", i, i%10)
	}
	if _, err := im.Read(strings.NewReader(lines.String())); err != nil {
		t.Fatal(err)
	}
	s.rsky("GET", rskyPath+"@v&targets=@t", 503, noViewer)
	s.rsky("GET", "/v1/is-following?actor=@v&target=@a", 503, noActor)
	s.link(link, 503, "not loaded yet")
	for _, c := range append(graphd, [2]string{"/followers?did=@z"}) {
		s.graphd("GET", c[0], "", 503, `"not loaded yet"`)
	}
	s.graphd("POST", "/follow", `{"actor_did":"@x","target_did":"@w"}`, 200, `"ok"`)
	for _, c := range [][2]string{{"GET", "/readyz"}, {"POST", "/v1/graph/import"}} {
		resp, got := s.do(c[0], c[1], "a,b\nc,d\n", "Content-Type", "text/csv")
		if resp.StatusCode != 503 || !strings.Contains(got, said) || !strings.Contains(got, `"unavailable"`) {
			t.Errorf("%s: got %d %s, want 503, %s", c[1], resp.StatusCode, got, said)
		}
	}
	if _, stats := s.do("GET", "/v1/stats", ""); !strings.Contains(stats, listed+"10000,") {
		t.Errorf("got %s, want %s10000", stats, listed)
	}
	if err := im.Commit(); err != nil {
		t.Fatal(err)
	}
	whole()
}
