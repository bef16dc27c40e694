// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// TestStandingQuery: who enters and leaves a query is told as events, to a stream and to one who
// asks again and again, each once.
func TestStandingQuery(t *testing.T) {
	s := newSite(t, nil)
	follow := func(account string) {
		t.Helper()
		if _, err := s.graph.Follow(t.Context(), graph.Follow{Account: account, Target: "star"}); err != nil {
			t.Fatal(err)
		}
	}
	follow("a")
	s.check("GET", "/v1/standing?index=accounts", "", 200, `{"queries":[]}`)
	set := `{"index":"accounts","name":"fans","q":"follows = star and not mutes(star)"}`
	resp, body := s.do("POST", "/v1/standing/set", set)
	if resp.StatusCode != 200 || !strings.Contains(body, `"name":"fans"`) {
		t.Fatalf("got %s %s", resp.Status, body)
	}
	_, next := s.events(s.url+"/v1/standing/events?index=accounts&name=fans&after=0", "")
	want := func(as, entered, left string) {
		t.Helper()
		event, err := next()
		if err != nil || len(event) != 3 || event[1] != "event: change" ||
			!strings.HasSuffix(event[2], fmt.Sprintf(`,"entered":[%s],"left":[%s]}`, entered, left)) ||
			as != "" && !strings.Contains(event[2], `"as_of":`+as+",") {
			t.Fatalf("got %q, %v, want as of %s %s to enter and %s to leave", event, err, as, entered, left)
		}
	}
	want("", `"a"`, ``)
	follow("b")
	want("2", `"b"`, ``)
	s.write("delete a", "")
	want("3", ``, `"a"`)
	if _, err := s.graph.Unfollow(t.Context(), graph.Follow{Account: "b", Target: "star"}); err != nil {
		t.Fatal(err)
	}
	want("4", ``, `"b"`)
	_, body = s.do("GET", "/v1/standing/events?index=accounts&name=fans&after=0&limit=2", "")
	if !strings.Contains(body, `"entered":["a"],"left":[]},{`) ||
		!strings.Contains(body, `"entered":["b"],"left":[]}],"more":true,"last":`) {
		t.Errorf("the first two events: got %s", body)
	}
	last := body[strings.LastIndex(body, ":")+1 : len(body)-2]
	_, body = s.do("GET", "/v1/standing/events?index=accounts&name=fans&after="+last+"&wait=5s", "")
	if !strings.Contains(body, `"left":["a"]},{`) || !strings.Contains(body, `"left":["b"]}],"last":`) {
		t.Errorf("behind position %s: got %s", last, body)
	}
	last = body[strings.LastIndex(body, ":")+1 : len(body)-2]
	s.check("GET", "/v1/standing/events?index=accounts&name=fans&after="+last+"&wait=1ms", "", 200,
		`{"events":[],"last":`+last+`}`)
	for _, c := range []struct{ method, path, body, code string }{
		{"GET", "/v1/standing/events?index=accounts&name=none&after=0", "", "unknown_set"},
		{"GET", "/v1/standing/events?index=accounts&name=fans&after=x", "", "invalid_request"},
		{"GET", "/v1/standing/events?index=accounts&name=fans&after=0&wait=2h", "", "invalid_request"},
		{"GET", "/v1/standing?index=none", "", "unknown_index"},
		{"POST", "/v1/standing/set", `{"index":"accounts","name":"x","q":"follows ="}`, "invalid_query"},
		{"POST", "/v1/standing/set", `{"index":"accounts","name":"x","q":"colour = red"}`, "unknown_field"},
		{"POST", "/v1/standing/set", `{"index":"accounts","name":"x"}`, "invalid_request"},
		{"POST", "/v1/standing/drop", `{"index":"accounts","name":"x"}`, "unknown_set"},
		{"POST", "/v1/records/write", `{"index":"standing_accounts","deletes":["a"]}`, "invalid_request"},
		{"POST", "/v1/indexes/drop", `{"index":"standing"}`, "invalid_request"},
	} {
		if _, body := s.do(c.method, c.path, c.body); !strings.Contains(body, `"code":"`+c.code+`"`) {
			t.Errorf("%s %s %s: got %s, want %s", c.method, c.path, c.body, body, c.code)
		}
	}
	follow("c")
	want("5", `"c"`, ``)
	s.check("POST", "/v1/standing/drop", `{"index":"accounts","name":"fans"}`, 200, `{"queries":[]}`)
	want("", ``, `"c"`)
}
