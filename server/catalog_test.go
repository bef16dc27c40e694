// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
)

// discountsTable and discountsSchema are what the examples of docs/catalog.md and docs/http.md are
// about.
const (
	discountsTable = `id,article,customer,quantity,day,rank,percent
list,tea,,,,0,0
trade,tea,trade|staff,,,0,10
bulk,tea,,100..,,0,12
both,tea,trade,100..,,0,20
sale,tea,!staff,,2026-12-01..2026-12-24,0,25
`
	discountsSchema = `{"key": "id", "priority": "rank", "attributes": [
  {"name": "article"},
  {"name": "customer", "rule": true},
  {"name": "quantity", "type": "number", "rule": true},
  {"name": "day", "type": "date", "rule": true},
  {"name": "percent", "type": "number", "info": true}]}
`
)

// addDiscounts makes the catalog discounts.
func (s *site) addDiscounts() { s.addCatalog("discounts", discountsSchema, discountsTable) }

// addCatalog makes a catalog, or replaces its records.
func (s *site) addCatalog(name, text, table string) {
	s.t.Helper()
	schema, err := catalog.ParseSchema([]byte(text))
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := catalog.Replace(s.t.Context(), s.db, name, schema, catalog.ReplaceOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Abort()
	if _, _, err := r.Read(s.t.Context(), catalog.Table{}, strings.NewReader(table)); err != nil {
		s.t.Fatal(err)
	}
	if err := r.Commit(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// TestCatalogExamples runs the examples of docs/catalog.md against the page's table and schema, and
// compares the answers with the page.
func TestCatalogExamples(t *testing.T) {
	text, err := os.ReadFile("../docs/catalog.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []string{discountsTable, discountsSchema} {
		if !strings.Contains(string(text), of) {
			t.Errorf("docs/catalog.md lacks %s", of)
		}
	}
	s := newSite(t, nil)
	s.addDiscounts()
	if n := s.runExamples("docs/catalog.md", string(text)); n < 4 {
		t.Errorf("docs/catalog.md has %d examples, want one of each call", n)
	}
}

func TestCatalogSearch(t *testing.T) {
	s := newSite(t, nil)
	s.addDiscounts()
	ask := func(rest, want string) {
		t.Helper()
		s.check("POST", "/v1/catalog/search", `{"catalog":"discounts",`+rest+`}`, 200, `{"answers":[`+want+`]}`)
	}
	ask(`"searches":[{"article":"tea","customer":"retail","quantity":"1","day":"2026-01-01"}],"show":["percent"]`,
		`{"found":"one","records":[{"key":"list","values":{"percent":"0"}}]}`)
	ask(`"searches":[{"article":"tea","customer":"trade","quantity":"100","day":"2026-01-01"}]`,
		`{"found":"one","records":[{"key":"both"}]}`)
	ask(`"searches":[{"article":"tea","quantity":"100","day":"2026-12-24"}]`,
		`{"found":"several","records":[{"key":"bulk"},{"key":"both"},{"key":"sale"}],"deciding":["customer"]}`)
	ask(`"searches":[{"article":"tea"}],"limit":2,"show":["customer","quantity"]`,
		`{"found":"several","records":[{"key":"list"},{"key":"trade","values":{"customer":"trade|staff"}}],"more":true,"deciding":["customer","quantity","day"]}`)
	ask(`"searches":[{"article":"tea"}],"limit":2,"brief":true`,
		`{"found":"several","records":[{"key":"list"},{"key":"trade"}],"more":true}`)
	ask(`"searches":[{}],"limit":2,"brief":true`,
		`{"found":"several","records":[{"key":"list"},{"key":"trade"}],"more":true}`)
	ask(`"searches":[{"customer":{"in":["staff","trade"]},"quantity":"5","day":"2026-01-01"}],"brief":true`,
		`{"found":"one","records":[{"key":"trade"}]}`)

	// Answers in the order of the searches, each with its own error.
	const one = `{"article":"tea","customer":"retail","quantity":"1","day":"2026-01-01"}`
	ask(`"searches":[{"article":"coffee"},{"colour":"red"},`+one+`,{"quantity":"many"},{"quantity":{"from":"1"}},{"article":""},{"article":{"in":["tea"],"from":"a"}},`+one+`]`,
		`{"found":"nothing","unknown":"article"},{"error":{"code":"unknown_field","message":"unknown attribute \"colour\""}},{"found":"one","records":[{"key":"list"}]},`+
			`{"error":{"code":"invalid_request","message":"condition: quantity: got \"many\", want a number"}},`+
			`{"error":{"code":"invalid_request","message":"condition: quantity: got 1.. for a rule, want a value, or several of which one has to fit"}},`+
			`{"error":{"code":"invalid_request","message":"\"article\": the condition is empty, want a value, or in, not, from or to"}},`+
			`{"error":{"code":"invalid_request","message":"condition: article: got 2 of value, in, not and a range, want one"}},{"found":"one","records":[{"key":"list"}]}`)
}

// A search that is no JSON of one has its own error too, and the others are answered.
func TestCatalogWrongSearches(t *testing.T) {
	s := newSite(t, nil)
	s.addDiscounts()
	s.contract = nil // openapi.json allows nothing that has an error for an answer
	const one, answer = `{"article":"tea","customer":"retail","quantity":"1","day":"2026-01-01"}`,
		`{"found":"one","records":[{"key":"list"}]}`
	for wrong, want := range map[string]string{
		`null`:                                  `search is null, want an object of conditions`,
		` 5 `:                                   `search at byte 0: the value is of type number, want object`,
		`[{}]`:                                  `search at byte 0: the value is of type array, want object`,
		`{"article":5}`:                         `search: a condition is "5", want a string, or an object with in, not, from or to`,
		`{"quantity":null}`:                     `search: a condition is "null", want a string, or an object with in, not, from or to`,
		`{"quantity":{"from":5}}`:               `search: a condition is "{\"from\":5}", want a string, or an object with in, not, from or to`,
		`{"quantity":{"least":"5"}}`:            `search: a condition is "{\"least\":\"5\"}", want a string, or an object with in, not, from or to`,
		`{"quantity":{"FROM":"5"}}`:             `search at byte 13: unknown member "FROM"`,
		`{"article":"tea", "article":"coffee"}`: `search at byte 18: member "article" twice`,
	} {
		message, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		s.check("POST", "/v1/catalog/search", `{"searches":[`+one+`,`+wrong+`,`+one+`],"catalog":"discounts"}`, 200,
			`{"answers":[`+answer+`,{"error":{"code":"invalid_request","message":`+string(message)+`}},`+answer+`]}`)
	}
	// A body that may come from a page in a browser is not read at all.
	if resp, got := s.do("POST", "/v1/catalog/search", `{"searches":[null],"catalog":"discounts"}`, "Content-Type",
		"text/plain"); resp.StatusCode != 415 {
		t.Errorf("a body of text: got %d %s, want 415", resp.StatusCode, got)
	}
}

// As many searches as a request may have are answered as each by itself, and each in its place.
func TestCatalogBulk(t *testing.T) {
	s := newSite(t, nil)
	s.addCatalog("prices", fmt.Sprintf(pricesSchema, `"key": "id", `), somePrices)
	c, err := catalog.Open(s.db, "prices")
	if err != nil {
		t.Fatal(err)
	}
	request := api.SearchRequest{Catalog: "prices", Brief: true}
	var want []string
	err = c.Ask(t.Context(), func(snapshot catalog.Snapshot) error {
		var a catalog.Answer
		for i := range api.MaxSearches {
			where := api.Conditions{"offering": {Value: fmt.Sprint("o", i%5)},
				"spec": {Value: []string{"MRC", "NRC"}[i%2]}, "group": {Value: "group3"},
				"VPN": {Value: []string{"v1", "v2", "v3"}[i%3]}}
			if i%4 == 0 {
				where["B2B Bandwidth"] = api.Condition{Value: "1Mbps"}
			}
			var conditions []catalog.Condition
			for name, c := range where {
				conditions = append(conditions, catalog.Condition{Attribute: name, Value: c.Value})
			}
			request.Searches = append(request.Searches, where)
			if err := snapshot.Search(t.Context(), &a, 10, conditions...); err != nil {
				return err
			}
			keys, err := snapshot.Keys(a.IDs)
			if err != nil {
				return err
			}
			want = append(want, strings.Join(append([]string{a.Kind.String()}, keys...), " "))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	s.contract = nil // which would take its time
	resp, text := s.do("POST", "/v1/catalog/search", string(body))
	var reply api.SearchReply
	if err := json.Unmarshal([]byte(text), &reply); err != nil || resp.StatusCode != 200 ||
		len(reply.Answers) != len(want) {
		t.Fatalf("got %d %.300s, %v", resp.StatusCode, text, err)
	}
	kinds := make(map[string]bool)
	for i, a := range reply.Answers {
		got := a.Found
		for _, r := range a.Records {
			got += " " + r.Key
		}
		if kinds[a.Found] = true; got != want[i] {
			t.Fatalf("search %d: got %q, want %q", i, got, want[i])
		}
	}
	if len(kinds) != 3 {
		t.Errorf("got %v, want searches with each of the three answers", kinds)
	}
	request.Searches = append(request.Searches, request.Searches[0])
	if body, err = json.Marshal(request); err != nil {
		t.Fatal(err)
	}
	s.check("POST", "/v1/catalog/search", string(body), 400,
		`{"error":{"code":"invalid_request","message":"\"searches\" has 10001 searches, want 1 to 10000"}}`)
}

func TestCatalogFacets(t *testing.T) {
	s := newSite(t, nil)
	s.addDiscounts()
	ask := func(rest, want string) {
		t.Helper()
		s.check("POST", "/v1/catalog/facets", `{"catalog":"discounts"`+rest+`}`, 200, want)
	}
	const customer = `{"attribute":"customer","values":[{"value":"trade","count":2},{"value":"staff","count":1}],"excluded":[{"value":"staff","count":1}],"any":2}`
	ask(`,"where":{"article":"tea"},"attributes":["customer"]`, `{"count":5,"facets":[`+customer+`]}`)
	ask(``, `{"count":5,"facets":[{"attribute":"article","values":[{"value":"tea","count":5}]},`+customer+`,{"attribute":"quantity","min":"100","any":3,"ranges":2},`+
		`{"attribute":"day","min":"2026-12-01","max":"2026-12-24","any":4,"ranges":1}]}`)
	ask(`,"where":{"customer":"trade"},"attributes":["customer","percent"],"limit":1`,
		`{"count":5,"facets":[{"attribute":"customer","values":[{"value":"trade","count":2}],"more":true,"excluded":[{"value":"staff","count":1}],"any":2},{"attribute":"percent","min":"0","max":"25"}]}`)
	ask(`,"where":{"article":"coffee"},"attributes":["customer"]`, `{"count":0,"facets":[{"attribute":"customer"}]}`)
}

func TestCatalogRecords(t *testing.T) {
	s := newSite(t, nil)
	s.addDiscounts()
	sorted := func(rest, want string) {
		t.Helper()
		s.check("POST", "/v1/catalog/sorted", `{"catalog":"discounts"`+rest+`}`, 200, want)
	}
	sorted(`,"by":"percent","descending":true,"limit":2,"show":["percent"]`,
		`{"count":5,"records":[{"key":"sale","values":{"percent":"25"}},{"key":"both","values":{"percent":"20"}}]}`)
	sorted(`,"by":"percent","descending":true,"from":2,"limit":2`,
		`{"count":5,"records":[{"key":"bulk"},{"key":"trade"}]}`)
	sorted(`,"where":{"customer":"retail"},"from":1`, `{"count":3,"records":[{"key":"bulk"},{"key":"sale"}]}`)
	sorted(`,"from":9`, `{"count":5,"records":[]}`)

	// A write is seen by what is asked next; one that cannot be changes nothing.
	write := func(rest string, status int, want string) {
		t.Helper()
		resp, got := s.do("POST", "/v1/catalog/write", `{"catalog":"discounts",`+rest+`}`)
		if resp.StatusCode != status || !strings.Contains(got, want) {
			t.Errorf("%s: got %d %s, want %d %s", rest, resp.StatusCode, got, status, want)
		}
	}
	write(`"put":[{"key":"list","has":{"article":"tea","percent":"1"}},{"key":"new","has":{"article":"tea","customer":{"not":["staff"]},"quantity":{"from":"10","to":"20"},"percent":"30"},"priority":5}],"delete":["sale","none"]`,
		200, `{"sequence":`)
	const after = `{"count":5,"records":[{"key":"new","values":{"customer":"!staff","percent":"30","quantity":"10..20"}},{"key":"both","values":{"customer":"trade","percent":"20","quantity":"100.."}},` +
		`{"key":"bulk","values":{"percent":"12","quantity":"100.."}},{"key":"trade","values":{"customer":"trade|staff","percent":"10"}},{"key":"list","values":{"percent":"1"}}]}`
	const all = `,"by":"percent","descending":true,"show":["percent","customer","quantity"]`
	sorted(all, after)
	write(`"delete":["bulk"],"put":[{"key":"a","has":{"article":"tea"}},{"key":"b","has":{"colour":"red"}}]`, 400,
		`{"code":"unknown_field","message":"record \"b\": unknown attribute \"colour\""}`)
	write(`"delete":["bulk"],"put":[{"key":"b","has":{"quantity":"many"}}]`, 400,
		`{"code":"invalid_request","message":"record \"b\": condition: quantity: got \"many\", want a number"}`)
	write(`"delete":["bulk"],"put":[{"key":"b","has":{"article":""}}]`, 400,
		`record \"b\": \"article\": the condition is empty`)
	write(`"delete":["bulk"],"put":[{"key":"b","default":true}]`, 400, `got a default, which the schema has not`)
	write(`"delete":["bulk"],"put":[{"key":"","has":{"article":"tea"}}]`, 400, `"code":"invalid_request"`)
	sorted(all, after)
	// Another set of records under the same name is asked at once.
	s.addDiscounts()
	sorted(`,"from":4`, `{"count":5,"records":[{"key":"sale"}]}`)
}

func TestCatalogRefused(t *testing.T) {
	s := newSite(t, nil)
	s.addDiscounts()
	s.addPeople()
	refused := func(path, body, code, message string) {
		t.Helper()
		_, reply := s.do("POST", "/v1/catalog/"+path, body)
		if !strings.Contains(reply, `"code":"`+code+`"`) || !strings.Contains(reply,
			strings.ReplaceAll(message, `"`, `\"`)) {
			t.Errorf("%s %.200s: got %s\nwant %s %s", path, body, reply, code, message)
		}
	}
	for _, path := range []string{"search", "facets", "sorted", "write"} {
		part := map[string]string{"search": `,"searches":[{}]`, "write": `,"delete":["a"]`}[path]
		refused(path, `{"catalog":"none"`+part+`}`, "unknown_index", `unknown catalog "none"`)
		refused(path, `{"catalog":"people"`+part+`}`, "invalid_request", `index "people" is no catalog`)
		refused(path, `{}`, "invalid_request", `"catalog" is missing or empty`)
		refused(path, `{"catalog":"discounts","more":1}`, "invalid_request", `unknown member "more"`)
	}
	refused("search", `{"catalog":"discounts"}`, "invalid_request", `"searches" has 0 searches, want 1 to 10000`)
	refused("search", `{"catalog":"discounts","searches":[{}],"limit":1}`, "invalid_request",
		`"limit" is 1, want 2 to 10000`)
	refused("search", `{"catalog":"discounts","searches":[{}],"show":["colour"]}`, "unknown_field",
		`unknown attribute "colour"`)
	refused("search", `{"catalog":"discounts","searches":[{"article":5},{}],"more":1}`, "invalid_request",
		`a condition is "5"`)
	refused("search", `{"catalog":"discounts","searches":[{"article":5},{"article":"\ud83d"}]}`, "invalid_request",
		`a condition is "5"`)
	refused("search", `{"catalog":"discounts","searches":[5],"searches":[{}]}`, "invalid_request",
		`member "searches" is of type number`)
	refused("search", `{"catalog":"discounts","searches":[{}],"limit":0}`, "invalid_request",
		`"limit" is 0, want 1 or more, or none for the default`)
	refused("search", `{"catalog":"discounts","searches":{}}`, "invalid_request",
		`member "searches" is of type object, want array`)
	refused("facets", `{"catalog":"discounts","attributes":["colour"]}`, "unknown_field", `unknown attribute "colour"`)
	refused("facets", `{"catalog":"discounts","attributes":["costumer"]}`, "unknown_field",
		`unknown attribute "costumer"; did you mean "customer"?`)
	refused("facets", `{"catalog":"discounts","where":{"quantity":"many"}}`, "invalid_request",
		`quantity: got "many", want a number`)
	refused("facets", `{"catalog":"discounts","limit":0}`, "invalid_request",
		`"limit" is 0, want 1 or more, or none for the default`)
	refused("facets", `{"catalog":"discounts","where":{"limit":5}}`, "invalid_request", `a condition is "5"`)
	refused("sorted", `{"catalog":"discounts","limit": -0}`, "invalid_request", `"limit" is 0`)
	refused("facets", `{"catalog":"discounts","limit":-1}`, "invalid_request", `"limit" is -1`)
	refused("facets", `{"catalog":"discounts","attributes":["`+strings.Repeat(`a","`, 64)+`"]}`, "invalid_request",
		`"attributes" has 65 attributes, want at most 64`)
	refused("sorted", `{"catalog":"discounts","by":"colour"}`, "unknown_field", `unknown attribute "colour"`)
	refused("sorted", `{"catalog":"discounts","by":"customer"}`, "invalid_request", `got a rule to sort by`)
	refused("sorted", `{"catalog":"discounts","from":-1}`, "invalid_request", `"from" is -1, want 0 or more`)
	refused("write", `{"catalog":"discounts"}`, "invalid_request", `"put" and "delete" are both missing or empty`)
}
