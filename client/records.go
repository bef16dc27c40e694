// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"iter"

	"github.com/uproar-db/uproar/api"
)

// WriteRecords writes records of an index, all of it or nothing, and returns the number of the
// commit. If a requirement does not hold, the error has the code api.CodeConditionFailed, and
// nothing is written. Other errors: ErrUnknownIndex, ErrInvalid (whose Errors name the items).
func (c *Client) WriteRecords(ctx context.Context, req api.RecordsWriteRequest) (sequence uint64, err error) {
	var reply api.RecordsWriteReply
	err = c.post(ctx, "/v1/records/write", req, &reply, true)
	return reply.Sequence, err
}

// Records returns records by their keys, in the same order. No fields means all.
func (c *Client) Records(ctx context.Context, index string, keys []string, fields ...string) ([]api.Record, error) {
	var reply api.RecordsGetReply
	req := api.RecordsGetRequest{Index: index, Keys: keys, Fields: fields}
	err := c.post(ctx, "/v1/records/get", req, &reply, false)
	return reply.Records, err
}

// FindRecords returns a page of the records that a query matches, in an order.
func (c *Client) FindRecords(ctx context.Context, req api.RecordsFindRequest) (reply api.RecordsFindReply, err error) {
	err = c.post(ctx, "/v1/records/find", req, &reply, false)
	return reply, err
}

// AllRecords returns all records that a query matches, in an order. It asks for them page by page,
// each in the state of its own time. The sequence ends with the first error.
func (c *Client) AllRecords(ctx context.Context, req api.RecordsFindRequest) iter.Seq2[api.Record, error] {
	return func(yield func(api.Record, error) bool) {
		for {
			reply, err := c.FindRecords(ctx, req)
			if err != nil {
				yield(api.Record{}, err)
				return
			}
			for _, r := range reply.Records {
				if !yield(r, nil) {
					return
				}
			}
			if req.Cursor = reply.Cursor; req.Cursor == "" {
				return
			}
		}
	}
}
