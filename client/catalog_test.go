// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// catalogs asks the calls about catalogs.
func catalogs(t *testing.T, s *site) {
	t.Helper()
	ctx := t.Context()
	const schema = `{"key": "id", "attributes": [{"name": "article"}, {"name": "customer", "rule": true}, {"name": "percent", "type": "number", "info": true}]}`
	c := s.Catalog("discounts")
	load := func(table string, opts client.CatalogImportOptions) (api.CatalogImportReply, error) {
		return c.Import(ctx, strings.NewReader(table), opts)
	}
	const first, table = "id,article,customer,percent\n",
		"id,article,customer,percent\nlist,tea,,0\nstaff,tea,staff,50\n"
	if _, err := load(table, client.CatalogImportOptions{}); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("Import without a schema: got %v", err)
	}
	made, err := load(first+"old,milk,,0\n", client.CatalogImportOptions{Schema: strings.NewReader(schema)})
	check(t, "Import with a schema", made, err, api.CatalogImportReply{Records: 1, BadLines: []string{}})
	if _, err := load(table+"bad,tea\n", client.CatalogImportOptions{MaxBad: -1}); !errors.Is(err, client.ErrInvalid) ||
		!strings.Contains(err.Error(), "got 1 bad of 3 lines") {
		t.Errorf("Import with a bad line: got %v", err)
	}
	if _, err := load(first, client.CatalogImportOptions{}); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("Import of a header alone: got %v", err)
	}
	emptied, err := load(first, client.CatalogImportOptions{Empty: true})
	check(t, "Import of a header alone that is meant", emptied, err, api.CatalogImportReply{BadLines: []string{}})
	replaced, err := load(table+"bad,tea\n", client.CatalogImportOptions{MaxBad: 0.35})
	check(t, "Import", replaced, err, api.CatalogImportReply{Records: 2, Bad: 1,
		BadLines: []string{"line 4: table: got 2 values, want 4, as many as the header has columns"}})
	faults, err := c.Check(ctx, 5)
	check(t, "Check", len(faults.Faults) == 0 && !faults.More, err, true)
	of, err := c.Schema(ctx)
	check(t, "Schema", of.Attributes, err, []api.CatalogAttribute{{Name: "article", Field: "article", Type: "text"},
		{Name: "customer", Field: "customer", Type: "text", Rule: true},
		{Name: "percent", Field: "percent", Type: "number", Info: true}})
	for separator, bad := range map[string]bool{"comma": false, "pipe": true} {
		if _, err := load(first+"new,milk,,0\n", client.CatalogImportOptions{Separator: separator,
			Check: true}); (err != nil) != bad {
			t.Errorf("Import separated by %s: got %v", separator, err)
		}
	}
	checked, err := load(first+"new,milk,,0\n", client.CatalogImportOptions{Check: true})
	check(t, "Import that only checks", checked, err, api.CatalogImportReply{Records: 1, BadLines: []string{}})
	if _, err := load(table+"bad,tea\n", client.CatalogImportOptions{Strict: true}); !errors.Is(err,
		client.ErrInvalid) {
		t.Errorf("Import of a bad line: got %v", err)
	}
	broken := errors.New("broken")
	if _, err := c.Import(ctx, io.MultiReader(strings.NewReader(table), iotest.ErrReader(broken)),
		client.CatalogImportOptions{}); !errors.Is(err, broken) {
		t.Errorf("Import of a table that breaks off: got %v", err)
	}
	_, err = load(table, client.CatalogImportOptions{Check: true}) // it waits for the end of that one
	if err != nil {
		t.Errorf("Import after one that broke off: got %v", err)
	}
	sequence, err := c.Write(ctx, api.CatalogWriteRequest{Put: []api.RecordRequest{
		{Key: "trade", Has: api.Conditions{"article": {Value: "tea"}, "customer": {In: []string{"trade", "partner"}},
			"percent": {Value: "10"}}}}, Delete: []string{"none"}})
	check(t, "Write to a catalog", sequence > 0, err, true)
	one, err := c.Find(ctx, api.Conditions{"article": {Value: "tea"}, "customer": {Value: "partner"}}, "percent",
		"customer")
	check(t, "Find", one, err, api.SearchAnswer{Found: "one", Records: []api.CatalogRecord{{Key: "trade",
		Values: map[string]string{"percent": "10", "customer": "trade|partner"}}}})
	several, err := c.Find(ctx, api.Conditions{"article": {Value: "tea"}})
	check(t, "Find of several", []any{several.Found, len(several.Records), several.Deciding}, err,
		[]any{"several", 3, []string{"customer"}})
	nothing, err := c.Find(ctx, api.Conditions{"article": {Value: "coffee"}})
	check(t, "Find of nothing", []string{nothing.Found, nothing.Unknown}, err, []string{"nothing", "article"})
	if _, err := c.Find(ctx, api.Conditions{"colour": {Value: "red"}}); !errors.Is(err, client.ErrUnknownField) {
		t.Errorf("Find by an unknown attribute: got %v", err)
	}
	answers, err := c.Search(ctx, api.SearchRequest{Searches: []api.Conditions{{"colour": {Value: "red"}},
		{"customer": {Value: "staff"}}}})
	check(t, "Search", []any{answers[0].Error.Code, answers[1].Records[0].Key}, err, []any{"unknown_field", "staff"})
	facets, err := c.Facets(ctx, api.FacetsRequest{Where: api.Conditions{"article": {Not: []string{"coffee"}}},
		Attributes: []string{"customer"}, Limit: 1})
	check(t, "Facets", []any{facets.Count, len(facets.Facets[0].Values), facets.Facets[0].Any}, err, []any{3, 1, 1})
	sorted, err := c.Sorted(ctx, api.SortedRequest{Where: api.Conditions{"percent": {From: "5"}}, By: "percent",
		Descending: true, Limit: 1})
	check(t, "Sorted", sorted, err, api.SortedReply{Count: 2, Records: []api.CatalogRecord{{Key: "staff"}}})
	if _, err := s.Catalog("none").Facets(ctx, api.FacetsRequest{}); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("facets of an unknown catalog: got %v", err)
	}
	if _, err := c.Write(ctx, api.CatalogWriteRequest{Put: []api.RecordRequest{{Key: "a",
		Has: api.Conditions{"percent": {Value: "x"}}}}}); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("a record that cannot be: got %v", err)
	}
}
