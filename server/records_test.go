// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// addGuests makes an index of records, and returns how many there are.
func (s *site) addGuests() int {
	s.t.Helper()
	const guests = 2500
	s.check("POST", "/v1/indexes/create", `{"index":"guests","fields":[{"name":"city","type":"single"},`+
		`{"name":"age","type":"integer"},{"name":"likes","type":"set"}]}`, 200, `{"index":"guests","fields":`+
		`[{"name":"city","type":"single"},{"name":"age","type":"integer"},{"name":"likes","type":"set"}]}`)
	var puts []string
	for i := range guests {
		likes := `"tea"`
		if i%2 == 0 {
			likes = `"tea","cake, or \"pie\""`
		}
		puts = append(puts, fmt.Sprintf(`{"key":"g%04d","values":{"age":%d,"likes":[%s]}}`, i, guests-i, likes))
	}
	s.check("POST", "/v1/records/write", `{"index":"guests","puts":[`+strings.Join(puts, ",")+`]}`, 200,
		`{"sequence":1}`)
	return guests
}

// TestRecordsAsTables: as CSV and NDJSON all records are sent, whatever a page has.
func TestRecordsAsTables(t *testing.T) {
	s := newEmptySite(t)
	guests := s.addGuests()
	ask := func(body, accept string) (string, []string) {
		t.Helper()
		resp, text := s.do("POST", "/v1/records/find", body, "Accept", accept)
		if resp.StatusCode != 200 {
			t.Fatalf("%s: got %d %s", body, resp.StatusCode, text)
		}
		return resp.Header.Get("Content-Type"), strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	media, lines := ask(`{"index":"guests","q":"all","sort":["age"]}`, "text/csv")
	const both = `"tea|cake, or ""pie"""`
	if media != "text/csv" || len(lines) != guests+1 || lines[0] != "key,city,age,likes" ||
		lines[1] != "g2499,,1,tea" || lines[2] != "g2498,,2,"+both ||
		lines[guests] != fmt.Sprintf("g0000,,%d,%s", guests, both) {
		t.Errorf("CSV: got %s, %d lines, of them %q", media, len(lines), lines[:3])
	}
	media, lines = ask(`{"index":"guests","q":"all","fields":["age"]}`, "application/x-ndjson, application/json")
	if media != "application/x-ndjson" || len(lines) != guests || lines[1] != `{"key":"g0001","values":{"age":2499}}` {
		t.Errorf("NDJSON: got %s, %d lines, of them %q", media, len(lines), lines[:2])
	}
	if _, lines = ask(`{"index":"guests","q":"age <= 3","fields":["age"],"limit":2}`, "text/csv;q=1"); len(lines) != 3 {
		t.Errorf("CSV with a limit of 2: got %q", lines)
	}
	for _, accept := range []string{"*/*", "application/json, text/csv"} {
		if media, _ = ask(`{"index":"guests","q":"age = 3"}`, accept); media != "application/json" {
			t.Errorf("Accept: %s: got %s, want application/json", accept, media)
		}
	}
	if resp, text := s.do("POST", "/v1/records/find", `{"index":"guests","q":"all","sort":["likes"]}`, "Accept",
		"text/csv"); resp.StatusCode != 400 {
		t.Errorf("CSV sorted by a set: got %d %s, want 400", resp.StatusCode, text)
	}
}

// TestRecordCursors: a cursor goes on behind its record, whatever became of that, and belongs to
// one question.
func TestRecordCursors(t *testing.T) {
	s := newEmptySite(t)
	s.addGuests()
	cursor := func(text string) string {
		_, rest, _ := strings.Cut(text, `"cursor":"`)
		of, _, _ := strings.Cut(rest, `"`)
		return of
	}
	const first = `{"index":"guests","q":"all","fields":["age"],"sort":["-age"],"limit":2`
	_, text := s.do("POST", "/v1/records/find", first+`}`)
	next := cursor(text)
	s.check("POST", "/v1/records/write", `{"index":"guests","deletes":["g0001"],"merges":[{"key":"g0000",`+
		`"values":{"age":1}}]}`, 200, `{"sequence":2}`)
	if _, text = s.do("POST", "/v1/records/find", first+`,"cursor":"`+next+`"}`); !strings.HasPrefix(text,
		`{"records":[{"key":"g0002","values":{"age":2498}},{"key":"g0003","values":{"age":2497}}]`) {
		t.Errorf("got %s", text)
	}
	for _, bad := range []string{`{"index":"guests","q":"all","sort":["age"],"cursor":"` + next + `"}`,
		`{"index":"guests","q":"any(age)","sort":["-age"],"cursor":"` + next + `"}`,
		first + `,"cursor":"` + next[1:] + `"}`, first + `,"cursor":"` + next + `AA"}`, first + `,"cursor":"A"}`} {
		if resp, text := s.do("POST", "/v1/records/find", bad); resp.StatusCode != 400 || !strings.Contains(text,
			`"invalid_cursor"`) {
			t.Errorf("%s: got %d %s, want an invalid cursor", bad, resp.StatusCode, text)
		}
	}
}

// TestRecordsOfApplications: what only an application may write is refused, and what is left to the
// graph is one of its accounts.
func TestRecordsOfApplications(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	s.addDiscounts()
	s.do("POST", "/v1/audience/save", `{"index":"people","name":"locals","q":"any(city)","follows":true}`)
	for _, c := range []struct{ body, want string }{
		{`{"index":"discounts","puts":[{"key":"x","values":{}}]}`, "the records of a catalog"},
		{`{"index":"discounts","deletes":["x"]}`, "the records of a catalog"},
		{`{"index":"audiences","deletes":["people/locals"]}`, "saved audiences"},
		{`{"index":"accounts","merges":[{"key":"a\u0001","values":{}}]}`, "merges[0]"},
		{`{"index":"accounts","merges":[{"key":"a","values":{"follows":["b\u0001"]}}]}`, "follows"},
	} {
		if resp, text := s.do("POST", "/v1/records/write", c.body); resp.StatusCode != 400 ||
			!strings.Contains(text, c.want) {
			t.Errorf("%s: got %d %s, want it refused for %q", c.body, resp.StatusCode, text, c.want)
		}
	}
	if resp, text := s.do("POST", "/v1/records/write",
		`{"index":"accounts","merges":[{"key":"a","values":{"follows":["b"]}}]}`); resp.StatusCode != 200 {
		t.Errorf("got %d %s", resp.StatusCode, text)
	}
	s.check("GET", "/v1/graph/followers?account=b", "", 200, `{"accounts":["a"]}`)
}
