// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"slices"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

// getRequest is a request, and how it is to be answered.
type getRequest struct {
	api.RecordsGetRequest
	form streaming.Form
}

func decodeGet(c call.Request) (req getRequest, err error) {
	if req.RecordsGetRequest, err = call.DecodeBody[api.RecordsGetRequest](c); err != nil {
		return req, err
	}
	switch {
	case req.Index == "":
		return req, call.Invalid("\"index\" is missing or empty")
	case len(req.Keys) == 0 || len(req.Keys) > api.MaxRecords:
		return req, call.Invalid("got %d keys, want 1 to %d", len(req.Keys), api.MaxRecords)
	}
	req.form, err = streaming.Accepted(&c)
	return req, err
}

func (h *Handlers) get(ctx context.Context, req getRequest) (call.Reply, error) {
	ix, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	columns, err := shown(ix, req.Fields)
	if err != nil {
		return nil, err
	}
	if !req.form.IsJSON() {
		return h.streams.Send(ctx, ix, query.Nothing{}, req.form, func(sending context.Context, s uproar.Snapshot,
			_ *uproar.Selection) (streaming.List, error) {
			return named(ctx, sending, s, req.Keys, columns)
		})
	}
	s := ix.Snapshot().Under(ctx)
	defer s.Close()
	v, err := newValues(ctx, s, columns)
	if err != nil {
		return nil, err
	}
	reply := &gotten{values: v, keys: req.Keys, at: make([]int, len(req.Keys)), sequence: s.Sequence()}
	ids, err := lookUp(ctx, s, req.Keys, reply.at)
	if err != nil {
		return nil, err
	}
	for _, key := range req.Keys {
		v.bytes += len(key)
	}
	return reply, v.read(ids)
}

// lookUp returns the IDs of the records that there are, and in at the place of each among them,
// counted from 1; 0: there is no such record.
func lookUp(ctx context.Context, s uproar.Snapshot, keys []string, at []int) (ids []uint64, err error) {
	err = s.LookUp(ctx, keys, func(i int, id uint64) {
		ids = append(ids, id)
		at[i] = len(ids)
	})
	return ids, err
}

// gotten is an api.RecordsGetReply.
type gotten struct {
	*values
	keys     []string
	at       []int // among those that were read, counted from 1; 0: there is no such record
	sequence uint64
}

// AppendJSON appends the reply.
func (g *gotten) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"records":[`...)
	for i, key := range g.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		if g.at[i] > 0 {
			dst = g.append(dst, key, g.at[i]-1)
			continue
		}
		dst = appendMissing(dst, key)
	}
	dst = strconv.AppendUint(append(dst, `],"sequence":`...), g.sequence, 10)
	return append(dst, '}')
}

// appendMissing appends an api.Record that there is not.
func appendMissing(dst []byte, key string) []byte {
	return append(api.AppendString(append(dst, `{"key":`...), key), `,"missing":true}`...)
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
