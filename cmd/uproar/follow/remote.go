// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"context"
	"errors"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/query"
)

// remote is the graph of a server as a sink. While the server cannot be reached or is overloaded,
// it waits: a change that was made twice changes nothing.
type remote struct {
	client *client.Client
	keyed  bool // the server has a graph
	most   int  // about how many bytes of JSON a write may have; 0: mostBytes
}

// patiently calls until the answer is one that does not change.
func patiently(ctx context.Context, call func() error) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err := call()
		refused, ok := errors.AsType[*client.Error](err)
		if err == nil || ctx.Err() != nil || ok && refused.Status < 500 && refused.Status != 429 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Write has the server write changes.
func (r *remote) Write(ctx context.Context, c graph.Changes) (sequence uint64, err error) {
	if err := r.make(ctx); err != nil {
		return 0, err
	}
	if r.most == 0 {
		r.most = mostBytes
	}
	least := max(leastBytes, needOf(c.List))
	for {
		sequence, err = r.writeParts(ctx, c)
		if !isTooLarge(err) || r.most <= least {
			return sequence, err
		}
		r.most = max(r.most/2, least)
	}
}

// make has the server make a graph with keys, if it has none: it does so for a change with a key.
// This one changes nothing.
func (r *remote) make(ctx context.Context) error {
	if r.keyed {
		return nil
	}
	nothing := graph.Change{Op: graph.Clear, Relation: graph.Follows, Account: "did:web:nobody.invalid", Key: "self"}
	_, err := r.write(ctx, graph.Changes{List: []graph.Change{nothing}})
	r.keyed = err == nil
	return err
}

func (r *remote) write(ctx context.Context, c graph.Changes) (sequence uint64, err error) {
	req := api.WriteRequest{Changes: make([]api.ChangeRequest, len(c.List)), Stream: c.Stream}
	if c.Stream != "" {
		req.Position = &c.Position
	}
	for i, x := range c.List {
		change := &req.Changes[i]
		*change = api.ChangeRequest{Op: string(x.Op), Relation: string(x.Relation), Account: x.Account,
			Target: x.Target, Key: x.Key}
		for _, e := range x.Edges {
			change.Edges = append(change.Edges, api.EdgeRequest(e))
		}
	}
	err = patiently(ctx, func() (err error) {
		sequence, err = r.client.Graph().Write(ctx, req)
		return err
	})
	return sequence, err
}

// Position asks the server how far a stream has come.
func (r *remote) Position(stream string) (position int64, ok bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = patiently(ctx, func() (err error) {
		position, ok, err = r.client.Graph().Position(ctx, stream)
		return err
	})
	return position, ok, err
}

// Targets asks the server for targets of an account.
func (r *remote) Targets(ctx context.Context, relation graph.Relation, account string, limit int) (targets []string,
	err error) {
	if err := r.make(ctx); err != nil {
		return nil, err
	}
	// The calls about accounts leave hidden ones out, which a query does not.
	q := query.Related{Field: string(relation), Key: account}.String()
	err = patiently(ctx, func() error {
		targets = nil
		if limit > 0 {
			page, err := r.client.Keys(ctx, graph.IndexName, q, client.Page{Limit: limit})
			targets = page.Keys
			return err
		}
		for target, err := range r.client.AllKeys(ctx, graph.IndexName, q) {
			if err != nil {
				return err
			}
			targets = append(targets, target)
		}
		return nil
	})
	return targets, err
}

// Members asks the server for a page of the members of a list.
func (r *remote) Members(ctx context.Context, list, cursor string, limit int) (members []string, next string,
	err error) {
	if err := r.make(ctx); err != nil {
		return nil, "", err
	}
	q := query.Related{Field: string(graph.Members), Key: list}.String()
	err = patiently(ctx, func() error {
		page, err := r.client.Keys(ctx, graph.IndexName, q, client.Page{Limit: limit, Cursor: cursor})
		members, next = page.Keys, page.Cursor
		return err
	})
	return members, next, err
}
