// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"net/url"
	"strconv"

	"github.com/uproar-db/uproar/api"
)

// Catalog asks about the records of a catalog. It is a value that nothing was asked about yet.
type Catalog struct {
	c    *Client
	name string
}

// Catalog returns the catalog of a name.
func (c *Client) Catalog(name string) Catalog { return Catalog{c, name} }

// Find carries out one search: nothing, one or several records count. Error of the answer is the
// error that is returned.
func (c Catalog) Find(ctx context.Context, where api.Conditions, show ...string) (answer api.SearchAnswer, err error) {
	answers, err := c.Search(ctx, api.SearchRequest{Searches: []api.Conditions{where}, Show: show})
	if err == nil && len(answers) == 1 {
		if answer = answers[0]; answer.Error != nil {
			err = errorOf(answer.Error.Code.Status(), answer.Error)
		}
	}
	return answer, err
}

// Search carries out 1 to api.MaxSearches searches in one state. It returns their answers in order,
// each with its own error. It sets Catalog of the request.
func (c Catalog) Search(ctx context.Context, req api.SearchRequest) ([]api.SearchAnswer, error) {
	var reply api.SearchReply
	req.Catalog = c.name
	err := c.c.post(ctx, "/v1/catalog/search", req, &reply, false)
	return reply.Answers, err
}

// Schema returns which attributes the records have.
func (c Catalog) Schema(ctx context.Context) (schema api.CatalogSchema, err error) {
	err = c.c.get(ctx, "/v1/catalog/schema", url.Values{"catalog": {c.name}}, &schema)
	return schema, err
}

// Facets returns which values are still possible under conditions, and how many records have each.
// Catalog of the request is that of c.
func (c Catalog) Facets(ctx context.Context, req api.FacetsRequest) (reply api.FacetsReply, err error) {
	req.Catalog = c.name
	err = c.c.post(ctx, "/v1/catalog/facets", req, &reply, false)
	return reply, err
}

// Sorted returns a part of the records that fit conditions, in an order. Catalog of the request is
// that of c.
func (c Catalog) Sorted(ctx context.Context, req api.SortedRequest) (reply api.SortedReply, err error) {
	req.Catalog = c.name
	err = c.c.post(ctx, "/v1/catalog/sorted", req, &reply, false)
	return reply, err
}

// Write deletes and puts records, all or none, in this order. It returns the sequence number of the
// write. It sets Catalog of the request.
func (c Catalog) Write(ctx context.Context, req api.CatalogWriteRequest) (sequence uint64, err error) {
	var reply api.WriteReply
	req.Catalog = c.name
	err = c.c.post(ctx, "/v1/catalog/write", req, &reply, true)
	return reply.Sequence, err
}

// Check returns what is wrong with the records: those that fit the same searches, and those that no
// search finds. limit is how many faults it returns at most, 0 means api.DefaultLimit.
func (c Catalog) Check(ctx context.Context, limit int) (reply api.CheckReply, err error) {
	query := url.Values{"catalog": {c.name}}
	if limit != 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	err = c.c.get(ctx, "/v1/catalog/check", query, &reply)
	return reply, err
}
