// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"slices"

	"github.com/uproar-db/uproar/api"
)

var (
	ofQuery = parameter{name: "q",
		about: "the query, in the query language; saved(name) may be an audience that follows the data", required: true}
	ofField = parameter{name: "field", about: "name of the field", required: true}
	ofLeast = parameter{name: "least", about: "records that a value must have", integer: true, least: 1}

	ofFields = parameter{name: "field", about: "names of fields", repeated: true, most: api.MaxFields}
)

// audienceErrors are those of calls that find an audience.
var audienceErrors = append([]api.Code{api.CodeInvalidCursor}, askErrors...)

// audienceOperations describe the calls about audiences.
var audienceOperations = []operation{
	{
		method: "GET", path: "/v1/audience/size", summary: "How many records an audience has, and which share that is",
		access: accessRead,
		params: []parameter{ofIndex, ofQuery}, replies: []any{api.SizeReply{}}, errors: askErrors,
	},
	{
		method: "GET", path: "/v1/audience/words", summary: "The word cloud of an audience: most frequent and most " +
			"typical values of a field", access: accessRead,
		params: []parameter{ofIndex, ofQuery, ofField, ofLimit, {name: "least",
			about:   "records that a typical word must have; a thousandth of the audience, at least 2, if not given",
			integer: true, least: 1}},
		replies: []any{api.WordsReply{}}, errors: askErrors,
	},
	{
		method: "GET", path: "/v1/audience/values", summary: "The values of a field within an audience, page by page",
		access: accessRead,
		params: []parameter{ofIndex, ofQuery, ofField, {name: "by", about: "what they are ranked by; count if not " +
			"given", enum: []string{"count", "lift"}}, ofLimit, ofLeast, ofCursor},
		replies: []any{api.ValuesReply{}}, errors: audienceErrors,
	},
	{
		method: "GET", path: "/v1/audience/demographics", summary: "How the values of several fields are spread " +
			"over an audience, alone and in cross-tabs", access: accessRead,
		params: []parameter{ofIndex, ofQuery, ofFields, {name: "cross",
			about: "two or three fields with commas between them", repeated: true, most: api.MaxFields}, ofLimit},
		replies: []any{api.DemographicsReply{}}, errors: askErrors,
	},
	{
		method: "GET", path: "/v1/audience/compare", summary: "How another audience differs: sizes, overlap, and " +
			"values that are more frequent in one of them", access: accessRead,
		params: []parameter{ofIndex, ofQuery, {name: "with", about: "the query of the other audience", required: true},
			ofFields, ofLimit, ofLeast},
		replies: []any{api.CompareReply{}}, errors: askErrors,
	},
	{
		method: "GET", path: "/v1/audience/overlap", summary: "What each two of several audiences have in common",
		access: accessRead,
		params: []parameter{ofIndex, {name: "q", about: "the queries, at least two", required: true, repeated: true,
			most: api.MaxSets}},
		replies: []any{api.OverlapReply{}}, errors: askErrors,
	},
	{
		method: "POST", path: "/v1/audience/report",
		summary: "Several answers about one audience, which is evaluated once", access: accessRead,
		body: api.ReportRequest{}, replies: []any{api.ReportReply{}}, errors: slices.Concat(audienceErrors, bodyErrors),
	},
	{
		method: "POST", path: "/v1/audience/save", summary: "Save an audience: its records, or its query",
		access: accessWrite,
		body:   api.SaveAudienceRequest{}, replies: []any{api.CountReply{}},
		errors: slices.Concat([]api.Code{api.CodeReadOnly}, askErrors, bodyErrors),
	},
	{
		method: "POST", path: "/v1/audience/forget", summary: "Delete a saved audience", access: accessWrite,
		body: api.ForgetAudienceRequest{}, replies: []any{api.ForgetReply{}},
		errors: slices.Concat([]api.Code{api.CodeReadOnly, api.CodeUnknownIndex, api.CodeUnknownSet}, bodyErrors),
	},
	{
		method: "GET", path: "/v1/audience/saved", summary: "The saved audiences of an index", access: accessRead,
		params: []parameter{ofIndex}, replies: []any{api.SavedReply{}}, errors: askErrors,
	},
}
