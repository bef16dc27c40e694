// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// A site is a server, reached over real HTTP, and a client of it.
type site struct {
	*client.Client
	db    *uproar.DB
	graph client.Graph
	url   string

	mu    sync.Mutex
	asked map[string]bool // paths
}

// RoundTrip notes what is asked.
func (s *site) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.asked[r.URL.Path] = true
	s.mu.Unlock()
	return http.DefaultTransport.RoundTrip(r)
}

func newSite(t *testing.T, opts *server.Options) *site { return newSiteOf(t, opts, graph.Options{}) }

// newSiteOf is newSite with a graph that has options.
func newSiteOf(t *testing.T, opts *server.Options, of graph.Options) *site {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := graph.OpenWith(t.Context(), db, of); err != nil {
		t.Fatal(err)
	}
	if opts == nil {
		opts = &server.Options{Logger: slog.New(slog.DiscardHandler)}
	}
	srv, err := server.New(db, opts)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ctx, ln) }()
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	s := &site{db: db, url: "http://" + ln.Addr().String(), asked: make(map[string]bool)}
	if s.Client, err = client.New(s.url, &client.Options{HTTP: &http.Client{Transport: s}}); err != nil {
		t.Fatal(err)
	}
	s.graph = s.Graph()
	return s
}

// check fails the test unless got is want and there is no error.
func check[T any](t *testing.T, what string, got T, err error, want any) {
	t.Helper()
	text := func(x any) string { b, _ := json.Marshal(x); return string(b) }
	if err != nil || text(got) != text(want) {
		t.Errorf("%s: got %s, %v, want %s", what, text(got), err, text(want))
	}
}

func all[T any](t *testing.T, what string, seq func(yield func(T, error) bool)) (list []T) {
	t.Helper()
	for x, err := range seq {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		list = append(list, x)
	}
	return list
}

