// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/uproar-db/uproar/api"
)

// TestShown compares the JSON of records with that of encoding/json, for odd keys and values.
func TestShown(t *testing.T) {
	s := newSite(t, nil)
	s.addCatalog("odd",
		`{"key":"id","attributes":[{"name":"b \"quoted\""},{"name":"a<é>"},{"name":"due","rule":true}]}`,
		"id,\"b \"\"quoted\"\"\",a<é>,due\n\"k\"\"\\\",\"x\ty\",<é>\\,1|2\nnone,,,\nb,\"\"\"\",,!3\n")
	for _, c := range []struct {
		path, body string
		reply      any
	}{
		{"/v1/catalog/search",
			`{"catalog":"odd","searches":[{},{"a<é>":"<é>\\"},{"a<é>":"nothing"}],"show":["due","b \"quoted\"","a<é>","due"]}`, &api.SearchReply{}},
		{"/v1/catalog/search",
			`{"catalog":"odd","searches":[{}],"limit":2,"show":["b \"quoted\"","a<é>"],"brief":true}`,
			&api.SearchReply{}},
		{"/v1/catalog/sorted", `{"catalog":"odd","by":"a<é>","show":["b \"quoted\"","a<é>","due"]}`,
			&api.SortedReply{}},
		{"/v1/catalog/sorted", `{"catalog":"odd","where":{"a<é>":"nothing"}}`, &api.SortedReply{}},
	} {
		resp, got := s.do("POST", c.path, c.body)
		if err := json.Unmarshal([]byte(got), c.reply); err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: got %d %s, %v", c.body, resp.StatusCode, got, err)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(c.reply); err != nil {
			t.Fatal(err)
		}
		if got != want.String() {
			t.Errorf("%s: got %s, want %s", c.body, got, want.String())
		}
	}
}

// TestCatalogSchema asks for the attributes of a catalog of odd names.
func TestCatalogSchema(t *testing.T) {
	s := newSite(t, nil)
	s.addCatalog("odd", `{"key":"id","priority":"rank","attributes":[{"name":"b \"<i>\"","field":"toString"},`+
		`{"name":"y"},{"name":"Term","rule":true},{"name":"due on","type":"date"},`+
		`{"name":"preis €","type":"decimal","scale":2,"info":true}],`+
		`"combined":[["b \"<i>\"","y"]]}`, "id,rank,\"b \"\"<i>\"\"\",y,Term,due on,preis €\nk,0,a,b,c,2026-01-01,1.50\n")
	s.check("GET", "/v1/catalog/schema?catalog=odd", "", 200, `{"key":"id","priority":"rank","attributes":[`+
		`{"name":"b \"<i>\"","field":"toString","type":"text"},{"name":"y","field":"y","type":"text"},`+
		`{"name":"Term","field":"Term","type":"text","rule":true},`+
		`{"name":"due on","field":"due_on","type":"date"},`+
		`{"name":"preis €","field":"preis__","type":"number","scale":2,"info":true}],"combined":[["b \"<i>\"","y"]]}`)
	s.check("GET", "/v1/catalog/schema?catalog=none", "", 404,
		`{"error":{"code":"unknown_index","message":"unknown catalog \"none\""}}`)
	s.check("GET", "/v1/catalog/schema", "", 400,
		`{"error":{"code":"invalid_request","message":"parameter \"catalog\" is missing"}}`)
}
