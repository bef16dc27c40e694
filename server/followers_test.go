// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// patient returns a client of a copy that reads its own writes, and tries for long.
func (c *server3) patient(t *testing.T) *client.Client {
	t.Helper()
	asked, err := client.New(c.url, &client.Options{ReadYourWrites: true, Retries: 40})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(asked.Close)
	return asked
}

// TestSchemaReachesFollowers: new and dropped indexes and fields are on a copy that follows as soon
// as it has come so far, and so are fields of the same name and another type.
func TestSchemaReachesFollowers(t *testing.T) {
	copies := serveCopies(t, 2, steady)
	c := copies[1].patient(t) // which writes at the other copy
	ctx, people := t.Context(), c.Indexes()
	if _, err := people.Create(ctx, "people", api.Field{Name: "likes", Type: "set"}); err != nil {
		t.Fatal(err)
	}
	change := func(drop string, add ...api.Field) {
		t.Helper()
		req := api.FieldsRequest{Index: "people", Add: add}
		if drop != "" {
			req.Drop = []string{drop}
		}
		if _, err := c.ChangeFields(ctx, req); err != nil {
			t.Fatal(err)
		}
	}
	want := func(q string, count uint64, failure error) {
		t.Helper()
		if got, err := c.Count(ctx, "people", q); got != count || !errors.Is(err, failure) {
			t.Errorf("%s: got %d, %v, want %d, %v", q, got, err, count, failure)
		}
	}
	want("all", 0, nil)
	change("", api.Field{Name: "age", Type: "integer"})
	if _, err := c.WriteRecords(ctx, api.RecordsWriteRequest{Index: "people", Puts: []api.Record{{Key: "ann",
		Values: api.Values{"likes": []byte(`["tea"]`), "age": []byte("30")}}}}); err != nil {
		t.Fatal(err)
	}
	want("likes = tea and age > 20", 1, nil)
	change("age")
	want("age > 20", 0, client.ErrUnknownField)
	change("", api.Field{Name: "age", Type: "set"})
	want(`age = "30"`, 0, nil)
	want("likes = tea", 1, nil)
	if err := people.Drop(ctx, "people"); err != nil {
		t.Fatal(err)
	}
	want("all", 0, client.ErrUnknownIndex)
	if _, err := people.Create(ctx, "people", api.Field{Name: "likes", Type: "single"}); err != nil {
		t.Fatal(err)
	}
	want("all", 0, nil)
	for range 2 { // of a graph that is made anew
		if _, err := c.Graph().Follow(ctx, api.Follow{Account: "a", Target: "b"}); err != nil {
			t.Fatal(err)
		}
		if follows, err := c.Graph().Follows(ctx, "a", "b"); !follows || err != nil {
			t.Errorf("a follow, asked of the copy that follows: got %v, %v", follows, err)
		}
		if err := copies[0].db.DropIndex(ctx, "accounts"); err != nil { // as another program may
			t.Fatal(err)
		}
		waitFor(t, "the graph to be dropped", func() bool {
			_, err := c.Graph().Follows(ctx, "a", "b")
			return errors.Is(err, client.ErrUnknownIndex)
		})
	}
	if !copies[0].store.Status().Leads || copies[1].store.Status().Takeovers > 0 {
		t.Error("the copy that was asked has led")
	}
}

// streamed reads the events of a stream into a list, until the test ends.
type streamed struct {
	mu   sync.Mutex
	list []string // the IDs
}

func (s *streamed) has() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// listen opens a stream of events of a copy.
func (c *server3) listen(t *testing.T, path string) *streamed {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", c.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := new(http.Transport).RoundTrip(req)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: got %v, %v", path, resp, err)
	}
	s := new(streamed)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				s.mu.Lock()
				s.list = append(s.list, id)
				s.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() { _ = resp.Body.Close(); <-ended })
	return s
}

