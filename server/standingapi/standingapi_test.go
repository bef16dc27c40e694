// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standingapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/standing"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/standingapi"
	"github.com/uproar-db/uproar/store/memstore"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// site is handlers over the index people, with a keeper.
type site struct {
	t         *testing.T
	db        *uproar.DB
	people    *uproar.Index
	endpoints []call.Endpoint
}

func newSite(t *testing.T) *site {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	people, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "country", Type: uproar.Single},
		uproar.Field{Name: "tag", Type: uproar.Set})
	must(t, err)
	ctx, stop := context.WithCancel(context.Background())
	var keeper sync.WaitGroup
	keeper.Go(func() { standing.Keep(ctx, db, slog.New(slog.DiscardHandler)) })
	t.Cleanup(func() { stop(); keeper.Wait(); must(t, db.Close()) })
	return &site{t, db, people, standingapi.New(db).Endpoints()}
}

// write gives people a country.
func (s *site) write(country string, people ...string) uint64 {
	s.t.Helper()
	var b uproar.Batch
	for _, key := range people {
		b.Set("country", key, country)
	}
	sequence, err := s.people.Write(s.t.Context(), &b)
	must(s.t, err)
	return sequence
}

// headers are those of a request.
type headers map[string]string

func (h headers) Read([]byte) (int, error)          { return 0, fmt.Errorf("no body") }
func (h headers) ReadUntil(time.Time)               {}
func (h headers) Remote() string                    { return "" }
func (h headers) Header(name string) string         { return h[name] }
func (h headers) Has(name string) bool              { return h[name] != "" }
func (h headers) Fields() iter.Seq2[string, string] { return maps.All(h) }

// ask makes a call: a body is posted, and parameters are got.
func (s *site) ask(path, body string, params url.Values, h headers) (call.Reply, error) {
	s.t.Helper()
	i := slices.IndexFunc(s.endpoints, func(e call.Endpoint) bool { return e.Path == path })
	if i < 0 {
		s.t.Fatalf("no endpoint %s in %v", path, s.endpoints)
	}
	r := call.Request{Method: s.endpoints[i].Method, Path: path, Query: params.Encode(), Body: []byte(body),
		ContentType: "application/json", Length: int64(len(body)), Transport: h}
	return s.endpoints[i].Handle(s.t.Context(), r)
}

// set makes a query stand.
func (s *site) set(name, q string) {
	s.t.Helper()
	_, err := s.ask("/v1/standing/set", fmt.Sprintf(`{"index":"people","name":%q,"q":%q}`, name, q), nil, headers{})
	must(s.t, err)
}

// events reads events, until there are as many as wanted.
func (s *site) events(name string, after uint64, want int) (events []api.StandingEvent, last uint64) {
	s.t.Helper()
	for until := time.Now().Add(time.Minute); len(events) < want; {
		if time.Now().After(until) {
			s.t.Fatalf("got %d events after a minute, want %d: %+v", len(events), want, events)
		}
		r, err := s.ask("/v1/standing/events", "", url.Values{"index": {"people"}, "name": {name},
			"after": {fmt.Sprint(after)}, "wait": {"5s"}, "limit": {"2"}}, headers{})
		must(s.t, err)
		reply := r.(api.StandingEventsReply)
		if len(reply.Events) > 2 {
			s.t.Fatalf("got %d events, want two at most", len(reply.Events))
		}
		events, after = append(events, reply.Events...), reply.Last
	}
	return events, after
}

// TestEventsByPosition: whoever goes on from the position of any event gets those behind it, each
// once, whatever the limit.
func TestEventsByPosition(t *testing.T) {
	s := newSite(t)
	s.set("swiss", "country = ch")
	s.write("ch", "first")
	all, last := s.events("swiss", 0, 1)
	var want []string
	for i := range 7 {
		key := fmt.Sprint("p", i)
		want = append(want, fmt.Sprintf("%d [%s] []", s.write("ch", key), key))
	}
	want = append(want, fmt.Sprintf("%d [] [p1 p2]", s.write("de", "p1", "p2")))
	text := func(e api.StandingEvent) string {
		slices.Sort(e.Left)
		return fmt.Sprint(e.AsOf, e.Entered, e.Left)
	}
	more, last := s.events("swiss", last, len(want))
	all = append(all, more...)
	for i, e := range more {
		if text(e) != want[i] {
			t.Errorf("event %d: got %s, want %s", i, text(e), want[i])
		}
	}
	for i, e := range all {
		behind, at := s.events("swiss", e.Position, len(all)-i-1)
		for j, b := range behind {
			if text(b) != text(all[i+1+j]) {
				t.Errorf("behind %d: got %+v, want %+v", e.Position, b, all[i+1+j])
			}
		}
		if i+1 < len(all) && at != last {
			t.Errorf("behind %d: got last %d, want %d", e.Position, at, last)
		}
	}
}

// TestAsOfWithoutACommit: a query that is replaced while nothing is written says of which commit
// its records are all the same.
func TestAsOfWithoutACommit(t *testing.T) {
	s := newSite(t)
	asOf := s.write("ch", "ann", "bob")
	s.write("de", "cid")
	asOf++
	s.set("some", "country = ch")
	events, last := s.events("some", 0, 1)
	s.set("some", "country = de")
	more, _ := s.events("some", last, 1)
	if events[0].AsOf != asOf || more[0].AsOf != asOf || len(more[0].Left) != 2 || len(more[0].Entered) != 1 {
		t.Errorf("got %+v and %+v, want both as of %d", events, more, asOf)
	}
}

