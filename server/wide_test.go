// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/query"
)

// TestManyValues sends 100 000 values, in each form that a call has for them.
func TestManyValues(t *testing.T) {
	const many = 100_000
	s := newSite(t, nil)
	s.addCatalog("prices",
		`{"key":"id","attributes":[{"name":"article"},{"name":"day","type":"date"},{"name":"customer","rule":true},{"name":"price","type":"number","scale":2,"rule":true}]}`,
		"id,article,day,customer,price\n1,7,1970-01-02,c9,-3.50\n2,70,2026-11-26,,3.50\n3,x,1970-01-03,!c9,\n4,99998,1970-01-02,!c8|c9,..4\n")
	ix, err := s.db.CreateIndex(t.Context(), "people", uproar.Field{Name: "likes", Type: uproar.Set},
		uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "born", Type: uproar.Integer, Format: uproar.Date},
		uproar.Field{Name: "height", Type: uproar.Integer, Scale: 2},
		uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "knownBy"})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for i := range 300 {
		key := fmt.Sprint("k", i)
		b.Set("likes", key, fmt.Sprint(i*3%250))
		b.Set("city", key, strconv.Itoa(i))
		b.Set("knows", key, fmt.Sprint("k", i*7%300))
		b.SetInt("born", key, int64(i*100))
		b.SetInt("height", key, int64(100-i))
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	var texts, keys, heights []string
	var dates []string
	born := uproar.Field{Name: "born", Type: uproar.Integer, Format: uproar.Date}
	for i := range many {
		texts, keys = append(texts, strconv.Itoa(2*i)), append(keys, fmt.Sprint("k", 2*i))
		heights, dates = append(heights, fmt.Sprintf("%d.5", i-many/2)), append(dates, born.Text(int64(2*i)))
	}
	number := func(body, want string) {
		t.Helper()
		path := "/v1/query"
		if strings.Contains(body, `"answers"`) {
			path = "/v1/answers"
		}
		resp, got := s.do("POST", path, body)
		if resp.StatusCode != 200 || !strings.HasPrefix(got, want) {
			t.Errorf("%.80s: got %d %.200s, want %s", body, resp.StatusCode, got, want)
		}
	}
	for field, c := range map[string]struct {
		values []string
		count  int
	}{"likes": {texts, 150}, "city": {texts, 150}, "born": {dates, 300}, "height": {heights, 2}, "knows": {keys, 150},
		"knownBy": {keys, 150}} {
		e := query.Field(field).In(c.values...)
		text, _ := json.Marshal(e.String())
		number(fmt.Sprintf(`{"index":"people","q":%s,"answer":"count"}`, text), fmt.Sprintf(`{"count":%d`, c.count))
		object, _ := json.Marshal(e)
		for _, q := range [][]byte{text, object} {
			number(fmt.Sprintf(`{"index":"people","q":%s,"answers":[{"name":"n","answer":"count"}]}`, q),
				fmt.Sprintf(`{"records":%d,`, c.count))
		}
		number(fmt.Sprintf(`{"index":"people","q":"not %s","answer":"count"}`, text[1:len(text)-1]),
			fmt.Sprintf(`{"count":%d`, 300-c.count))
	}
	through, _ := json.Marshal(query.Field("knows").Of(query.Field("knownBy").In(keys...)))
	number(fmt.Sprintf(`{"index":"people","q":%s,"answers":[{"name":"n","answer":"count"}]}`, through),
		`{"records":150,`)

	for _, c := range []struct{ where, want string }{
		{fmt.Sprintf(`{"article":{"in":%s}}`, list(texts)), `"found":"several"`},
		{fmt.Sprintf(`{"article":{"in":%s},"day":{"in":%s}}`, list(texts), list(dates)), `"found":"nothing"`},
		{fmt.Sprintf(`{"day":{"in":%s}}`, list(dates)), `"records":[{"key":"3"`},
		{fmt.Sprintf(`{"article":{"not":%s}}`, list(texts)), `"found":"several"`},
		{fmt.Sprintf(`{"customer":{"in":%s}}`, list(append([]string{"c9"}, texts[:many/4]...))),
			`"found":"several","records":[{"key":"1"},{"key":"3"},{"key":"4"}]`},
		{fmt.Sprintf(`{"price":{"in":%s}}`, list(heights[:many/4])), `"found":"one"`},
	} {
		resp, got := s.do("POST", "/v1/catalog/search", `{"catalog":"prices","searches":[`+c.where+`]}`)
		if resp.StatusCode != 200 || !strings.Contains(got, c.want) {
			t.Errorf("%.80s: got %d %.300s, want %s", c.where, resp.StatusCode, got, c.want)
		}
	}
}

func list(values []string) string {
	text, _ := json.Marshal(values)
	return string(text)
}

