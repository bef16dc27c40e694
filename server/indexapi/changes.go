// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"cmp"
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// maxChanges is how many changes a reply has before it ends, at the end of a commit.
const maxChanges = 5_000

func decodeChanges(c call.Request) (api.ChangesRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.ChangesRequest{Index: p.Required("index")}
	req.After = p.Sequence("after")
	req.Limit, _ = p.Limit()
	req.Wait = p.Wait()
	return req, p.Finish()
}

// changes answers the commits of an index after one. If there is none, it waits for one, as long as
// it is asked to and the time of the request allows.
func (h *Handlers) changes(ctx context.Context, req api.ChangesRequest) (call.Reply, error) {
	index, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	r, err := commits(ctx, index, req)
	if err != nil || len(r.Commits) > 0 || req.Wait == 0 {
		return r, h.gone(req.Index, index, err)
	}
	waiting, cancel := call.Waiting(ctx, req.Wait)
	defer cancel()
	switch err := index.Wait(waiting, req.After); {
	case err == nil:
		return commits(ctx, index, req)
	case waiting.Err() != nil && ctx.Err() == nil:
		return r, nil
	default:
		return nil, h.gone(req.Index, index, err)
	}
}

// gone returns why an index cannot be followed any more, if that is why there is an error.
func (h *Handlers) gone(name string, followed *uproar.Index, err error) error {
	if errors.Is(err, uproar.ErrClosed) {
		return cmp.Or(call.Gone(h.db, name, followed), err)
	}
	return err
}

// commits reads the commits that there are.
func commits(ctx context.Context, index *uproar.Index, req api.ChangesRequest) (api.ChangesReply, error) {
	r := api.ChangesReply{Last: req.After}
	snapshot := index.Snapshot()
	last := snapshot.Sequence()
	snapshot.Close()
	if last > req.After { // else the follower may wait, and must hold no memory that others need
		if err := uproar.Grow(ctx, call.SmallAnswer+1); err != nil { // a commit may have any number of changes
			return r, err
		}
	}
	changes := 0
	for c, err := range index.Changes(ctx, req.After) {
		if err != nil {
			return r, err
		}
		commit := api.Commit{Sequence: c.Sequence, Time: c.Time, Loaded: c.Loaded}
		for _, x := range c.Changes {
			commit.Changes = append(commit.Changes, api.Changed{Kind: string(x.Kind), Field: x.Field, Record: x.Record,
				RecordID: x.RecordID, Value: x.Value})
		}
		r.Commits, r.Last = append(r.Commits, commit), c.Sequence
		if changes += len(c.Changes); len(r.Commits) == req.Limit || changes >= maxChanges {
			break
		}
	}
	return r, nil
}
