// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audienceapi

import (
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

var (
	ofQuery = call.Parameter{Name: "q",
		About: "the query of the audience", Required: true}
	ofField = call.Parameter{Name: "field", About: "name of the field", Required: true}
	ofLeast = call.Parameter{Name: "least", About: "fewest records of a value", Integer: true, Least: 1}

	ofFields = call.Parameter{Name: "field", About: "names of fields", Repeated: true, Most: api.MaxFields}
)

// unknownErrors are those of calls that find an audience.
var unknownErrors = append([]api.Code{api.CodeInvalidCursor}, call.AskErrors...)

// Operations describe the calls about audiences.
var Operations = []call.Operation{
	{
		Method: "GET", Path: "/v1/audience/size", Summary: "How many records an audience has, and which share that is",
		Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex, ofQuery}, Replies: []any{api.SizeReply{}}, Errors: call.AskErrors,
	},
	{
		Method: "GET", Path: "/v1/audience/words", Summary: "The word cloud of an audience: most frequent and most " +
			"typical values of a field", Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex, ofQuery, ofField, call.OfLimit, {Name: "least",
			About:   "fewest records of a typical word; a thousandth of the audience, at least 2, if not given",
			Integer: true, Least: 1}},
		Replies: []any{api.WordsReply{}}, Errors: call.AskErrors,
	},
	{
		Method: "GET", Path: "/v1/audience/values", Summary: "The values of a field within an audience, page by page",
		Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex, ofQuery, ofField, {Name: "by",
			About: "measure of the ranking; count if not given", Enum: []string{"count", "lift"}},
			call.OfLimit, ofLeast, call.OfCursor},
		Replies: []any{api.ValuesReply{}}, Errors: unknownErrors,
	},
	{
		Method: "GET", Path: "/v1/audience/demographics", Summary: "How the values of several fields are spread " +
			"over an audience, alone and in cross-tabs", Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex, ofQuery, ofFields, {Name: "cross",
			About: "two or three fields, with commas", Repeated: true, Most: api.MaxFields}, call.OfLimit},
		Replies: []any{api.DemographicsReply{}}, Errors: call.AskErrors,
	},
	{
		Method: "GET", Path: "/v1/audience/compare", Summary: "How another audience differs: sizes, overlap, and " +
			"values that are more frequent in one of them", Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex, ofQuery, {Name: "with", About: "query of the other audience",
			Required: true},
			ofFields, call.OfLimit, ofLeast},
		Replies: []any{api.CompareReply{}}, Errors: call.AskErrors,
	},
	{
		Method: "GET", Path: "/v1/audience/overlap", Summary: "What each two of several audiences have in common",
		Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex, {Name: "q", About: "the queries, at least two", Required: true,
			Repeated: true,
			Most:     api.MaxSets}},
		Replies: []any{api.OverlapReply{}}, Errors: call.AskErrors,
	},
	{
		Method: "POST", Path: "/v1/audience/report",
		Summary: "Several answers about one audience, which is evaluated once", Access: call.AccessRead,
		Body: api.ReportRequest{}, Replies: []any{api.ReportReply{}}, Errors: slices.Concat(unknownErrors,
			call.BodyErrors),
	},
	{
		Method: "POST", Path: "/v1/audience/save", Summary: "Save an audience: its records, or its query",
		Access: call.AccessWrite,
		Body:   api.SaveAudienceRequest{}, Replies: []any{api.CountReply{}},
		Errors: slices.Concat([]api.Code{api.CodeReadOnly}, call.AskErrors, call.BodyErrors),
	},
	{
		Method: "POST", Path: "/v1/audience/forget", Summary: "Delete a saved audience", Access: call.AccessWrite,
		Body: api.ForgetAudienceRequest{}, Replies: []any{api.ForgetReply{}},
		Errors: slices.Concat([]api.Code{api.CodeReadOnly, api.CodeUnknownIndex, api.CodeUnknownSet}, call.BodyErrors),
	},
	{
		Method: "GET", Path: "/v1/audience/saved", Summary: "The saved audiences of an index", Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex}, Replies: []any{api.SavedReply{}}, Errors: call.AskErrors,
	},
	{
		Method: "POST", Path: importPath, Summary: "Put the records of tables into an index, all of them or none, or " +
			"make the index", Access: call.AccessWrite, Streams: true, Always: true,
		Params: []call.Parameter{
			call.OfIndex,
			{Name: "key", About: "column of the keys, if not a guess"},
			{Name: "null", About: "text that stands for no value", Repeated: true},
			{Name: "format", About: "of the tables",
				Enum: []string{"detect", "csv", "tsv", "ndjson", "parquet"}},
			{Name: "separator", About: "what stands between values",
				Enum: []string{"detect", "comma", "semicolon", "tab", "pipe"}},
			{Name: "guessed", About: "true: the schema that is sent is a guess", Boolean: true},
			{Name: "unique", About: "true: a key twice fails the import; implied where the key is found by distinct values",
				Boolean: true},
			{Name: "ignore", About: "true: leave out columns that are no fields", Boolean: true},
			{Name: "strict", About: "true: the first bad value or line fails the import", Boolean: true},
			{Name: "bad", About: "share of lines and values that may be bad; none if not given"},
			{Name: "check", About: "true: nothing is imported", Boolean: true},
		},
		Takes: "application/octet-stream", Replies: []any{api.TableImportReply{}},
		Errors: []api.Code{api.CodeUnknownIndex, api.CodeBodyTooLarge, api.CodeUnsupportedMedia, api.CodeReadOnly},
	},
}
