// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"slices"

	"github.com/uproar-db/uproar/api"
)

// queryReplies are the replies of a query, by what is asked for.
var queryReplies = []any{api.KeysReply{}, api.IDsReply{}, api.CountReply{}, api.PlanReply{}}

// queryOperations describe the calls that any index has.
var queryOperations = []operation{
	{
		method: "GET", path: "/v1/query", summary: "The records that a query matches", access: accessRead,
		params: []parameter{
			ofIndex, {name: "q", about: "the query, in the query language", required: true},
			{name: "answer", about: "what is wanted: keys, if not given",
				enum: []string{"keys", "ids", "count", "explain"}}, ofLimit, ofCursor,
		},
		replies: queryReplies, errors: append([]api.Code{api.CodeInvalidCursor}, askErrors...),
	},
	{
		method: "POST", path: "/v1/query", summary: "The records that a query matches, for queries that are long",
		access: accessRead,
		body:   api.QueryRequest{}, replies: queryReplies, errors: slices.Concat([]api.Code{api.CodeInvalidCursor},
			askErrors, bodyErrors),
	},
	{
		method: "POST", path: "/v1/answers",
		summary: "Several answers about the records of one query, which is evaluated once", access: accessRead,
		body: api.AnswersRequest{}, replies: []any{api.AnswersReply{}},
		errors: slices.Concat([]api.Code{api.CodeInvalidCursor}, askErrors, bodyErrors),
	},
	{
		method: "POST", path: "/v1/save", summary: "Store the records of a query under a name", access: accessWrite,
		body: api.SaveRequest{}, replies: []any{api.CountReply{}}, errors: slices.Concat([]api.Code{api.CodeReadOnly},
			askErrors, bodyErrors),
	},
	{
		method: "POST", path: "/v1/batch", summary: "Many calls by GET in one", access: accessRead,
		body: api.BatchRequest{}, replies: []any{api.BatchReply{}}, errors: bodyErrors,
	},
	{
		method: "GET", path: "/v1/changes",
		summary: "The commits of an index after one; waits for the next one if asked to", access: accessRead,
		always: true,
		params: []parameter{
			ofIndex, {name: "after", about: "number of the last commit that the client knows; 0: from the first on",
				required: true, integer: true}, ofLimit,
			{name: "wait", about: "how long to wait for a commit when there is none, such as 5s; at most 1m"},
		},
		replies: []any{api.ChangesReply{}}, errors: []api.Code{api.CodeUnknownIndex, api.CodeSequenceTrimmed},
	},
}
