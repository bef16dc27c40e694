// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// newEmptySite returns a site of a database without an index.
func newEmptySite(t testing.TB) *site {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return newSiteOf(t, nil, db, nil)
}

// TestIndexes: a server begins with nothing, and its indexes are made, named, told of and dropped
// while it is there.
func TestIndexes(t *testing.T) {
	s := newEmptySite(t)
	s.check("GET", "/v1/indexes", "", 200, `{"indexes":[]}`)
	s.check("POST", "/v1/indexes/create", `{"index":"people","fields":[{"name":"city","type":"single"},`+
		`{"name":"paid","type":"decimal","scale":2},{"name":"seen","type":"time"},{"name":"born","type":"date"}]}`, 200,
		`{"index":"people","fields":[{"name":"city","type":"single"},{"name":"paid","type":"integer","scale":2},`+
			`{"name":"seen","type":"integer","format":"time"},{"name":"born","type":"integer","format":"date"}]}`)
	s.check("POST", "/v1/indexes/create", `{"index":"people"}`, 409,
		`{"error":{"code":"index_exists","message":"index exists: \"people\"; want another name, or drop that one first"}}`)
	if resp, text := s.do("POST", "/v1/indexes/create", `{"index":"x","fields":[{"name":"paid","type":"decimal"}]}`); resp.
		StatusCode != 400 || !strings.Contains(text, `got type \"decimal\" without \"scale\"`) {
		t.Errorf("a decimal without a scale: got %d %s", resp.StatusCode, text)
	}
	s.check("POST", "/v1/indexes/create", `{"index":"empty"}`, 200, `{"index":"empty","fields":[]}`)
	s.check("POST", "/v1/indexes/alias", `{"alias":"folk","index":"people"}`, 200, `{"done":true}`)
	s.check("POST", "/v1/indexes/alias", `{"alias":"crowd","index":"people"}`, 200, `{"done":true}`)
	const people = `{"index":"people","aliases":["crowd","folk"],"fields":[{"name":"city","type":"single"},` +
		`{"name":"paid","type":"integer","scale":2},{"name":"seen","type":"integer","format":"time"},` +
		`{"name":"born","type":"integer","format":"date"}],"records":0,"bytes":0,"sequence":0,"commits":0}`
	s.check("GET", "/v1/indexes", "", 200,
		`{"indexes":[{"index":"empty","aliases":[],"fields":[],"records":0,"bytes":0,"sequence":0,"commits":0},`+people+`]}`)
	s.check("GET", "/v1/indexes?index=folk", "", 200, `{"indexes":[`+people+`]}`)
	s.check("GET", "/v1/indexes?index=poeple", "", 404,
		`{"error":{"code":"unknown_index","message":"unknown index \"poeple\": did you mean \"people\"?"}}`)
	s.check("POST", "/v1/indexes/alias", `{"alias":"folk","index":""}`, 200, `{"done":true}`)
	s.check("POST", "/v1/indexes/drop", `{"index":"people"}`, 400, `{"error":{"code":"invalid_request",`+
		`"message":"invalid: dropping index \"people\": got one with the alias \"crowd\"; drop that, or set it to another index"}}`)
	s.check("POST", "/v1/indexes/alias", `{"alias":"crowd","index":"empty"}`, 200, `{"done":true}`)
	s.check("POST", "/v1/indexes/alias", `{"alias":"x","index":"nothing"}`, 404,
		`{"error":{"code":"unknown_index","message":"unknown index \"nothing\""}}`)
	s.check("POST", "/v1/indexes/drop", `{"index":"people"}`, 200, `{"done":true}`)
	s.check("POST", "/v1/indexes/drop", `{"index":"people"}`, 404,
		`{"error":{"code":"unknown_index","message":"unknown index \"people\""}}`)
	s.check("GET", "/v1/indexes", "", 200,
		`{"indexes":[{"index":"empty","aliases":["crowd"],"fields":[],"records":0,"bytes":0,"sequence":0,"commits":0}]}`)
}

// TestNeededIndexes: what an application cannot do without stays, and the refusal names it.
func TestNeededIndexes(t *testing.T) {
	s := newSite(t, nil)
	s.follow("a>b")
	s.addPeople()
	s.addDiscounts()
	real, err := s.db.Index("discounts")
	if err != nil {
		t.Fatal(err)
	}
	if resp, text := s.do("POST", "/v1/audience/save",
		`{"index":"people","name":"locals","q":"any(city)","follows":true}`); resp.StatusCode != 200 {
		t.Fatal(text)
	}
	for _, c := range []struct{ path, body, want string }{
		{"create", `{"index":"accounts"}`, "index_exists"},
		{"drop", `{"index":"accounts"}`, "the graph"},
		{"drop", `{"index":"audiences"}`, "saved audiences"},
		{"drop", `{"index":"people"}`, `saved audience \"locals\"`},
		{"drop", `{"index":"discounts"}`, `catalog \"discounts\"`},
		{"drop", `{"index":"` + real.Name() + `"}`, `catalog \"discounts\"`},
		{"alias", `{"alias":"discounts","index":"people"}`, "which is a catalog"},
		{"alias", `{"alias":"discounts","index":""}`, "which is a catalog"},
		{"alias", `{"alias":"accounts","index":"people"}`, "the graph"},
	} {
		resp, text := s.do("POST", "/v1/indexes/"+c.path, c.body)
		if resp.StatusCode == 200 || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: got %d %s, want it refused for %q", c.path, c.body, resp.StatusCode, text, c.want)
		}
	}
	for _, index := range []string{"standing", "standing_people", "audiences", real.Name()} {
		resp, text := s.do("POST", "/v1/import?index="+index, "id,n\n1,2\n", "Content-Type", "text/csv")
		if resp.StatusCode != 400 || !strings.Contains(text, "want another name") &&
			!strings.Contains(text, "got index ") {
			t.Errorf("import into %s: got %d %s, want it refused", index, resp.StatusCode, text)
		}
	}
	body, media := parted(t, "application/json", coloursSchema, "text/csv", colours("red", "a"))
	if resp, text := s.do("POST", catalogImportPath+"?catalog=standing", body, "Content-Type",
		media); resp.StatusCode != 400 || !strings.Contains(text, "standing queries") {
		t.Errorf("a catalog: got %d %s, want it refused for standing queries", resp.StatusCode, text)
	}
	for of, want := range map[string]string{"accounts": "graph", "discounts": "catalog"} {
		if _, text := s.do("GET", "/v1/indexes?index="+of, ""); !strings.Contains(text, `"application":"`+want+`"`) {
			t.Errorf("%s: got %s, want the application %s", of, text, want)
		}
	}
	if resp, text := s.do("POST", "/v1/audience/forget", `{"index":"people","name":"locals"}`); resp.StatusCode != 200 {
		t.Fatal(text)
	}
	s.check("POST", "/v1/indexes/drop", `{"index":"people"}`, 200, `{"done":true}`)
	// The name is free for the graph, and for nobody else.
	empty := newEmptySite(t)
	if resp, text := empty.do("POST", "/v1/indexes/create", `{"index":"accounts"}`); resp.StatusCode != 400 ||
		!strings.Contains(text, "the graph") {
		t.Errorf("got %d %s, want the name of the graph refused", resp.StatusCode, text)
	}
	if resp, text := empty.do("POST", "/v1/import?index=accounts", "id,n\n1,2\n", "Content-Type",
		"text/csv"); resp.StatusCode != 400 || !strings.Contains(text, "the graph") {
		t.Errorf("import: got %d %s, want the name of the graph refused", resp.StatusCode, text)
	}
}