// Every call of the server can be asked through the client, and is answered as by the embedded
// database.
func TestEveryCall(t *testing.T) {
	s, ctx := newSite(t, nil), t.Context()
	g := s.graph
	sequence, err := g.Follow(ctx, api.Follow{Account: "alice", Target: "bob"},
		api.Follow{Account: "bob", Target: "alice"}, api.Follow{Account: "carol", Target: "bob"},
		api.Follow{Account: "alice", Target: "carol"}, api.Follow{Account: "dan", Target: "bob"})
	check(t, "Follow", sequence, err, 1)
	sequence, err = g.Follow(ctx)
	check(t, "Follow nobody", sequence >= 1, err, true)
	sequence, err = g.Unfollow(ctx, api.Follow{Account: "dan", Target: "bob"})
	check(t, "Unfollow", sequence > 1, err, true)
	position := int64(7)
	_, err = g.Write(ctx, api.WriteRequest{Changes: []api.ChangeRequest{
		{Op: "set", Relation: "blocks", Account: "alice", Target: "dan"},
		{Op: "set", Relation: "mutes", Account: "bob", Target: "carol"},
		{Op: "set", Relation: "members", Account: "friends", Target: "dan"}}, Stream: "feed", Position: &position})
	check(t, "Write", 0, err, 0)
	at, ok, err := g.Position(ctx, "feed")
	check(t, "Position", []any{at, ok}, err, []any{7, true})
	at, ok, err = g.Position(ctx, "none")
	check(t, "Position of none", []any{at, ok}, err, []any{0, false})
	reply, err := g.Import(ctx, strings.NewReader("erin,bob\nerin,alice\n"),
		client.ImportOptions{Separator: "comma", Header: "no", Strict: true})
	check(t, "Import", reply.Follows, err, 2)

	for what, c := range map[string]struct {
		of   client.Accounts
		want []string
	}{
		"Followers":          {g.Followers("bob"), []string{"alice", "carol", "erin"}},
		"Followers for bob":  {g.Followers("bob").For("bob"), []string{"alice", "erin"}},
		"Following":          {g.Following("alice"), []string{"bob", "carol"}},
		"Mutuals":            {g.Mutuals("alice"), []string{"bob"}},
		"FollowsFollowing":   {g.FollowsFollowing("alice", "bob"), []string{"carol"}},
		"MutualsFollowing":   {g.MutualsFollowing("alice", "alice"), []string{"bob"}},
		"IntersectFollowers": {g.IntersectFollowers("bob", "carol"), []string{"alice"}},
		"IntersectFollowing": {g.IntersectFollowing("alice", "carol"), []string{"bob"}},
		"Reach":              {g.Reach("carol"), []string{"alice", "bob"}},
		"blocks":             {g.Related(client.Blocks, "alice"), []string{"dan"}},
		"blockers":           {g.Related(client.Blockers, "dan"), []string{"alice"}},
		"mutes":              {g.Related(client.Mutes, "bob"), []string{"carol"}},
		"muters":             {g.Related(client.Muters, "carol"), []string{"bob"}},
		"members":            {g.Related(client.Members, "friends"), []string{"dan"}},
		"lists":              {g.Related(client.Lists, "dan"), []string{"friends"}},
	} {
		check(t, what, all(t, what, c.of.All(ctx)), nil, c.want)
		n, err := c.of.Count(ctx)
		check(t, what+" counted", n, err, len(c.want))
		page, err := c.of.Page(ctx, client.Page{Limit: 1})
		check(t, what+" of the first page", page.Accounts, err, c.want[:1])
		if len(c.want) > 1 {
			page, err = c.of.Page(ctx, client.Page{Limit: 1, Cursor: page.Cursor})
			check(t, what+" of the second page", page.Accounts, err, c.want[1:2])
		}
	}
	follows, err := g.Follows(ctx, "alice", "bob")
	check(t, "Follows", follows, err, true)
	edges, err := g.Edges(ctx, api.EdgesRequest{Account: "alice", Targets: []string{"bob"}})
	if e, ok := errors.AsType[*client.Error](err); !ok || e.Code != api.CodeInvalidRequest {
		t.Errorf("Edges of a graph without keys: got %+v, %v", edges, err)
	}
	found, err := g.Lookup(ctx, "bob", "zoe")
	check(t, "Lookup", []any{*found[0].ID, found[1].ID}, err, []any{1, nil})
	found, err = g.LookupIDs(ctx, 0)
	check(t, "LookupIDs", *found[0].Account, err, "alice")
	top, err := g.Suggestions(ctx, api.RankRequest{Account: "carol", Limit: 5})
	check(t, "Suggestions", top.Accounts[0].Account, err, "alice")
	top, err = g.Similar(ctx, api.RankRequest{Account: "carol", By: "cosine"})
	check(t, "Similar", len(top.Accounts), err, 2)
	top, err = g.Similar(ctx, api.RankRequest{Account: "carol", Count: true})
	check(t, "Similar counted", top.Count, err, 2)

	keys, err := s.Keys(ctx, "accounts", "followers(bob)", client.Page{Limit: 2})
	check(t, "Keys", keys.Keys, err, []string{"alice", "carol"})
	check(t, "AllKeys", all(t, "AllKeys", s.AllKeys(ctx, "accounts", "followers(bob)")), nil,
		[]string{"alice", "carol", "erin"})
	ids, err := s.IDs(ctx, "accounts", "followers(bob)", client.Page{Limit: 1})
	check(t, "IDs", ids.IDs, err, []uint64{0})
	n, err := s.Count(ctx, "accounts", "followers(bob)")
	check(t, "Count", n, err, 3)
	plan, err := s.Explain(ctx, "accounts", "followers(bob)")
	check(t, "Explain", bytes.Contains(plan, []byte(`"does"`)), err, true)
	n, err = s.Save(ctx, "accounts", "fans", "followers(bob)")
	check(t, "Save", n, err, 3)
	answers, err := s.Answers(ctx, api.AnswersRequest{Index: "accounts", Query: client.Text("saved(fans)"),
		Answers: []api.Question{
			{Name: "set", Answer: api.AnswerBitmap}, {Name: "many", Answer: api.AnswerCount}}})
	check(t, "Answers", *answers.Answers[1].Count, err, 3)
	if v, err := bitmap.Open(answers.Answers[0].Bitmap); err != nil || v.Len() != 3 {
		t.Errorf("the bitmap of Answers: got %v, %v", v.Len(), err)
	}
	list, err := s.Batch(ctx, "/v1/graph/followers?account=bob&count=true", "/v1/graph/followers?account=zoe")
	check(t, "Batch", string(list[0].Reply), err, `{"count":3}`)
	if e, ok := list[1].Err.(*client.Error); !ok || e.Code != api.CodeUnknownAccount || e.Status != 404 {
		t.Errorf("a call of a batch that fails: got %v", list[1].Err)
	}
	list, err = s.Batch(ctx)
	check(t, "Batch of nothing", len(list), err, 0)

	var numbers, want []uint64
	for commit, err := range s.Changes(ctx, "accounts", 0) {
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, commit.Sequence)
	}
	index, err := s.db.Index("accounts")
	if err != nil {
		t.Fatal(err)
	}
	for commit, err := range index.Changes(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, commit.Sequence)
	}
	check(t, "Changes", numbers, nil, want)
	last := numbers[len(numbers)-1]
	seen := make(chan uint64)
	following, stop := context.WithCancel(ctx)
	go func() {
		defer close(seen)
		for commit, err := range s.Client.Follow(following, "accounts", last) {
			if err != nil {
				return
			}
			seen <- commit.Sequence
		}
	}()
	for range 2 {
		sequence, err := g.Write(ctx, api.WriteRequest{Changes: []api.ChangeRequest{{Op: "set", Relation: "mutes",
			Account: "erin", Target: string(rune('a' + last))}}})
		check(t, "Follow of changes", <-seen, err, sequence)
		last = sequence
	}
	stop()
	if n, ok := <-seen; ok {
		t.Errorf("after its end Follow gave commit %d", n)
	}

	var full, more bytes.Buffer
	size, err := s.Backup(ctx, &full, nil)
	check(t, "Backup", size, err, full.Len())
	info, err := uproar.ReadBackup(&full)
	if err != nil {
		t.Fatal(err)
	}
	var head bytes.Buffer
	if err := info.WriteHead(&head); err != nil {
		t.Fatal(err)
	}
	size, err = s.Backup(ctx, &more, head.Bytes())
	check(t, "Backup since", size > 0, err, true)
	if next, err := uproar.ReadBackup(&more); err != nil || next.Base != info.ID {
		t.Errorf("Backup since: got %+v, %v, want one that goes on from %s", next, err, info.ID)
	}

	indexes(t, s)
	records(t, s)
	audiences(t, s)
	catalogs(t, s)
	tables(t, s)
	standings(t, s)
	likes(t, s)
	stats, err := s.Stats(ctx, api.StatsRequest{Index: "accounts", Kinds: true})
	check(t, "Stats", len(stats.Indexes) == 1 && stats.Indexes[0].Records > 0, err, true)
	slow, err := s.Slow(ctx)
	check(t, "Slow", slow.LeastMicros > 0, err, true)
	page, err := s.Identified(ctx, "accounts", "all", client.Page{Limit: 1})
	check(t, "Identified", len(page.Records) == 1 && page.Records[0].Key != "" && page.Cursor != "", err, true)
	check(t, "Health", 0, s.Health(ctx), 0)
	check(t, "Ready", 0, s.Ready(ctx), 0)
	mine, err := s.Cluster().Copy(ctx)
	check(t, "Copy", mine, err, api.CopyReply{})
	if _, err := s.Cluster().HandOver(ctx); err == nil {
		t.Error("HandOver of a database without copies: got no error")
	}
	if _, err := s.Cluster().Nodes(ctx); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("Nodes of a database without copies: got %v, want %v", err, client.ErrInvalid)
	}
	figures, err := s.Metrics(ctx)
	check(t, "Metrics", strings.Contains(figures, "uproar_http_requests_total"), err, true)
	document, err := s.OpenAPI(ctx)
	check(t, "OpenAPI", json.Valid([]byte(document)), err, true)
	var doc struct{ Paths map[string]any }
	text, err := os.ReadFile("../server/openapi.json")
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil || len(doc.Paths) < 30 {
		t.Fatalf("openapi.json has %d paths, %v", len(doc.Paths), err)
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		if !s.asked[path] && without[path] == "" {
			t.Errorf("%s: the client has no method for it, or this test does not ask it", path)
		}
	}
}