// TestUnknown names in the reply what the query names and is not there.
func TestUnknown(t *testing.T) {
	s := newSite(t, nil)
	s.follow(seed)
	ask := func(q, rest, want string) {
		t.Helper()
		s.check("POST", "/v1/query", fmt.Sprintf(`{"index":"accounts","q":%q%s}`, q, rest), 200, want)
	}
	ask("follows(zoe)", "", `{"keys":[],"unknown":["follows(zoe)"]}`)
	ask("follows in (bob, zoe)", `,"limit":2`, `{"keys":["alice","carol"],"cursor":`+cursorOf(t, s,
		"follows in (bob, zoe)", 2)+`,"unknown":["follows = zoe"]}`)
	ask("not follows = zoe", `,"answer":"count"`, `{"count":5,"unknown":["follows = zoe"]}`)
	ask("follows(zoe) and follows(alice)", `,"answer":"count"`, `{"count":0,"unknown":["follows(zoe)"]}`)
	ask("followers(zoe) or blocks(bob)", `,"answer":"ids"`, `{"ids":[],"unknown":["followers(zoe)"]}`)
	ask("follows(alice)", `,"answer":"count"`, `{"count":3}`)
	s.check("POST", "/v1/answers",
		`{"index":"accounts","q":{"field":"follows","in":["zoe","yan"]},"answers":[{"name":"n","answer":"count"}]}`,
		200,
		`{"records":0,"answers":[{"name":"n","count":0}],"unknown":["follows = zoe","follows = yan"]}`)
	s.check("POST", "/v1/save", `{"index":"accounts","name":"x","q":"follows(zoe)"}`, 200,
		`{"count":0,"unknown":["follows(zoe)"]}`)
	if resp, text := s.do("GET", "/v1/query?index=accounts&q=follows(zoe)&answer=explain",
		""); resp.StatusCode != 200 || !strings.HasSuffix(text, `,"unknown":["follows(zoe)"]}`+"\n") {
		t.Errorf("explain: got %d %s", resp.StatusCode, text)
	}
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprint(i, strings.Repeat("é", 300)))
	}
	_, text := s.do("POST", "/v1/query", fmt.Sprintf(`{"index":"accounts","q":%q}`,
		query.Field("follows").In(names...)))
	var reply api.KeysReply
	if err := json.Unmarshal([]byte(text), &reply); err != nil || len(reply.Unknown) != api.MaxUnknown {
		t.Fatalf("got %d unknown, %v, want %d", len(reply.Unknown), err, api.MaxUnknown)
	}
	if u := reply.Unknown[1]; !strings.HasPrefix(u, `follows = 1é`) || !strings.HasSuffix(u, "é…") ||
		len(u) > api.MaxUnknownText+3 {
		t.Errorf("got %q, want it cut", u)
	}
	// Calls about an account that they name are about one that exists.
	for _, path := range []string{"followers?account=zoe", "intersect-followers?account=bob&account=alice&account=zoe",
		"following?account=bob&viewer=zoe", "suggestions?account=zoe"} {
		if resp, text := s.do("GET", "/v1/graph/"+path, ""); resp.StatusCode != 404 ||
			!strings.Contains(text, `"unknown_account"`) {
			t.Errorf("%s: got %d %s, want unknown_account", path, resp.StatusCode, text)
		}
	}
}

// cursorOf returns the cursor of the first page of a query, in JSON.
func cursorOf(t *testing.T, s *site, q string, limit int) string {
	t.Helper()
	_, text := s.do("POST", "/v1/query", fmt.Sprintf(`{"index":"accounts","q":%q,"limit":%d}`, q, limit))
	var reply api.KeysReply
	if err := json.Unmarshal([]byte(text), &reply); err != nil || reply.Cursor == "" {
		t.Fatalf("got %s, want a page with a cursor", text)
	}
	next, again := s.do("POST", "/v1/query", fmt.Sprintf(`{"index":"accounts","q":%q,"cursor":%q}`, q, reply.Cursor))
	if next.StatusCode != 200 || strings.Contains(again, "unknown") {
		t.Errorf("second page: got %d %s", next.StatusCode, again)
	}
	out, _ := json.Marshal(reply.Cursor)
	return string(out)
}

// TestAudienceOfDeleted keeps saved audiences alive that name an account which was deleted.
func TestAudienceOfDeleted(t *testing.T) {
	s := newSite(t, nil)
	s.follow(seed)
	s.check("POST", "/v1/audience/save",
		`{"index":"accounts","name":"fans","q":"follows in (erin, bob)","follows":true}`, 200, `{"count":4}`)
	s.check("POST", "/v1/audience/save", `{"index":"accounts","name":"others","q":"not follows(erin)","follows":true}`,
		200, `{"count":3}`)
	ix, err := s.db.Index("accounts")
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.DeleteRecord("erin")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	s.check("GET", "/v1/audience/size?index=accounts&q=saved(fans)", "", 200, `{"records":3,"of":4,"share":0.75}`)
	s.check("GET", "/v1/audience/size?index=accounts&q=saved(others)", "", 200, `{"records":4,"of":4,"share":1}`)
	if resp, text := s.do("GET", "/v1/audience/saved?index=accounts", ""); resp.StatusCode != 200 ||
		strings.Contains(text, "error") {
		t.Errorf("got %d %s, want no broken audience", resp.StatusCode, text)
	}
	s.check("POST", "/v1/audience/save", `{"index":"accounts","name":"ghosts","q":"follows(ghost)","follows":true}`,
		200, `{"count":0}`)
}
