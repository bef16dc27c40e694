// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphapi

import (
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// Operations describe the calls of the graph.
var Operations = []call.Operation{
	listOf("/v1/graph/followers", "Who follows an account", call.OfAccount),
	listOf("/v1/graph/following", "Whom an account follows", call.OfAccount, ofOrder, ofKeys),
	listOf("/v1/graph/mutuals", "Who follows an account and is followed by it", call.OfAccount),
	listOf("/v1/graph/follows-following", "Whom an account follows who follow another", call.OfAccount, call.OfTarget),
	listOf("/v1/graph/intersect-followers", "Who follows each of several accounts", call.OfAccounts),
	listOf("/v1/graph/intersect-following", "Who is followed by each of several accounts", call.OfAccounts),
	listOf("/v1/graph/mutuals-following", "Which mutuals of an account follow another", call.OfAccount, call.OfTarget),
	listOf("/v1/graph/reach", "Whom an account reaches over one or two follows", call.OfAccount),
	listOf("/v1/graph/blocks", "Whom an account blocks", call.OfAccount, ofOrder, ofKeys),
	listOf("/v1/graph/blockers", "Who blocks an account", call.OfAccount),
	listOf("/v1/graph/mutes", "Whom an account mutes", call.OfAccount),
	listOf("/v1/graph/muters", "Who mutes an account", call.OfAccount),
	listOf("/v1/graph/members", "Who is on a list", call.OfAccount, ofOrder, ofKeys),
	listOf("/v1/graph/lists", "Which lists an account is on", call.OfAccount),
	{
		Method: "GET", Path: "/v1/graph/follows", Summary: "Whether an account follows another",
		Access:  call.AccessRead,
		Params:  []call.Parameter{call.OfAccount, call.OfTarget},
		Replies: []any{api.FollowsReply{}}, Errors: []api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount},
	},
	{
		Method: "GET", Path: "/v1/graph/suggestions", Summary: "Friends of friends, most common friends first",
		Access:  call.AccessRead,
		Params:  []call.Parameter{call.OfAccount, call.OfRanked, call.OfCount},
		Replies: call.Ranked, Errors: []api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount},
	},
	{
		Method: "GET", Path: "/v1/graph/similar", Summary: "Who follows most of the same", Access: call.AccessRead,
		Params:  []call.Parameter{call.OfAccount, call.OfRanked, call.OfCount, call.OfMeasure},
		Replies: call.Ranked, Errors: []api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount},
	},
	{
		Method: "POST", Path: "/v1/graph/follow", Summary: "Make accounts follow others: one follow, or a list of them",
		Access: call.AccessWrite,
		Body:   api.FollowRequest{}, Replies: []any{api.WriteReply{}}, Errors: append([]api.Code{api.CodeInvalidAccount,
			api.CodeReadOnly}, call.BodyErrors...),
	},
	{
		Method: "POST", Path: "/v1/graph/unfollow", Summary: "Undo follows: one, or a list of them",
		Access: call.AccessWrite,
		Body:   api.FollowRequest{}, Replies: []any{api.WriteReply{}},
		Errors: append([]api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount, api.CodeReadOnly},
			call.BodyErrors...),
	},
	{
		Method: "POST", Path: "/v1/graph/write", Summary: "Changes of any relation, deletions, and the position of " +
			"their stream, all or none", Access: call.AccessWrite,
		Body: api.WriteRequest{}, Replies: []any{api.WriteReply{}},
		Errors: append([]api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount, api.CodeReadOnly},
			call.BodyErrors...),
	},
	{
		Method: "POST", Path: importPath, Summary: "Add edge lists of any length, all or none",
		Access:  call.AccessWrite,
		Streams: true, Always: true,
		Params: []call.Parameter{
			{Name: "separator", About: "what stands between columns; detect if not given",
				Enum: []string{"detect", "comma", "semicolon", "tab", "pipe", "spaces", "json"}},
			{Name: "header", About: "whether the first line names the columns; detect if not given",
				Enum: []string{"detect", "yes", "no"}},
			{Name: "strict", About: "true: the first bad line fails the import", Boolean: true},
			{Name: "bad", About: "share of bad lines that is left out, such as 0.05; 0.9 if not given"},
			{Name: "cluster", About: "true: new accounts get IDs by community", Boolean: true},
		},
		Takes: "application/octet-stream", Replies: []any{api.ImportReply{}},
		Errors: []api.Code{api.CodeUnsupportedMedia, api.CodeReadOnly},
	},
	{
		Method: "GET", Path: "/v1/graph/position", Summary: "How far a stream of events has come",
		Access:  call.AccessRead,
		Params:  []call.Parameter{{Name: "stream", About: "name of the stream", Required: true}},
		Replies: []any{api.PositionReply{}}, Errors: []api.Code{api.CodeInvalidAccount},
	},
	{
		Method: "POST", Path: "/v1/graph/lookup", Summary: "Which accounts exist, and their IDs",
		Access: call.AccessRead,
		Body:   api.LookupRequest{}, Replies: []any{api.LookupReply{}}, Errors: call.BodyErrors,
	},
	{
		Method: "POST", Path: "/v1/graph/edges", Summary: "The keys of the records between an account and others",
		Access: call.AccessRead,
		Body:   api.EdgesRequest{}, Replies: []any{api.EdgesReply{}},
		Errors: append([]api.Code{api.CodeInvalidAccount}, call.BodyErrors...),
	},
}

// Parameters of lists by time.
var (
	ofOrder = call.Parameter{Name: "order", About: "by time of records with keys; by first appearance if not given",
		Enum: []string{"newest", "oldest"}}
	ofKeys = call.Parameter{Name: "keys", About: "true: with the keys of the records; with order only", Boolean: true}
)

// listOf describes a call that lists accounts.
func listOf(path, summary string, of ...call.Parameter) call.Operation {
	return call.Operation{Method: "GET", Path: path, Summary: summary, Access: call.AccessRead,
		Params:  call.Part(slices.Clone(of)...),
		Replies: call.Listed, Errors: call.ListErrors}
}