// without says which calls the client does without, and why.
var without = map[string]string{
	"/v1/audience/compare": "Report does it, with a query as JSON",
}

// audiences asks the calls about audiences.
func audiences(t *testing.T, s *site) {
	t.Helper()
	ctx := t.Context()
	people, err := s.db.CreateIndex(ctx, "people", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "likes", Type: uproar.Set})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Set("city", "a", "Oslo")
	b.Set("city", "b", "Rome")
	b.Set("city", "c", "Oslo")
	b.Set("likes", "a", "tea")
	b.Set("likes", "b", "tea")
	b.Set("likes", "c", "cake")
	if _, err := people.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	a := s.Audience("people", "city = Oslo")
	size, err := a.Size(ctx)
	check(t, "Size", []uint64{size.Records, size.Of}, err, []uint64{2, 3})
	words, err := a.Words(ctx, api.WordsRequest{Field: "likes", Limit: 5, Least: 1})
	check(t, "Words", len(words.Common), err, 2)
	values, err := a.Values(ctx, api.ValuesRequest{Field: "likes", By: "lift"})
	check(t, "Values", values.Values[0].Key, err, "cake")
	spread, err := a.Demographics(ctx, api.DemographicsRequest{Fields: []string{"likes"},
		Crosses: [][]string{{"likes", "city"}}})
	check(t, "Demographics", []int{len(spread.Fields), len(spread.Crosses)}, err, []int{1, 1})
	differs, err := a.Compare(ctx, api.CompareRequest{With: client.Text("likes = tea"), Fields: []string{"likes"}})
	check(t, "Compare", differs.Both, err, 1)
	matrix, err := s.Overlap(ctx, "people", "city = Oslo", "likes = tea")
	check(t, "Overlap", matrix, err, [][]int{{2, 1}, {1, 2}})
	n, err := a.Save(ctx, "oslo", true)
	check(t, "Save of an audience", n, err, 2)
	saved, err := s.SavedAudiences(ctx, "people")
	check(t, "SavedAudiences", saved[0].Name, err, "oslo")
	fields, err := s.Fields(ctx, "people")
	check(t, "Fields", []string{fields[0].Name, fields[1].Type}, err, []string{"city", "set"})
	_, err = s.ChangeFields(ctx, api.FieldsRequest{Index: "people", Drop: []string{"city"}})
	check(t, "ChangeFields of one that an audience needs", errors.Is(err, client.ErrInvalid), nil, true)
	check(t, "ForgetAudience", 0, s.ForgetAudience(ctx, "people", "oslo"), 0)
	fields, err = s.ChangeFields(ctx, api.FieldsRequest{Index: "people", Drop: []string{"city"},
		Add: []api.Field{{Name: "age", Type: "integer"}}})
	check(t, "ChangeFields", []string{fields[0].Name, fields[1].Name}, err, []string{"likes", "age"})
}
