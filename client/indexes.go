// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"net/url"

	"github.com/uproar-db/uproar/api"
)

// Indexes asks about the indexes of the database, and changes which there are.
type Indexes struct{ client *Client }

// Indexes returns the calls about indexes.
func (c *Client) Indexes() Indexes { return Indexes{c} }

// List returns all indexes of the database, by name.
func (x Indexes) List(ctx context.Context) ([]api.Index, error) {
	var reply api.IndexesReply
	err := x.client.get(ctx, "/v1/indexes", nil, &reply)
	return reply.Indexes, err
}

// Describe returns one index, by its name or an alias. Errors: ErrUnknownIndex.
func (x Indexes) Describe(ctx context.Context, name string) (api.Index, error) {
	var reply api.IndexesReply
	err := x.client.get(ctx, "/v1/indexes", url.Values{"index": {name}}, &reply)
	if err != nil || len(reply.Indexes) == 0 {
		return api.Index{}, err
	}
	return reply.Indexes[0], nil
}

// Create makes an index, and returns its fields. Errors: ErrIndexExists, ErrInvalid.
func (x Indexes) Create(ctx context.Context, name string, fields ...api.Field) ([]api.Field, error) {
	var reply api.CreateIndexReply
	err := x.client.post(ctx, "/v1/indexes/create", api.CreateIndexRequest{Index: name, Fields: fields}, &reply, true)
	return reply.Fields, err
}

// Drop deletes an index with all its records, for good. One that has an alias, or that an
// application needs, is refused. Errors: ErrUnknownIndex, ErrInvalid.
func (x Indexes) Drop(ctx context.Context, name string) error {
	return x.client.post(ctx, "/v1/indexes/drop", api.DropIndexRequest{Index: name}, new(api.DoneReply), true)
}

// SetAlias points an alias at an index, in the place of the one that it pointed at. Without an
// index the alias is removed. Errors: ErrUnknownIndex, ErrInvalid.
func (x Indexes) SetAlias(ctx context.Context, alias, index string) error {
	req := api.AliasRequest{Alias: alias, Index: index}
	return x.client.post(ctx, "/v1/indexes/alias", req, new(api.DoneReply), true)
}
