// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
)

// TestFields: fields are listed, dropped and added while their index is there to be asked; a
// request that cannot be changes nothing.
func TestFields(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	const before = `{"fields":[{"name":"likes","type":"set","column":"fast"},{"name":"city","type":"single"},{"name":"sex","type":"single"},{"name":"age","type":"integer"}]}`
	s.check("GET", "/v1/fields?index=people", "", 200, before)
	for body, want := range map[string]string{
		`{"index":"people"}`:                                   `{"error":{"code":"invalid_request","message":"got nothing to drop or to add, want \"drop\" or \"add\""}}`,
		`{"drop":["city"]}`:                                    `{"error":{"code":"invalid_request","message":"\"index\" is missing or empty"}}`,
		`{"index":"people","drop":["city","city"]}`:            `{"error":{"code":"invalid_request","message":"drop: got \"city\" twice"}}`,
		`{"index":"people","add":[{"name":"x","type":"bag"}]}`: "",
	} {
		if want == "" {
			if answer, text := s.do("POST", "/v1/fields", body); answer.StatusCode != 400 {
				t.Errorf("%s: got %d, %s, want 400", body, answer.StatusCode, text)
			}
			continue
		}
		s.check("POST", "/v1/fields", body, 400, want)
	}
	s.check("POST", "/v1/fields", `{"index":"people","drop":["city","ctiy"]}`, 400,
		`{"error":{"code":"unknown_field","message":"index \"people\": unknown field \"ctiy\""}}`)
	s.check("POST", "/v1/fields", `{"index":"pepole","drop":["city"]}`, 404,
		`{"error":{"code":"unknown_index","message":"unknown index \"pepole\": did you mean \"people\"?"}}`)
	for _, body := range []string{`{"index":"people","drop":["age"],"add":[{"name":"x","type":"nonsense"}]}`,
		`{"index":"people","drop":["age"],"add":[{"name":"city","type":"set"}]}`} {
		if answer, text := s.do("POST", "/v1/fields", body); answer.StatusCode != 400 {
			t.Errorf("%s: got %d, %s, want 400", body, answer.StatusCode, text)
		}
	}
	s.check("GET", "/v1/fields?index=people", "", 200, before) // and no field is gone

	const after = `{"fields":[{"name":"likes","type":"set","column":"fast"},{"name":"sex","type":"single"},{"name":"age","type":"integer"},{"name":"city","type":"set","column":"small"},` +
		`{"name":"born","type":"integer","format":"date"},{"name":"balance","type":"integer","scale":2},{"name":"knows","type":"relation","inverse":"known"},{"name":"known","type":"relation","inverse":"knows"}]}`
	s.check("POST", "/v1/fields",
		`{"index":"people","drop":["city"],"add":[{"name":"city","type":"set","column":"small"},{"name":"born","type":"integer","format":"date"},{"name":"balance","type":"integer","scale":2},{"name":"knows","type":"relation","inverse":"known"}]}`, 200, after)
	s.check("GET", "/v1/fields?index=people", "", 200, after)
	s.check("GET", "/v1/audience/size?index=people&q=any(city)", "", 200, `{"records":0,"of":5,"share":0}`)
	s.check("POST", "/v1/fields", `{"index":"people","drop":["known"]}`, 400,
		`{"error":{"code":"invalid_request","message":"invalid: drop: got \"known\", the inverse of \"knows\", which is dropped with it"}}`)
	s.check("POST", "/v1/fields", `{"index":"people","add":[{"name":"born","type":"integer","format":"date"}]}`, 200,
		after)
}

// TestNeededFields: a field that something cannot do without is not dropped, and the refusal names
// that.
func TestNeededFields(t *testing.T) {
	s := newSite(t, nil)
	s.follow("a>b")
	for _, name := range []string{"prices", "older_prices"} {
		s.addCatalog(name, `{"key":"id","attributes":[{"name":"art","rule":true},{"name":"price","type":"number"}]}`,
			"id,art,price\nx,tea,1\n")
	}
	if _, err := s.db.CreateIndex(t.Context(), "people", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "likes", Type: uproar.Set}, uproar.Field{Name: "age", Type: uproar.Integer}); err != nil {
		t.Fatal(err)
	}
	if resp, text := s.do("POST", "/v1/audience/save",
		`{"index":"people","name":"locals","q":"any(city) and not any(likes)","follows":true}`); resp.StatusCode != 200 {
		t.Fatal(text)
	}
	real, err := s.db.Index("prices")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ index, field, want string }{
		{"prices", "art", `catalog \"prices\"`}, {"prices", "price", `catalog \"prices\"`},
		{real.Name(), "art", `catalog \"prices\"`}, {"older_prices", "art", `catalog \"older_prices\"`},
		{"accounts", "follows", "the graph"}, {"accounts", "blocks", "the graph"},
		{"accounts", "position", "the graph"},
		{"people", "city", `saved audience \"locals\"`}, {"people", "likes", `saved audience \"locals\"`},
		{"audiences", "query", "audiences"},
		{"people", "age", ""},
	} {
		resp, text := s.do("POST", "/v1/fields", fmt.Sprintf(`{"index":%q,"drop":[%q]}`, c.index, c.field))
		if c.want == "" && resp.StatusCode != 200 || c.want != "" && (resp.StatusCode != 400 ||
			!strings.Contains(text, c.want)) {
			t.Errorf("dropping %s of %s: got %d %s, want it refused for %q", c.field, c.index, resp.StatusCode, text,
				c.want)
		}
	}
	// None is dropped when one of them may not be.
	if resp, _ := s.do("POST", "/v1/fields",
		`{"index":"people","add":[{"name":"height","type":"integer"}]}`); resp.StatusCode != 200 {
		t.Error("a field was not added")
	}
	if resp, text := s.do("POST", "/v1/fields", `{"index":"people","drop":["height","city"]}`); resp.StatusCode != 400 {
		t.Errorf("got %d %s", resp.StatusCode, text)
	}
	if _, text := s.do("GET", "/v1/fields?index=people", ""); !strings.Contains(text, "height") {
		t.Errorf("got %s, want height still there", text)
	}
	// What was forgotten needs nothing.
	s.do("POST", "/v1/audience/forget", `{"index":"people","name":"locals"}`)
	if resp, text := s.do("POST", "/v1/fields", `{"index":"people","drop":["city"]}`); resp.StatusCode != 200 {
		t.Errorf("got %d %s", resp.StatusCode, text)
	}
}
