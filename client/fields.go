// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"net/url"

	"github.com/uproar-db/uproar/api"
)

// Fields returns the fields of an index, as they are declared.
func (c *Client) Fields(ctx context.Context, index string) ([]api.Field, error) {
	var reply api.FieldsReply
	err := c.get(ctx, "/v1/fields", url.Values{"index": {index}}, &reply)
	return reply.Fields, err
}

// ChangeFields drops fields of an index with all their values, then adds others, all of it or
// nothing. The index is read and written meanwhile. It returns the fields that the index then has.
// A field to add that is there exactly so stays.
func (c *Client) ChangeFields(ctx context.Context, req api.FieldsRequest) ([]api.Field, error) {
	var reply api.FieldsReply
	err := c.post(ctx, "/v1/fields", req, &reply, true)
	return reply.Fields, err
}
