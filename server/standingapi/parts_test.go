// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standingapi_test

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// crowded is a site whose query "quiet" has one event, behind many of the query "busy".
func crowded(t *testing.T) (s *site, params url.Values) {
	t.Helper()
	s = newSite(t)
	s.set("busy", "country != ch")
	s.set("quiet", "country = ch")
	var keys []string
	for i := range 10_000 {
		keys = append(keys, fmt.Sprint("p", i))
	}
	for i := range 5 {
		s.write([]string{"de", "fr"}[i%2], keys...)
		if i == 0 {
			s.events("busy", 0, 1) // from here on there is history
		}
		var b uproar.Batch
		for _, key := range keys {
			b.DeleteRecord(key)
		}
		_, err := s.people.Write(t.Context(), &b)
		must(t, err)
	}
	s.write("ch", "ann")
	s.events("quiet", 0, 1)
	return s, url.Values{"index": {"people"}, "name": {"quiet"}, "after": {"0"}}
}

// within asks for events, with a time for it.
func (s *site) within(limit time.Duration, params url.Values, h headers) (call.Reply, error) {
	i := slices.IndexFunc(s.endpoints, func(e call.Endpoint) bool { return e.Path == "/v1/standing/events" })
	ctx, stop := context.WithTimeout(s.t.Context(), limit)
	defer stop()
	return s.endpoints[i].Handle(ctx, call.Request{Method: "GET", Path: "/v1/standing/events", Query: params.Encode(),
		Transport: h})
}

// shrinking is times from ample to none, again and again: a busy machine wastes some of them.
func shrinking(yield func(time.Duration) bool) {
	for range 50 {
		for limit := 2 * time.Second; limit > time.Microsecond; limit = limit * 2 / 3 {
			if !yield(limit) {
				return
			}
		}
	}
}

// part returns the first reply that does not reach the event of the query "quiet", but gets on.
func part(t *testing.T, s *site, params url.Values) api.StandingEventsReply {
	t.Helper()
	var err error
	for limit := range shrinking {
		var r call.Reply
		if r, err = s.within(limit, params, headers{}); err != nil {
			continue
		}
		if reply := r.(api.StandingEventsReply); reply.More && reply.Last > 0 {
			if len(reply.Events) > 0 {
				t.Fatalf("got %+v, want no event yet", reply)
			}
			return reply
		}
	}
	t.Fatalf("got no part of the events in any time, in the end %v", err)
	return api.StandingEventsReply{}
}

// TestPartsInTime: a request whose time does not suffice for the events of others replies how far
// it came, and the next one gets on from there.
func TestPartsInTime(t *testing.T) {
	s, params := crowded(t)
	reply := part(t, s, params)
	events, _ := s.events("quiet", reply.Last, 1)
	if len(events) != 1 || !slices.Equal(events[0].Entered, []string{"ann"}) {
		t.Errorf("behind %d: got %+v, want ann to enter", reply.Last, events)
	}
}

// TestPartsOfStream: a stream that begins with a part tells its position, and goes on with the
// rest.
func TestPartsOfStream(t *testing.T) {
	s, params := crowded(t)
	for limit := range shrinking {
		r, err := s.within(limit, params, headers{"Accept": call.ContentEvents})
		if err != nil {
			continue
		}
		stream := r.(call.Streamed).Stream
		lines, ids := bufio.NewReader(stream), 0
		for {
			line, err := lines.ReadString('\n')
			must(t, err)
			if strings.HasPrefix(line, "id: ") {
				ids++
			}
			if strings.HasPrefix(line, "data: ") {
				if !strings.Contains(line, `"entered":["ann"]`) {
					t.Errorf("got %s, want ann to enter", line)
				}
				break
			}
		}
		must(t, stream.Close())
		if ids > 1 { // that of the part, and that of the event
			return
		}
	}
	t.Fatal("got no part of the events in any time")
}

// TestSetRepliesWithOne: whoever sets or drops a query is told of that one.
func TestSetRepliesWithOne(t *testing.T) {
	s := newSite(t)
	s.set("swiss", "country = ch")
	r, err := s.ask("/v1/standing/set", `{"index":"people","name":"german","q":"country = de"}`, nil, headers{})
	must(t, err)
	got := r.(api.StandingReply).Queries
	if len(got) != 1 || got[0].Name != "german" || got[0].Query != "country = de" {
		t.Errorf("set: got %+v, want german alone", got)
	}
	r, err = s.ask("/v1/standing/drop", `{"index":"people","name":"german"}`, nil, headers{})
	must(t, err)
	if got = r.(api.StandingReply).Queries; got == nil || len(got) != 0 {
		t.Errorf("drop: got %+v, want an empty list", got)
	}
}
