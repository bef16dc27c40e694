// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"slices"
	"strconv"

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
	v, err := newValues(ctx, s, columns)
	if err != nil {
		return nil, err
	}
	reply := &gotten{values: v, keys: req.Keys, at: make([]int, len(req.Keys)), sequence: s.Sequence()}
	var ids []uint64
	if err := s.LookUp(ctx, req.Keys, func(i int, id uint64) {
		ids = append(ids, id)
		reply.at[i] = len(ids)
	}); err != nil {
		return nil, err
	}
	for _, key := range req.Keys {
		v.bytes += len(key)
	}
	return reply, v.read(ids)
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
		dst = append(api.AppendString(append(dst, `{"key":`...), key), `,"missing":true}`...)
	}
	dst = strconv.AppendUint(append(dst, `],"sequence":`...), g.sequence, 10)
	return append(dst, '}')
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
