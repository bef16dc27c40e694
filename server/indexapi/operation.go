// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

// queryReplies are the replies of a query, by what is asked for.
var queryReplies = []any{api.KeysReply{}, api.IDsReply{}, api.IdentifiedReply{}, api.CountReply{}, api.PlanReply{}}

// Operations describe the calls that any index has.
var Operations = []call.Operation{
	{
		Method: "GET", Path: "/v1/query", Summary: "The records that a query matches", Access: call.AccessRead,
		Params: []call.Parameter{
			call.OfIndex, {Name: "q", About: "the query, in the query language", Required: true},
			{Name: "answer", About: "what is wanted: keys, if not given",
				Enum: []string{"keys", "ids", "records", "count", "explain"}}, call.OfLimit, call.OfCursor,
		},
		Replies: queryReplies, Streamed: streaming.Media,
		Errors: append([]api.Code{api.CodeInvalidCursor, api.CodeNotAcceptable}, call.AskErrors...),
	},
	{
		Method: "POST", Path: "/v1/query", Summary: "The records that a query matches, for queries that are long",
		Access: call.AccessRead,
		Body:   api.QueryRequest{}, Replies: queryReplies, Streamed: streaming.Media,
		Errors: slices.Concat([]api.Code{api.CodeInvalidCursor, api.CodeNotAcceptable}, call.AskErrors,
			call.BodyErrors),
	},
	{
		Method: "POST", Path: "/v1/answers",
		Summary: "Several answers about the records of one query, which is evaluated once", Access: call.AccessRead,
		Body: api.AnswersRequest{}, Replies: []any{api.AnswersReply{}}, Streamed: streaming.Media,
		Errors: slices.Concat([]api.Code{api.CodeInvalidCursor, api.CodeNotAcceptable}, call.AskErrors,
			call.BodyErrors),
	},
	{
		Method: "POST", Path: "/v1/save", Summary: "Store the records of a query under a name",
		Access: call.AccessWrite,
		Body:   api.SaveRequest{}, Replies: []any{api.CountReply{}}, Errors: slices.Concat([]api.Code{api.CodeReadOnly},
			call.AskErrors, call.BodyErrors),
	},
	{
		Method: "POST", Path: "/v1/batch", Summary: "Many calls by GET in one", Access: call.AccessRead,
		Body: api.BatchRequest{}, Replies: []any{api.BatchReply{}}, Errors: call.BodyErrors,
	},
	{
		Method: "GET", Path: statsPath, Summary: "What the indexes consist of, and what the database takes",
		Access: call.AccessRead,
		Params: []call.Parameter{{Name: "index", About: "name of one index; all, if not given"},
			{Name: "kinds", About: "true: also the containers of each field by kind, which reads every page of lists",
				Boolean: true}},
		Replies: []any{api.StatsReply{}}, Errors: []api.Code{api.CodeUnknownIndex},
	},
	{
		Method: "GET", Path: "/v1/changes",
		Summary: "The commits of an index after one; waits for the next one if asked to. With Accept: text/event-stream " +
			"an event for each, as it comes", Access: call.AccessRead,
		Always: true,
		Params: []call.Parameter{
			call.OfIndex, {Name: "after",
				About:    "last commit that the client knows; 0: none",
				Required: true, Integer: true}, call.OfLimit,
			{Name: "wait", About: "how long to wait for a commit, such as 5s; at most 1m"},
		},
		Replies: []any{api.ChangesReply{}}, Errors: []api.Code{api.CodeUnknownIndex, api.CodeSequenceTrimmed},
	},
}
