// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/uproar-db/uproar/api"
)

// Page says which part of an answer is wanted.
type Page struct {
	Limit  int    // entries, 1 to api.MaxLimit; 0 means api.DefaultLimit
	Cursor string // of the page before; "" means the first
}

// Keys returns a page of the keys of the records that a query matches, by ascending record ID.
func (c *Client) Keys(ctx context.Context, index, q string, p Page) (reply api.KeysReply, err error) {
	err = c.query(ctx, api.QueryRequest{Index: index, Query: Text(q), Answer: api.AnswerKeys, Limit: p.Limit,
		Cursor: p.Cursor}, &reply)
	return reply, err
}

// IDs returns a page of the IDs of the records that a query matches, ascending.
func (c *Client) IDs(ctx context.Context, index, q string, p Page) (reply api.IDsReply, err error) {
	err = c.query(ctx, api.QueryRequest{Index: index, Query: Text(q), Answer: api.AnswerIDs, Limit: p.Limit,
		Cursor: p.Cursor}, &reply)
	return reply, err
}

// Identified returns a page of the records that a query matches, by ID and key, by ascending ID.
func (c *Client) Identified(ctx context.Context, index, q string, p Page) (reply api.IdentifiedReply, err error) {
	err = c.query(ctx, api.QueryRequest{Index: index, Query: Text(q), Answer: api.AnswerRecords, Limit: p.Limit,
		Cursor: p.Cursor}, &reply)
	return reply, err
}

// AllKeys returns the keys of all records that a query matches. It asks for them page by page, each
// in the state of its own time. The sequence ends with the first error.
func (c *Client) AllKeys(ctx context.Context, index, q string) iter.Seq2[string, error] {
	return pages(func(cursor string) ([]string, string, error) {
		reply, err := c.Keys(ctx, index, q, Page{Limit: api.MaxLimit, Cursor: cursor})
		return reply.Keys, reply.Cursor, err
	})
}

// pages goes through the entries of all pages.
func pages(read func(cursor string) (entries []string, next string, err error)) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for cursor := ""; ; {
			entries, next, err := read(cursor)
			if err != nil {
				yield("", err)
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			cursor = next
		}
	}
}

// Count returns how many records a query matches.
func (c *Client) Count(ctx context.Context, index, q string) (uint64, error) {
	var reply api.CountReply
	err := c.query(ctx, api.QueryRequest{Index: index, Query: Text(q), Answer: api.AnswerCount}, &reply)
	return reply.Count, err
}

// Explain returns the plan of a query, as JSON whose members may change from version to version.
func (c *Client) Explain(ctx context.Context, index, q string) (json.RawMessage, error) {
	var reply api.PlanReply
	err := c.query(ctx, api.QueryRequest{Index: index, Query: Text(q), Answer: api.AnswerExplain}, &reply)
	return reply.Plan, err
}

func (c *Client) query(ctx context.Context, req api.QueryRequest, reply any) error {
	return c.post(ctx, "/v1/query", req, reply, false)
}

// Text returns a query in the query language as api.AnswersRequest and its like have it. One in
// JSON, which begins with {, stays as it is.
func Text(q string) json.RawMessage {
	if strings.HasPrefix(strings.TrimSpace(q), "{") && json.Valid([]byte(q)) {
		return json.RawMessage(q)
	}
	text, _ := json.Marshal(q) // of a string it never fails
	return text
}

// Answers returns several answers about the records of one query, in one state of the database.
func (c *Client) Answers(ctx context.Context, req api.AnswersRequest) (reply api.AnswersReply, err error) {
	err = c.post(ctx, "/v1/answers", req, &reply, false)
	return reply, err
}

// Save stores the records of a query under a name, and returns how many they are.
func (c *Client) Save(ctx context.Context, index, name, q string) (uint64, error) {
	var reply api.CountReply
	err := c.post(ctx, "/v1/save", api.SaveRequest{Index: index, Name: name, Query: Text(q)}, &reply, true)
	return reply.Count, err
}

// Answered is what one call of a batch was answered with.
type Answered struct {
	Reply json.RawMessage // in JSON, of a call that was answered
	Err   error           // an *Error, of one that was not
}

// Batch asks up to api.MaxCalls calls by GET at once. Each call is a path with parameters, as in an
// address. The answers are in the order of the calls.
func (c *Client) Batch(ctx context.Context, calls ...string) ([]Answered, error) {
	var reply api.BatchReply
	if err := c.post(ctx, "/v1/batch", api.BatchRequest{Calls: append([]string{}, calls...)}, &reply,
		false); err != nil {
		return nil, err
	}
	if len(reply.Answers) != len(calls) {
		return nil, fmt.Errorf("client: got %d answers to %d calls", len(reply.Answers), len(calls))
	}
	list := make([]Answered, len(calls))
	for i, text := range reply.Answers {
		var failed api.ErrorReply
		if json.Unmarshal(text, &failed) == nil && failed.Error.Code != "" {
			list[i].Err = errorOf(failed.Error.Code.Status(), &failed.Error)
		} else {
			list[i].Reply = text
		}
	}
	return list, nil
}
