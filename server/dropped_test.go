// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server/resp/keyspace"
)

// TestFollowersOfADroppedIndex: who follows an index by its name is told when it is dropped, and
// when it is made again, as an event, while it waits and when it comes again.
func TestFollowersOfADroppedIndex(t *testing.T) {
	s := newSite(t, nil)
	addr, _, _ := serve(t, s)
	ok := func(path, body string) {
		t.Helper()
		if resp, text := s.do("POST", path, body); resp.StatusCode != 200 {
			t.Fatalf("%s %s: got %d %s", path, body, resp.StatusCode, text)
		}
	}
	create := `{"index":"people","fields":[{"name":"city","type":"single"}]}`
	write := func(key string) {
		t.Helper()
		ok("/v1/records/write", fmt.Sprintf(`{"index":"people","puts":[{"key":%q,"values":{"city":"Bern"}}]}`, key))
	}
	url := "http://" + addr + "/v1/changes?index=people&after="
	poll := func(after string) (answer chan string) {
		answer = make(chan string, 1)
		go func() {
			resp, err := http.Get(url + after)
			if err != nil {
				answer <- err.Error()
				return
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			answer <- fmt.Sprint(resp.StatusCode, " ", string(text))
		}()
		return answer
	}
	ok("/v1/indexes/create", create)
	write("ann")
	_, next := s.events(url+"1", "")
	waits := poll("1&wait=20s")
	time.Sleep(200 * time.Millisecond) // so that both wait
	ok("/v1/indexes/drop", `{"index":"people"}`)
	for what, got := range map[string]string{"who waits": <-waits, "who comes": <-poll("1")} {
		if !strings.HasPrefix(got, "404 ") || !strings.Contains(got, "unknown_index") {
			t.Errorf("%s: got %s, want it told that the index is gone", what, got)
		}
	}
	if event, err := next(); err != nil || len(event) != 2 || event[0] != "event: error" ||
		!strings.Contains(event[1], "unknown_index") {
		t.Errorf("a stream: got %q, %v, want it told that the index is gone", event, err)
	}
	ok("/v1/indexes/create", create)
	for i := range 3 { // as many as there were, and more
		write(fmt.Sprint("bob", i))
	}
	if got := <-poll("1"); !strings.HasPrefix(got, "410 ") || !strings.Contains(got, "sequence_trimmed") {
		t.Errorf("behind a commit of the dropped index: got %s, want it told to begin anew", got)
	}
	if resp, _ := s.events(url+"1", "1"); resp.StatusCode != 410 {
		t.Errorf("a stream behind a commit of the dropped index: got %s, want 410", resp.Status)
	}
	if got := <-poll("0"); !strings.HasPrefix(got, "200 ") || strings.Count(got, `"sequence"`) != 3 {
		t.Errorf("from the first: got %s, want three commits", got)
	}
	if got := <-poll("99"); !strings.Contains(got, "410 ") {
		t.Errorf("behind a commit that was in neither: got %s", got)
	}
	// An alias that moves while a stream waits.
	ok("/v1/indexes/alias", `{"alias":"now","index":"people"}`)
	ok("/v1/indexes/create", strings.Replace(create, "people", "others", 1))
	waits = poll(fmt.Sprint(1_000_003, "&wait=500ms"))
	ok("/v1/indexes/alias", `{"alias":"now","index":"others"}`)
	if got := <-waits; !strings.HasPrefix(got, `200 {"commits":[]`) {
		t.Errorf("by its own name: got %s, want no commit", got)
	}
	url = "http://" + addr + "/v1/changes?index=now&after="
	if got := <-poll("1000003"); !strings.HasPrefix(got, "410 ") {
		t.Errorf("an alias that has moved: got %s, want it told", got)
	}
}

// TestFieldsOfRedisAreNeeded: the fields that the sets of Redis' clients are in are not dropped;
// others of the index are, and the whole index.
func TestFieldsOfRedisAreNeeded(t *testing.T) {
	s := newSite(t, nil)
	space, err := keyspace.Open(t.Context(), s.db, "redis", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	space.Close()
	ix, err := s.db.Index("redis")
	if err != nil {
		t.Fatal(err)
	}
	own := ix.Fields()
	if len(own) == 0 {
		t.Fatal("got no fields of its own")
	}
	if resp, text := s.do("POST", "/v1/fields",
		`{"index":"redis","add":[{"name":"country","type":"single"}]}`); resp.StatusCode != 200 {
		t.Fatal(text)
	}
	for _, f := range own {
		resp, text := s.do("POST", "/v1/fields", fmt.Sprintf(`{"index":"redis","drop":[%q]}`, f.Name))
		if resp.StatusCode != 400 || !strings.Contains(text, "Redis") {
			t.Errorf("dropping %s: got %d %s, want it refused", f.Name, resp.StatusCode, text)
		}
	}
	for path, body := range map[string]string{"/v1/fields": `{"index":"redis","drop":["country"]}`} {
		if resp, text := s.do("POST", path, body); resp.StatusCode != 200 {
			t.Errorf("%s %s: got %d %s", path, body, resp.StatusCode, text)
		}
	}
	if resp, text := s.do("POST", "/v1/indexes/drop", `{"index":"redis"}`); resp.StatusCode != 200 {
		t.Errorf("dropping the index: got %d %s", resp.StatusCode, text)
	}
}