// TestErrorEvents: a query that cannot be asked says why in its words, in the list and as an event,
// which is whole.
func TestErrorEvents(t *testing.T) {
	s := newSite(t)
	var b uproar.Batch
	b.Set("tag", "ann", "tea")
	asOf, err := s.people.Write(t.Context(), &b)
	must(t, err)
	s.set("tea", "tag = tea")
	_, last := s.events("tea", 0, 1)
	must(t, s.db.DropField(t.Context(), "people", "tag"))
	s.write("ch", "bob")
	events, _ := s.events("tea", last, 1)
	const why = `unknown field "tag"`
	if e := events[0]; e.Error != why || len(e.Entered)+len(e.Left) > 0 || e.AsOf != asOf {
		t.Errorf("got %+v, want error %s alone, as of %d", e, why, asOf)
	}
	r, err := s.ask("/v1/standing", "", url.Values{"index": {"people"}}, headers{})
	must(t, err)
	if q := r.(api.StandingReply).Queries[0]; q.Error != why || q.Records != 1 || q.AsOf != asOf {
		t.Errorf("listed: got %+v, want one record as of %d, and %s", q, asOf, why)
	}
}

// TestStream: a stream goes on behind the last event that its reader has seen.
func TestStream(t *testing.T) {
	s := newSite(t)
	s.set("swiss", "country = ch")
	s.write("ch", "ann")
	first, last := s.events("swiss", 0, 1)
	s.write("ch", "bob")
	s.events("swiss", last, 1)
	r, err := s.ask("/v1/standing/events", "", url.Values{"index": {"people"}, "name": {"swiss"}, "after": {"0"}},
		headers{"Accept": call.ContentEvents, "Last-Event-ID": fmt.Sprint(first[0].Position)})
	must(t, err)
	stream := r.(call.Streamed)
	defer func() { must(t, stream.Stream.Close()) }()
	lines := bufio.NewReader(stream.Stream)
	next := func() (e api.StandingEvent) {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			must(t, err)
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				must(t, json.Unmarshal([]byte(data), &e))
				return e
			}
		}
	}
	if e := next(); !slices.Equal(e.Entered, []string{"bob"}) {
		t.Errorf("behind the first: got %+v, want bob to enter", e)
	}
	asOf := s.write("fr", "ann")
	if e := next(); e.AsOf != asOf || !slices.Equal(e.Left, []string{"ann"}) {
		t.Errorf("got %+v, want ann to leave as of %d", e, asOf)
	}
}

// TestRefusedCalls: what is missing, unknown or no query is an error with its code, and nothing is
// set.
func TestRefusedCalls(t *testing.T) {
	s := newSite(t)
	s.set("swiss", "country = ch")
	of := func(pairs ...string) url.Values {
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v
	}
	for _, c := range []struct {
		path, body string
		params     url.Values
		h          headers
		code       api.Code
	}{
		{"/v1/standing", "", of(), nil, api.CodeInvalidRequest},
		{"/v1/standing", "", of("index", "none"), nil, api.CodeUnknownIndex},
		{"/v1/standing/set", `{"index":"people","name":"x"}`, nil, nil, api.CodeInvalidRequest},
		{"/v1/standing/set", `{"index":"people","q":"all"}`, nil, nil, api.CodeInvalidRequest},
		{"/v1/standing/set", `{"index":"people","name":"a/b","q":"all"}`, nil, nil, api.CodeInvalidRequest},
		{"/v1/standing/set", `{"index":"none","name":"x","q":"all"}`, nil, nil, api.CodeUnknownIndex},
		{"/v1/standing/set", `{"index":"people","name":"x","q":"colour = red"}`, nil, nil, api.CodeUnknownField},
		{"/v1/standing/set", `{"index":"people","name":"x","q":"and"}`, nil, nil, api.CodeInvalidQuery},
		{"/v1/standing/set", `{"index":"people","name":"x","q":"saved(nobody)"}`, nil, nil, api.CodeUnknownSet},
		{"/v1/standing/set", `{"index":"standing_people","name":"x","q":"all"}`, nil, nil, api.CodeInvalidRequest},
		{"/v1/standing/drop", `{"index":"people","name":"x"}`, nil, nil, api.CodeUnknownSet},
		{"/v1/standing/drop", `{"index":"people"}`, nil, nil, api.CodeInvalidRequest},
		{"/v1/standing/events", "", of("index", "people", "name", "x", "after", "0"), nil, api.CodeUnknownSet},
		{"/v1/standing/events", "", of("index", "people", "name", "swiss"), nil, api.CodeInvalidRequest},
		{"/v1/standing/events", "", of("index", "people", "name", "swiss", "after", "99999"), nil,
			api.CodeInvalidRequest},
		{"/v1/standing/events", "", of("index", "people", "name", "swiss", "after", "0"),
			headers{"Accept": call.ContentEvents, "Last-Event-ID": "x"}, api.CodeInvalidRequest},
	} {
		_, err := s.ask(c.path, c.body, c.params, c.h)
		if err == nil || call.Failure(err).Code != c.code {
			t.Errorf("%s %s %v: got %v, want %s", c.path, c.body, c.params, err, c.code)
		}
	}
	r, err := s.ask("/v1/standing", "", of("index", "people"), headers{})
	must(t, err)
	if got := r.(api.StandingReply).Queries; len(got) != 1 || got[0].Name != "swiss" || got[0].Query != "country = ch" {
		t.Errorf("in the end: got %+v, want swiss alone", got)
	}
}