// TestFeedsAcrossTakeovers: streams of commits and of a standing query on each copy have each
// position once, in order, while the writer changes.
func TestFeedsAcrossTakeovers(t *testing.T) {
	copies := serveCopies(t, 3)
	c := copies[2].patient(t)
	ctx := t.Context()
	if _, err := c.Indexes().Create(ctx, "people", api.Field{Name: "likes", Type: "set"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Standing("people").Set(ctx, "tea", "likes = tea"); err != nil {
		t.Fatal(err)
	}
	var feeds, events []*streamed
	const rounds, each = 4, 10
	for round := range rounds {
		if round == 1 {
			for _, at := range copies {
				waitFor(t, "the standing query on every copy", func() bool {
					list, err := at.patient(t).Standing("people").List(ctx)
					return err == nil && len(list) == 1
				})
				feeds = append(feeds, at.listen(t, "/v1/changes?index=people&after=0"))
				events = append(events, at.listen(t, "/v1/standing/events?index=people&name=tea&after=0"))
			}
		}
		for i := range each {
			putTea(t, c, fmt.Sprintf("r%d-%d", round, i))
		}
		if round < rounds-1 {
			if _, err := leading(t, copies...).patient(t).Cluster().HandOver(ctx); err != nil &&
				!errors.Is(err, client.ErrInvalid) { // it has just let go by itself
				t.Fatal(err)
			}
		}
	}
	var commits []string
	for commit, err := range c.Changes(ctx, "people", 0) {
		if err != nil {
			t.Fatal(err)
		}
		commits = append(commits, fmt.Sprint(commit.Sequence))
	}
	if len(commits) < rounds*each {
		t.Fatalf("got %d commits, want %d at least", len(commits), rounds*each)
	}
	var positions []string
	waitFor(t, "the standing query to have all", func() bool {
		entered := 0
		positions = nil
		for event, err := range c.Standing("people").Events(ctx, "tea", 0) {
			if err != nil {
				t.Fatal(err)
			}
			positions, entered = append(positions, fmt.Sprint(event.Position)), entered+len(event.Entered)
		}
		return entered == rounds*each
	})
	for i := range copies {
		for name, s := range map[string]struct {
			got  *streamed
			want []string
		}{"commits": {feeds[i], commits}, "events": {events[i], positions}} {
			waitFor(t, fmt.Sprintf("%s at copy %d", name, i), func() bool { return len(s.got.has()) >= len(s.want) })
			if got := s.got.has(); !slices.Equal(got, s.want) {
				t.Errorf("%s at copy %d:\ngot  %v\nwant %v", name, i, got, s.want)
			}
		}
	}
}

var likesTea = api.Values{"likes": []byte(`["tea"]`)}

// putTea writes a record that likes tea.
func putTea(t *testing.T, c *client.Client, key string) {
	t.Helper()
	if _, err := c.WriteRecords(t.Context(), api.RecordsWriteRequest{Index: "people",
		Puts: []api.Record{{Key: key, Values: likesTea}}}); err != nil {
		t.Fatal(err)
	}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited 30 s for %s", what)
		}
	}
}

// TestHandOverLosesNothing hands over again and again while several write at every copy: what was
// acknowledged is on every copy, no write is lost or done twice, and none waits for heartbeats.
func TestHandOverLosesNothing(t *testing.T) {
	for _, forward := range []replica.Forward{replica.Redirect, replica.Proxy} {
		t.Run(string(forward), func(t *testing.T) { handOvers(t, forward) })
	}
}

