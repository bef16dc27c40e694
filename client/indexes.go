// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"net/url"

	"github.com/uproar-db/uproar/api"
)

// Indexes returns all indexes of the database, by name.
func (c *Client) Indexes(ctx context.Context) ([]api.Index, error) {
	var reply api.IndexesReply
	err := c.get(ctx, "/v1/indexes", nil, &reply)
	return reply.Indexes, err
}

// Index returns one index, by its name or an alias. Errors: ErrUnknownIndex.
func (c *Client) Index(ctx context.Context, name string) (api.Index, error) {
	var reply api.IndexesReply
	err := c.get(ctx, "/v1/indexes", url.Values{"index": {name}}, &reply)
	if err != nil || len(reply.Indexes) == 0 {
		return api.Index{}, err
	}
	return reply.Indexes[0], nil
}

// CreateIndex makes an index, and returns its fields. Errors: ErrIndexExists, ErrInvalid.
func (c *Client) CreateIndex(ctx context.Context, name string, fields ...api.Field) ([]api.Field, error) {
	var reply api.CreateIndexReply
	err := c.post(ctx, "/v1/indexes/create", api.CreateIndexRequest{Index: name, Fields: fields}, &reply, true)
	return reply.Fields, err
}

// DropIndex deletes an index with all its records, for good. One that has an alias, or that an
// application needs, is refused. Errors: ErrUnknownIndex, ErrInvalid.
func (c *Client) DropIndex(ctx context.Context, name string) error {
	return c.post(ctx, "/v1/indexes/drop", api.DropIndexRequest{Index: name}, new(api.DoneReply), true)
}

// SetAlias points an alias at an index, in the place of the one that it pointed at. Without an
// index the alias is removed. Errors: ErrUnknownIndex, ErrInvalid.
func (c *Client) SetAlias(ctx context.Context, alias, index string) error {
	return c.post(ctx, "/v1/indexes/alias", api.AliasRequest{Alias: alias, Index: index}, new(api.DoneReply), true)
}
