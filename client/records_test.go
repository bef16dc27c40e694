// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// indexes makes an index with a client, and drops another.
func indexes(t *testing.T, s *site) {
	ctx := t.Context()
	fields, err := s.Indexes().Create(ctx, "guests", api.Field{Name: "city", Type: "single"},
		api.Field{Name: "age", Type: "integer"}, api.Field{Name: "likes", Type: "set"})
	check(t, "CreateIndex", len(fields), err, 3)
	if _, err := s.Indexes().Create(ctx, "guests"); !errors.Is(err, client.ErrIndexExists) {
		t.Errorf("CreateIndex again: got %v, want %v", err, client.ErrIndexExists)
	}
	_, err = s.Indexes().Create(ctx, "spare")
	check(t, "CreateIndex", 0, err, 0)
	check(t, "Indexes.SetAlias", 0, s.Indexes().SetAlias(ctx, "visitors", "guests"), 0)
	one, err := s.Indexes().Describe(ctx, "visitors")
	check(t, "Index", []any{one.Index, one.Aliases, len(one.Fields)}, err, []any{"guests", []string{"visitors"}, 3})
	check(t, "Indexes.Drop", 0, s.Indexes().Drop(ctx, "spare"), 0)
	if err := s.Indexes().Drop(ctx, "guests"); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("DropIndex with an alias: got %v, want %v", err, client.ErrInvalid)
	}
	list, err := s.Indexes().List(ctx)
	names := []string{}
	for _, ix := range list {
		names = append(names, ix.Index)
	}
	if _, err := s.Indexes().Describe(ctx, "spare"); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("Index dropped: got %v, want %v", err, client.ErrUnknownIndex)
	}
	check(t, "Indexes", slices.Contains(names, "guests"), err, true)
}

// records writes and reads records with a client.
func records(t *testing.T, s *site) {
	ctx := t.Context()
	values := func(of map[string]any) api.Values {
		t.Helper()
		v, err := api.ValuesOf(of)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	sequence, err := s.WriteRecords(ctx, api.RecordsWriteRequest{Index: "guests", Puts: []api.Record{
		{Key: "ann", Values: values(map[string]any{"city": "Bern", "age": 40, "likes": []string{"tea", "cake"}})},
		{Key: "bob", Values: values(map[string]any{"age": 30})}, {Key: "cid"}}})
	check(t, "WriteRecords", sequence, err, 1)
	_, err = s.WriteRecords(ctx, api.RecordsWriteRequest{Index: "guests", Deletes: []string{"ann"},
		If: api.Requirements{{Key: "bob", Field: "age", Value: []byte("31")}}})
	if !errors.Is(err, &api.Error{Code: api.CodeConditionFailed}) {
		t.Errorf("WriteRecords on a condition: got %v", err)
	}
	_, err = s.WriteRecords(ctx, api.RecordsWriteRequest{Index: "guests", Merges: []api.Record{
		{Key: "bob", Values: values(map[string]any{"age": "old"})}}})
	if e, ok := errors.AsType[*client.Error](err); !ok || !errors.Is(err, client.ErrInvalid) || len(e.Errors) != 1 ||
		e.Errors[0].Item != "merges[0]" || e.Errors[0].Field != "age" {
		t.Errorf("WriteRecords of what cannot be: got %v, want the item named", err)
	}
	list, err := s.Records(ctx, "guests", []string{"bob", "zoe"}, "age", "city")
	check(t, "Records", list, err, []api.Record{{Key: "bob", Values: values(map[string]any{"age": 30})},
		{Key: "zoe", Missing: true}})
	req := api.RecordsFindRequest{Index: "guests", Query: client.Text("all"), Sort: []string{"age"}, Limit: 2}
	page, err := s.FindRecords(ctx, req)
	check(t, "FindRecords", []any{len(page.Records), page.Records[0].Key, page.Cursor != ""}, err,
		[]any{2, "bob", true})
	keys := []string{}
	for _, r := range all(t, "AllRecords", s.AllRecords(ctx, req)) {
		keys = append(keys, r.Key)
	}
	check(t, "AllRecords", keys, nil, []string{"bob", "ann", "cid"})
	req.Limit = 0
	const media = "text/csv"
	check(t, "Stream of records", read(t, client.Stream[api.RecordsFindRequest], s, media, req), nil,
		"key,city,age,likes\nbob,,30,\nann,Bern,40,tea|cake\ncid,,,\n")
	check(t, "Stream of records by their keys", read(t, client.Stream[api.RecordsGetRequest], s, media,
		api.RecordsGetRequest{Index: "guests", Keys: []string{"ann", "zoe", "bob"}}), nil,
		"key,city,age,likes\nann,Bern,40,tea|cake\nbob,,30,\n")
	check(t, "Stream of keys", read(t, client.Stream[api.QueryRequest], s, media,
		api.QueryRequest{Index: "guests", Query: client.Text("any(city)")}), nil, "key\nann\n")
	top := api.AnswersRequest{Index: "guests", Query: client.Text("all"), Answers: []api.Question{{Name: "top",
		Answer: api.AnswerTop, Field: "likes", Limit: 1}}}
	check(t, "Stream of an answer", read(t, client.Stream[api.AnswersRequest], s, "application/x-ndjson", top), nil,
		"{\"key\":\"tea\",\"count\":1,\"total\":1,\"score\":1}\n")
	none := api.QueryRequest{Index: "none", Query: client.Text("all")}
	if _, err := client.Stream(ctx, s.Client, media, none); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("Stream of no index: got %v, want %v", err, client.ErrUnknownIndex)
	}
	none.Index = "guests"
	if _, err := client.Stream(ctx, s.Client, "text/html", none); err == nil ||
		!strings.Contains(err.Error(), `not_acceptable`) {
		t.Errorf("Stream in a form that there is not: got %v", err)
	}
}

// read asks for a stream, and reads all of it.
func read[Q any](t *testing.T, ask func(context.Context, *client.Client, string, Q) (io.ReadCloser, error), s *site,
	media string, req Q) string {
	t.Helper()
	in, err := ask(t.Context(), s.Client, media, req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		t.Fatal(err)
	}
	return string(text)
}
