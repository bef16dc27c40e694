// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/upload"
)

// Endpoints lists the calls about catalogs.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Post("/v1/catalog/search", "catalog-search", call.Bind(decodeSearch, h.search)),
		call.Post("/v1/catalog/facets", "catalog-facets", call.Bind(decodeFacets, h.facets)),
		call.Post("/v1/catalog/sorted", "catalog-sorted", call.Bind(decodeSorted, h.sorted)),
		call.Get("/v1/catalog/schema", "catalog-schema", call.Bind(decodeSchema, h.schema)),
		call.Get("/v1/catalog/check", "catalog-check", call.Bind(decodeCheck, h.check)),
		call.Post("/v1/catalog/write", "catalog-write", call.Bind(decodeCatalogWrite, h.write)),
		call.Post("/v1/catalog/import", "catalog-import", h.importCatalog),
	}
}

// catalog returns the catalog of a name. One that was asked before is there with its schema already
// read.
func (h *Handlers) catalog(name string) (*catalog.Catalog, error) {
	if c, ok := h.catalogs.Load(name); ok {
		return c.(*catalog.Catalog), nil
	}
	c, err := catalog.Open(h.db, name)
	if err == nil {
		h.catalogs.Store(name, c)
	}
	return c, err
}

// wanted appends the conditions of a search.
func wanted(dst []catalog.Condition, of api.Conditions) ([]catalog.Condition, error) {
	start := len(dst)
	dst = appendConditions(dst, of)
	return dst, checkWanted(dst[start:])
}

// checkWanted refuses conditions that no search can have.
func checkWanted(conditions []catalog.Condition) error {
	if len(conditions) > catalog.MaxAttributes {
		return call.Invalid("got %d conditions, want at most %d", len(conditions), catalog.MaxAttributes)
	}
	return checkGiven(conditions)
}

// checkGiven refuses a condition that says nothing.
func checkGiven(conditions []catalog.Condition) error {
	for i := range conditions {
		if c := &conditions[i]; c.Value == "" && len(c.In) == 0 && len(c.Not) == 0 && c.From == "" && c.To == "" {
			return call.Invalid("%s: the condition is empty, want a value, or in, not, from or to",
				call.Quote(c.Attribute))
		}
	}
	return nil
}

// appendConditions appends conditions in the order of their attributes, so that a request always
// has the same answer.
func appendConditions(dst []catalog.Condition, of api.Conditions) []catalog.Condition {
	start := len(dst)
	for name, c := range of {
		dst = append(dst, catalog.Condition{Attribute: name, Value: c.Value, In: c.In, Not: c.Not, From: c.From,
			To: c.To})
	}
	slices.SortFunc(dst[start:], func(a, b catalog.Condition) int { return strings.Compare(a.Attribute, b.Attribute) })
	return dst
}

func (h *Handlers) facets(ctx context.Context, req api.FacetsRequest) (call.Reply, error) {
	where, err := wanted(nil, req.Where)
	if err != nil {
		return nil, err
	}
	of, err := h.catalog(req.Catalog)
	if err != nil {
		return nil, err
	}
	var r api.FacetsReply
	err = of.Ask(ctx, func(s catalog.Snapshot) error {
		facets, count, err := s.Facets(ctx, req.Attributes, req.Limit, where...)
		r = api.FacetsReply{Count: count, Facets: []api.CatalogFacet{}}
		for _, f := range facets {
			r.Facets = append(r.Facets, api.CatalogFacet{Attribute: f.Attribute, Values: facetValues(f.Values),
				More: f.More, Min: f.Min, Max: f.Max,
				Excluded: facetValues(f.Excluded), Any: f.Any, Ranges: f.Ranges})
		}
		return err
	})
	return r, err
}

func facetValues(list []catalog.Value) (values []api.FacetValue) {
	for _, v := range list {
		values = append(values, api.FacetValue(v))
	}
	return values
}

// Handlers answers the calls about catalogs.
type Handlers struct {
	db       *uproar.DB
	uploads  *upload.Uploads
	mostOf   func(questions int) int // bounds the bytes of the answers of a call
	catalogs sync.Map                // *catalog.Catalog by name, once it was asked
}

// New returns the handlers of a database. Their imports take turns with other uploads. mostOf
// bounds the bytes of the answers to the questions of one call.
func New(db *uproar.DB, uploads *upload.Uploads, mostOf func(questions int) int) *Handlers {
	return &Handlers{db: db, uploads: uploads, mostOf: mostOf}
}
