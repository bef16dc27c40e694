// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likesapi

import (
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// The paths.
const (
	writePath  = "/v1/likes/write"
	lookupPath = "/v1/likes/lookup"
	likersPath = "/v1/likes/likers"
	likedPath  = "/v1/likes/liked"
)

// Operations describe the calls.
var Operations = []call.Operation{
	{
		Method: "POST", Path: writePath, Summary: "Likes of subjects by their record keys, all or none",
		Access: call.AccessWrite, Body: api.LikesRequest{}, Replies: []any{api.WriteReply{}},
		Errors: append([]api.Code{api.CodeInvalidAccount, api.CodeReadOnly}, call.BodyErrors...),
	},
	{
		Method: "POST", Path: lookupPath, Summary: "Counts, keys and known likers of subjects", Access: call.AccessRead,
		Body: api.SubjectsRequest{}, Replies: []any{api.SubjectsReply{}},
		Errors: append([]api.Code{api.CodeInvalidAccount, api.CodeUnknownIndex}, call.BodyErrors...),
	},
	{
		Method: "GET", Path: likersPath, Summary: "Who likes a subject, the newest first", Access: call.AccessRead,
		Params: []call.Parameter{{Name: "subject", About: "the subject", Required: true}, call.OfLimit, call.OfCursor,
			{Name: "hidden", About: "true: with hidden accounts", Boolean: true}},
		Replies: []any{api.LikersReply{}}, Errors: []api.Code{api.CodeInvalidCursor, api.CodeUnknownIndex},
	},
	{
		Method: "GET", Path: likedPath, Summary: "What an account likes", Access: call.AccessRead,
		Params:  []call.Parameter{call.OfAccount, call.OfLimit, call.OfCursor},
		Replies: []any{api.LikedReply{}},
		Errors: []api.Code{api.CodeInvalidAccount, api.CodeUnknownAccount, api.CodeInvalidCursor,
			api.CodeUnknownIndex},
	},
}
