// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/client"
)

// catalogs asks the calls about catalogs.
func catalogs(t *testing.T, s *site) {
	t.Helper()
	ctx := t.Context()
	schema, err := catalog.ParseSchema([]byte(`{"key": "id", "attributes": [{"name": "article"}, {"name": "customer", "rule": true}, {"name": "percent", "type": "number", "info": true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(ctx, s.db, "discounts", schema, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	if _, _, err := r.Read(ctx, catalog.Table{}, strings.NewReader("id,article,customer,percent\nlist,tea,,0\nstaff,tea,staff,50\n")); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	c := s.Catalog("discounts")
	sequence, err := c.Write(ctx, api.CatalogWriteRequest{Put: []api.RecordRequest{
		{Key: "trade", Has: api.Conditions{"article": {Value: "tea"}, "customer": {In: []string{"trade", "partner"}}, "percent": {Value: "10"}}}}, Delete: []string{"none"}})
	check(t, "Write to a catalog", sequence > 0, err, true)
	one, err := c.Find(ctx, api.Conditions{"article": {Value: "tea"}, "customer": {Value: "partner"}}, "percent", "customer")
	check(t, "Find", one, err, api.SearchAnswer{Found: "one", Records: []api.CatalogRecord{{Key: "trade", Values: map[string]string{"percent": "10", "customer": "trade|partner"}}}})
	several, err := c.Find(ctx, api.Conditions{"article": {Value: "tea"}})
	check(t, "Find of several", []any{several.Found, len(several.Records), several.Deciding}, err, []any{"several", 3, []string{"customer"}})
	nothing, err := c.Find(ctx, api.Conditions{"article": {Value: "coffee"}})
	check(t, "Find of nothing", []string{nothing.Found, nothing.Unknown}, err, []string{"nothing", "article"})
	if _, err := c.Find(ctx, api.Conditions{"colour": {Value: "red"}}); !errors.Is(err, client.ErrUnknownField) {
		t.Errorf("Find by an unknown attribute: got %v", err)
	}
	answers, err := c.Search(ctx, api.SearchRequest{Searches: []api.Conditions{{"colour": {Value: "red"}}, {"customer": {Value: "staff"}}}})
	check(t, "Search", []any{answers[0].Error.Code, answers[1].Records[0].Key}, err, []any{"unknown_field", "staff"})
	facets, err := c.Facets(ctx, api.FacetsRequest{Where: api.Conditions{"article": {Not: []string{"coffee"}}}, Attributes: []string{"customer"}, Limit: 1})
	check(t, "Facets", []any{facets.Count, len(facets.Facets[0].Values), facets.Facets[0].Any}, err, []any{3, 1, 1})
	sorted, err := c.Sorted(ctx, api.SortedRequest{Where: api.Conditions{"percent": {From: "5"}}, By: "percent", Descending: true, Limit: 1})
	check(t, "Sorted", sorted, err, api.SortedReply{Count: 2, Records: []api.CatalogRecord{{Key: "staff"}}})
	if _, err := s.Catalog("none").Facets(ctx, api.FacetsRequest{}); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("facets of an unknown catalog: got %v", err)
	}
	if _, err := c.Write(ctx, api.CatalogWriteRequest{Put: []api.RecordRequest{{Key: "a", Has: api.Conditions{"percent": {Value: "x"}}}}}); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("a record that cannot be: got %v", err)
	}
}
