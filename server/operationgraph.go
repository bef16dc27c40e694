// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"slices"

	"github.com/uproar-db/uproar/api"
)

// graphOperations describe the calls of the graph.
var graphOperations = []operation{
	listOf("/v1/graph/followers", "Who follows an account", ofAccount),
	listOf("/v1/graph/following", "Whom an account follows", ofAccount),
	listOf("/v1/graph/mutuals", "Who follows an account and is followed by it", ofAccount),
	listOf("/v1/graph/follows-following", "Whom an account follows who follow another", ofAccount, ofTarget),
	listOf("/v1/graph/intersect-followers", "Who follows each of several accounts", ofAccounts),
	listOf("/v1/graph/intersect-following", "Who is followed by each of several accounts", ofAccounts),
	listOf("/v1/graph/mutuals-following", "Which mutuals of an account follow another", ofAccount, ofTarget),
	listOf("/v1/graph/reach", "Whom an account reaches over one or two follows", ofAccount),
	listOf("/v1/graph/blocks", "Whom an account blocks", ofAccount),
	listOf("/v1/graph/blockers", "Who blocks an account", ofAccount),
	listOf("/v1/graph/mutes", "Whom an account mutes", ofAccount),
	listOf("/v1/graph/muters", "Who mutes an account", ofAccount),
	listOf("/v1/graph/members", "Who is on a list", ofAccount),
	listOf("/v1/graph/lists", "Which lists an account is on", ofAccount),
	{
		method: "GET", path: "/v1/graph/follows", summary: "Whether an account follows another", access: accessRead,
		params:  []parameter{ofAccount, ofTarget},
		replies: []any{api.FollowsReply{}}, errors: []api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount},
	},
	{
		method: "GET", path: "/v1/graph/suggestions", summary: "Friends of friends, most common friends first",
		access:  accessRead,
		params:  []parameter{ofAccount, ofRanked, ofCount},
		replies: ranked, errors: []api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount},
	},
	{
		method: "GET", path: "/v1/graph/similar", summary: "Who follows most of the same", access: accessRead,
		params:  []parameter{ofAccount, ofRanked, ofCount, ofMeasure},
		replies: ranked, errors: []api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount},
	},
	{
		method: "POST", path: "/v1/graph/follow", summary: "Make accounts follow others: one follow, or a list of them",
		access: accessWrite,
		body:   api.FollowRequest{}, replies: []any{api.WriteReply{}}, errors: append([]api.Code{api.CodeInvalidAccount,
			api.CodeReadOnly}, bodyErrors...),
	},
	{
		method: "POST", path: "/v1/graph/unfollow", summary: "Undo follows: one, or a list of them",
		access: accessWrite,
		body:   api.FollowRequest{}, replies: []any{api.WriteReply{}},
		errors: append([]api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount, api.CodeReadOnly}, bodyErrors...),
	},
	{
		method: "POST", path: "/v1/graph/write", summary: "Changes of any relation, deletions, and the position of " +
			"their stream, all or none", access: accessWrite,
		body: api.WriteRequest{}, replies: []any{api.WriteReply{}},
		errors: append([]api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount, api.CodeReadOnly}, bodyErrors...),
	},
	{
		method: "POST", path: importPath, summary: "Add edge lists of any length, all or none", access: accessWrite,
		streams: true, always: true,
		params: []parameter{
			{name: "separator", about: "what stands between columns; found out if not given",
				enum: []string{"detect", "comma", "semicolon", "tab", "pipe", "spaces", "json"}},
			{name: "header", about: "whether the first line names the columns; found out if not given",
				enum: []string{"detect", "yes", "no"}},
			{name: "strict", about: "true: a bad line is an error of the whole import; else it is left out",
				boolean: true},
			{name: "bad", about: "the share of the lines that may be bad, and are left out, such as 0.05; more of " +
				"them are an error of the whole import; 0.9 if not given"},
			{name: "cluster", about: "true: new accounts get IDs by community", boolean: true},
		},
		takes: "application/octet-stream", replies: []any{api.ImportReply{}},
		errors: []api.Code{api.CodeUnsupportedMedia, api.CodeReadOnly},
	},
	{
		method: "GET", path: "/v1/graph/position", summary: "How far a stream of events has come", access: accessRead,
		params:  []parameter{{name: "stream", about: "name of the stream", required: true}},
		replies: []any{api.PositionReply{}}, errors: []api.Code{api.CodeInvalidAccount},
	},
	{
		method: "POST", path: "/v1/graph/lookup", summary: "Which accounts exist, and their IDs", access: accessRead,
		body: api.LookupRequest{}, replies: []any{api.LookupReply{}}, errors: bodyErrors,
	},
}

// listOf describes a call that lists accounts.
func listOf(path, summary string, of ...parameter) operation {
	return operation{method: "GET", path: path, summary: summary, access: accessRead, params: part(slices.Clone(of)...),
		replies: listed, errors: listErrors}
}