func handOvers(t *testing.T, forward replica.Forward) {
	const heartbeat = 20 * time.Second // the test would be over before another took over by itself
	copies := serveCopies(t, 3, forwards(forward), func(_ int, _ *server.Options, s *ship.Options) {
		s.Heartbeat, s.Poll = heartbeat, 5*time.Millisecond
	})
	if _, err := copies[0].patient(t).Indexes().Create(t.Context(), "people", api.Field{Name: "likes",
		Type: "set"}); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var written []string
	longest := time.Duration(0)
	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	for w := range 4 {
		c := copies[w%3].patient(t)
		writers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				key, start := fmt.Sprintf("w%d-%d", w, n), time.Now()
				_, err := c.WriteRecords(t.Context(), api.RecordsWriteRequest{Index: "people",
					Puts: []api.Record{{Key: key, Values: likesTea}}})
				if err != nil {
					t.Errorf("writing %s: %v", key, err)
					return
				}
				mu.Lock()
				written, longest = append(written, key), max(longest, time.Since(start))
				mu.Unlock()
			}
		})
	}
	const handOvers = 5
	for range handOvers {
		time.Sleep(150 * time.Millisecond)
		if _, err := leading(t, copies...).patient(t).Cluster().HandOver(t.Context()); err != nil {
			t.Errorf("handing over: %v", err)
		}
	}
	time.Sleep(150 * time.Millisecond)
	stop()
	writers.Wait()
	t.Logf("%d writes, %d times handed over, the longest wait of a write was %v", len(written), handOvers, longest)
	if longest > heartbeat/4 { // a second on a machine that has time
		t.Errorf("a write waited %v", longest)
	}
	slices.Sort(written)
	last := fmt.Sprint(leading(t, copies...).store.Status().Object)
	takeovers := uint64(0)
	for i, at := range copies {
		takeovers += at.store.Status().Takeovers
		status, reply, _ := at.ask(t, "/v1/query", `{"index":"people","q":"likes = tea","answer":"count"}`,
			"Uproar-At-Least", last)
		if want := fmt.Sprintf(`{"count":%d}`, len(written)); status != 200 || reply != want {
			t.Errorf("copy %d has %d %s, want %s", i, status, reply, want)
		}
		var has []string
		for key, err := range at.patient(t).AllKeys(t.Context(), "people", "likes = tea") {
			if err != nil {
				t.Fatal(err)
			}
			has = append(has, key)
		}
		slices.Sort(has)
		if !slices.Equal(has, written) {
			t.Errorf("copy %d has %d records, want the %d that were acknowledged", i, len(has), len(written))
		}
	}
	if takeovers != handOvers+1 {
		t.Errorf("got %d takeovers, want %d", takeovers, handOvers+1)
	}
}

// TestCompatibleCallsOfFollowers: a copy whose log is empty starts with the calls of other servers,
// and answers that what they are about is not there yet, until it is.
func TestCompatibleCallsOfFollowers(t *testing.T) {
	log := new(shiptest.Memory)
	set := func(i int, o *server.Options, s *ship.Options) {
		o.Paths = server.Paths{GraphD: true, Prices: "prices"}
		steady(i, o, s)
	}
	reader := serveCopy(t, log, 1, set)
	asked := func(want int, text string) {
		t.Helper()
		status, reply, _ := sendTo(t, "GET", reader.url+"/followers?did="+did("b"), nil)
		if status != want || !strings.Contains(reply, text) {
			t.Errorf("followers: got %d %s, want %d %s", status, reply, want, text)
		}
	}
	searched := func(want int) {
		t.Helper()
		status, reply, _ := sendTo(t, "POST", reader.url+"/v1/search/bitmap/prices", strings.NewReader(priceBody))
		if status != want || status == 503 && !strings.Contains(reply, "not there yet") {
			t.Errorf("prices: got %d %s, want %d", status, reply, want)
		}
	}
	asked(503, "not there yet")
	searched(503)
	if status, reply, _ := sendTo(t, "GET", reader.url+"/_health", nil); status != 200 {
		t.Errorf("health: got %d %s", status, reply)
	}
	writer := serveCopy(t, log, 0, set)
	waitFor(t, "the graph that the writer makes", func() bool {
		status, _, _ := sendTo(t, "GET", reader.url+"/followers?did="+did("b"), nil)
		return status != 503
	})
	asked(404, "uid not found")
	status, reply, h := writer.ask(t, "/follow", `{"actor_did":"`+did("a")+`","target_did":"`+did("b")+`"}`)
	if status != 200 {
		t.Fatalf("a follow: got %d %s", status, reply)
	}
	waitFor(t, "the follow", func() bool { return fmt.Sprint(reader.store.Status().Object) >= h.Get(replica.Position) })
	asked(200, did("a"))
	searched(503)
	c := reader.patient(t)
	if _, err := c.Catalog("prices").Import(t.Context(), strings.NewReader(somePrices), client.CatalogImportOptions{
		Schema: strings.NewReader(fmt.Sprintf(pricesSchema, `"key": "id", `))}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Count(t.Context(), "accounts", "all"); err != nil { // it has what was written
		t.Fatal(err)
	}
	searched(200)
}
