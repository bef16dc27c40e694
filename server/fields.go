// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/dependents"
)

const fieldsPath = "/v1/fields"

// fieldOperations describe the calls about what an index consists of.
var fieldOperations = []operation{
	{
		method: "GET", path: fieldsPath, summary: "The fields of an index, as they are declared", access: accessRead,
		params: []parameter{ofIndex}, replies: []any{api.FieldsReply{}}, errors: []api.Code{api.CodeUnknownIndex},
	},
	{
		method: "POST", path: fieldsPath, summary: "Drop fields of an index with all their values, then add others; " +
			"what it consists of then", access: accessWrite,
		body: api.FieldsRequest{}, replies: []any{api.FieldsReply{}}, errors: append([]api.Code{api.CodeReadOnly,
			api.CodeUnknownIndex, api.CodeUnknownField}, bodyErrors...),
	},
}

func decodeFields(c call) (api.FieldsRequest, error) {
	req, err := decodeBody[api.FieldsRequest](c)
	switch {
	case err != nil:
	case req.Index == "":
		err = invalid("\"index\" is missing or empty")
	case len(req.Drop) == 0 && len(req.Add) == 0:
		err = invalid("got nothing to drop or to add, want \"drop\" or \"add\"")
	case max(len(req.Drop), len(req.Add)) > api.MaxFieldChanges:
		err = invalid("got %d fields to drop and %d to add, want at most %d of each", len(req.Drop), len(req.Add),
			api.MaxFieldChanges)
	}
	return req, err
}

func (h *indexCalls) fields(_ context.Context, index string) (reply, error) {
	ix, err := h.db.Index(index)
	if err != nil {
		return nil, err
	}
	r := api.FieldsReply{Fields: []api.Field{}}
	for _, f := range ix.Fields() {
		r.Fields = append(r.Fields, api.Field{Name: f.Name, Type: string(f.Type), Inverse: f.Inverse,
			Column: string(f.Column), Format: string(f.Format), Scale: f.Scale})
	}
	return r, nil
}

func (h *indexCalls) changeFields(ctx context.Context, req api.FieldsRequest) (reply, error) {
	ix, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	declared := ix.Fields()
	for i, name := range req.Drop { // before any of them is dropped
		if slices.Contains(req.Drop[:i], name) {
			return nil, invalid("drop: got %s twice", quote(name))
		}
		if !slices.ContainsFunc(declared, func(f uproar.Field) bool { return f.Name == name }) {
			return nil, &api.Error{Code: api.CodeUnknownField, Message: "index " + quote(req.Index) +
				": unknown field " + quote(name)}
		}
		if err := dependents.Check(ctx, h.db, req.Index, name); err != nil {
			return nil, err
		}
	}
	for _, name := range req.Drop {
		if err := h.db.DropField(ctx, req.Index, name); err != nil {
			return nil, err
		}
	}
	if len(req.Add) > 0 {
		add := make([]uproar.Field, len(req.Add))
		for i, f := range req.Add {
			add[i] = uproar.Field{Name: f.Name, Type: uproar.FieldType(f.Type), Inverse: f.Inverse,
				Column: uproar.Column(f.Column), Format: uproar.Format(f.Format), Scale: f.Scale}
		}
		if _, err := h.db.AddFields(ctx, req.Index, add...); err != nil {
			return nil, err
		}
	}
	return h.fields(ctx, req.Index)
}
