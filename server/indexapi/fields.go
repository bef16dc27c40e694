// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/server/call"
)

const fieldsPath = "/v1/fields"

// FieldOperations describe the calls about what an index consists of.
var FieldOperations = []call.Operation{
	{
		Method: "GET", Path: fieldsPath, Summary: "The fields of an index, as they are declared",
		Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex}, Replies: []any{api.FieldsReply{}},
		Errors: []api.Code{api.CodeUnknownIndex},
	},
	{
		Method: "POST", Path: fieldsPath, Summary: "Drop fields of an index with all their values, then add others, all or none; " +
			"what it consists of then", Access: call.AccessWrite,
		Body: api.FieldsRequest{}, Replies: []any{api.FieldsReply{}}, Errors: append([]api.Code{api.CodeReadOnly,
			api.CodeUnknownIndex, api.CodeUnknownField}, call.BodyErrors...),
	},
}

func decodeFields(c call.Request) (api.FieldsRequest, error) {
	req, err := call.DecodeBody[api.FieldsRequest](c)
	switch {
	case err != nil:
	case req.Index == "":
		err = call.Invalid("\"index\" is missing or empty")
	case len(req.Drop) == 0 && len(req.Add) == 0:
		err = call.Invalid("got nothing to drop or to add, want \"drop\" or \"add\"")
	case max(len(req.Drop), len(req.Add)) > api.MaxFieldChanges:
		err = call.Invalid("got %d fields to drop and %d to add, want at most %d of each", len(req.Drop), len(req.Add),
			api.MaxFieldChanges)
	}
	return req, err
}

func (h *Handlers) fields(_ context.Context, index string) (call.Reply, error) {
	ix, err := h.db.Index(index)
	if err != nil {
		return nil, err
	}
	return api.FieldsReply{Fields: fieldsOf(ix)}, nil
}

// fieldsOf returns the fields of an index, as they are declared.
func fieldsOf(ix *uproar.Index) []api.Field {
	fields := []api.Field{}
	for _, f := range ix.Fields() {
		fields = append(fields, api.Field{Name: f.Name, Type: string(f.Type), Inverse: f.Inverse,
			Column: string(f.Column), Format: string(f.Format), Scale: f.Scale})
	}
	return fields
}

// asDeclared returns fields of a request. A type may be one word for type and format, such as date.
// What else cannot be is left as it is, for the database to refuse.
func asDeclared(of []api.Field) ([]uproar.Field, error) {
	fields := make([]uproar.Field, len(of))
	for i, f := range of {
		if f.Type == "decimal" && f.Scale == 0 {
			return nil, call.Invalid("field %s: got type \"decimal\" without \"scale\", want 1 to 18 digits",
				call.Quote(f.Name))
		}
		field := uproar.Field{Name: f.Name, Type: uproar.FieldType(f.Type), Inverse: f.Inverse,
			Column: uproar.Column(f.Column), Format: uproar.Format(f.Format), Scale: f.Scale}
		if t, format, err := uproar.ParseFieldType(f.Type); err == nil && f.Format == "" {
			field.Type, field.Format = t, format
		}
		fields[i] = field
	}
	return fields, nil
}

func (h *Handlers) changeFields(ctx context.Context, req api.FieldsRequest) (call.Reply, error) {
	ix, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	declared := ix.Fields()
	for i, name := range req.Drop {
		if slices.Contains(req.Drop[:i], name) {
			return nil, call.Invalid("drop: got %s twice", call.Quote(name))
		}
		if !slices.ContainsFunc(declared, func(f uproar.Field) bool { return f.Name == name }) {
			return nil, &api.Error{Code: api.CodeUnknownField, Message: "index " + call.Quote(req.Index) +
				": unknown field " + call.Quote(name)}
		}
	}
	add, err := asDeclared(req.Add)
	if err != nil {
		return nil, err
	}
	if err := dependents.ChangeFields(ctx, h.db, req.Index, req.Drop, add); err != nil {
		return nil, err
	}
	return h.fields(ctx, req.Index)
}
