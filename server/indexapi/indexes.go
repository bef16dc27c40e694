// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"maps"
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/server/call"
)

const indexesPath = "/v1/indexes"

// IndexOperations describe the calls about which indexes there are.
var IndexOperations = []call.Operation{
	{
		Method: "GET", Path: indexesPath, Summary: "The indexes of the database, or one of them",
		Access:  call.AccessRead,
		Params:  []call.Parameter{{Name: "index", About: call.OfIndex.About}},
		Replies: []any{api.IndexesReply{}}, Errors: []api.Code{api.CodeUnknownIndex},
	},
	{
		Method: "POST", Path: indexesPath + "/create", Summary: "Make an index with its fields",
		Access: call.AccessWrite,
		Body:   api.CreateIndexRequest{}, Replies: []any{api.CreateIndexReply{}},
		Errors: append([]api.Code{api.CodeReadOnly, api.CodeIndexExists}, call.BodyErrors...),
	},
	{
		Method: "POST", Path: indexesPath + "/drop", Summary: "Drop an index with all its records",
		Access: call.AccessWrite,
		Body:   api.DropIndexRequest{}, Replies: []any{api.DoneReply{}},
		Errors: append([]api.Code{api.CodeReadOnly, api.CodeUnknownIndex}, call.BodyErrors...),
	},
	{
		Method: "POST", Path: indexesPath + "/alias", Summary: "Point an alias at an index, or remove it",
		Access: call.AccessWrite,
		Body:   api.AliasRequest{}, Replies: []any{api.DoneReply{}},
		Errors: append([]api.Code{api.CodeReadOnly, api.CodeUnknownIndex}, call.BodyErrors...),
	},
}

func decodeIndexes(c call.Request) (string, error) {
	p := call.ParseParams(c.Query)
	name, given := p.Optional("index")
	if given && name == "" {
		p.Fail(call.Invalid("parameter \"index\" is empty, want a name, or no such parameter for all"))
	}
	return name, p.Finish()
}

// indexes answers what indexes there are: all, or the one of a name.
func (h *Handlers) indexes(_ context.Context, name string) (call.Reply, error) {
	r := api.IndexesReply{Indexes: []api.Index{}}
	names := []string{name}
	if name == "" {
		names = h.db.Indexes()
	}
	aliases := h.db.Aliases()
	for _, of := range names {
		ix, err := h.db.Index(of)
		if err != nil && name == "" {
			continue // dropped since
		}
		if err != nil {
			return nil, err
		}
		stats, err := ix.Stats()
		if err != nil {
			return nil, err
		}
		one := api.Index{Index: ix.Name(), Aliases: []string{}, Application: dependents.Application(ix),
			Fields: fieldsOf(ix), Records: stats.Records, Bytes: stats.LogBytes + stats.DeltaBytes,
			Sequence: stats.Sequence, Commits: stats.Commits}
		for _, f := range stats.Fields {
			one.Bytes += f.Bytes
		}
		for _, alias := range slices.Sorted(maps.Keys(aliases)) {
			if aliases[alias] == ix.Name() {
				one.Aliases = append(one.Aliases, alias)
			}
		}
		r.Indexes = append(r.Indexes, one)
	}
	return r, nil
}

func decodeCreate(c call.Request) (api.CreateIndexRequest, error) {
	req, err := call.DecodeBody[api.CreateIndexRequest](c)
	switch {
	case err != nil:
	case req.Index == "":
		err = call.Invalid("\"index\" is missing or empty")
	case len(req.Fields) > api.MaxFieldChanges:
		err = call.Invalid("got %d fields, want at most %d; add the others afterwards", len(req.Fields),
			api.MaxFieldChanges)
	}
	return req, err
}

func (h *Handlers) create(ctx context.Context, req api.CreateIndexRequest) (call.Reply, error) {
	if err := dependents.CheckName(h.db, req.Index); err != nil {
		return nil, err
	}
	fields, err := asDeclared(req.Fields)
	if err != nil {
		return nil, err
	}
	ix, err := h.db.CreateIndex(ctx, req.Index, fields...)
	if err != nil {
		return nil, err
	}
	return api.CreateIndexReply{Index: ix.Name(), Fields: fieldsOf(ix)}, nil
}

func decodeDrop(c call.Request) (api.DropIndexRequest, error) {
	req, err := call.DecodeBody[api.DropIndexRequest](c)
	if err == nil && req.Index == "" {
		err = call.Invalid("\"index\" is missing or empty")
	}
	return req, err
}

func (h *Handlers) drop(ctx context.Context, req api.DropIndexRequest) (call.Reply, error) {
	if err := dependents.CheckDrop(ctx, h.db, req.Index); err != nil {
		return nil, err
	}
	return api.DoneReply{Done: true}, h.db.DropIndex(ctx, req.Index)
}

func decodeAlias(c call.Request) (api.AliasRequest, error) {
	req, err := call.DecodeBody[api.AliasRequest](c)
	if err == nil && req.Alias == "" {
		err = call.Invalid("\"alias\" is missing or empty")
	}
	return req, err
}

func (h *Handlers) alias(ctx context.Context, req api.AliasRequest) (call.Reply, error) {
	if err := dependents.CheckAlias(ctx, h.db, req.Alias, req.Index); err != nil {
		return nil, err
	}
	return api.DoneReply{Done: true}, h.db.SetAlias(ctx, req.Alias, req.Index)
}
