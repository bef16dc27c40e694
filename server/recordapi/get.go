// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

func decodeGet(c call.Request) (api.RecordsGetRequest, error) {
	req, err := call.DecodeBody[api.RecordsGetRequest](c)
	switch {
	case err != nil:
	case req.Index == "":
		err = call.Invalid("\"index\" is missing or empty")
	case len(req.Keys) == 0 || len(req.Keys) > api.MaxRecords:
		err = call.Invalid("got %d keys, want 1 to %d", len(req.Keys), api.MaxRecords)
	}
	return req, err
}

func (h *Handlers) get(ctx context.Context, req api.RecordsGetRequest) (call.Reply, error) {
	ix, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	columns, err := shown(ix, req.Fields)
	if err != nil {
		return nil, err
	}
	s := ix.Snapshot().Under(ctx)
	defer s.Close()
	reply := api.RecordsGetReply{Records: make([]api.Record, len(req.Keys)), Sequence: s.Sequence()}
	var ids []uint64
	var at []int // where in the reply they are
	for i, key := range req.Keys {
		reply.Records[i].Key = key
		id, err := s.ID(key)
		switch {
		case errors.Is(err, uproar.ErrUnknownRecord):
			reply.Records[i].Missing = true
		case err != nil:
			return nil, err
		default:
			ids, at = append(ids, id), append(at, i)
		}
	}
	v := values{ctx: ctx, s: s, columns: columns}
	return reply, v.read(ids, func(i int) *api.Record { return &reply.Records[at[i]] })
}

// shown returns the fields that are wanted; without names all, but the inverses of relations.
func shown(ix *uproar.Index, names []string) ([]column, error) {
	all := columnsOf(ix)
	if len(names) == 0 {
		return slices.DeleteFunc(all, func(c column) bool { return c.derived }), nil
	}
	columns := make([]column, 0, len(names))
	for i, name := range names {
		at := slices.IndexFunc(all, func(c column) bool { return c.Name == name })
		if at < 0 {
			return nil, &api.Error{Code: api.CodeUnknownField, Message: "index " + call.Quote(ix.Name()) +
				": unknown field " + call.Quote(name)}
		}
		if slices.Contains(names[:i], name) {
			return nil, call.Invalid("fields: got %s twice", call.Quote(name))
		}
		columns = append(columns, all[at])
	}
	return columns, nil
}

// values reads the values of records.
type values struct {
	ctx     context.Context
	s       uproar.Snapshot
	columns []column
	bytes   int // of all that was read, about
}

// texts returns the values of records in a field, as texts.
func (v *values) texts(c *column, ids []uint64) ([][]string, error) {
	of := make([][]string, len(ids))
	return of, v.s.Values(v.ctx, c.Name, ids, func(i int, value string) error {
		of[i] = append(of[i], value)
		if v.bytes += len(value) + call.EntryBytes/2; len(of[i])%256 == 0 || i%256 == 0 {
			return uproar.Grow(v.ctx, v.bytes)
		}
		return nil
	})
}

// read puts the values of records into where they belong.
func (v *values) read(ids []uint64, into func(i int) *api.Record) error {
	v.bytes += call.EntryBytes * len(ids)
	if err := uproar.Grow(v.ctx, v.bytes); err != nil {
		return err
	}
	for i := range ids {
		into(i).Values = make(api.Values)
	}
	for at := range v.columns {
		c := &v.columns[at]
		of, err := v.texts(c, ids)
		if err != nil {
			return err
		}
		for i, texts := range of {
			if len(texts) > 0 {
				into(i).Values[c.Name] = c.json(texts)
			}
		}
	}
	return uproar.Grow(v.ctx, v.bytes)
}

// json returns values as they are written into JSON.
func (c *column) json(texts []string) json.RawMessage {
	if c.Type == uproar.Integer && c.Format == uproar.Number {
		return json.RawMessage(texts[0])
	}
	if !c.many {
		return api.AppendString(nil, texts[0])
	}
	list := json.RawMessage{'['}
	for i, text := range texts {
		if i > 0 {
			list = append(list, ',')
		}
		list = api.AppendString(list, text)
	}
	return append(list, ']')
}
