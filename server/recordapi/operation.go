// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

const (
	writePath = "/v1/records/write"
	getPath   = "/v1/records/get"
	findPath  = "/v1/records/find"
)

// Operations describe the calls about records.
var Operations = []call.Operation{
	{
		Method: "POST", Path: writePath, Summary: "Write records, all or none, if conditions hold",
		Access: call.AccessWrite,
		Body:   api.RecordsWriteRequest{}, Replies: []any{api.RecordsWriteReply{}},
		Errors: append([]api.Code{api.CodeReadOnly, api.CodeUnknownIndex, api.CodeUnknownField,
			api.CodeConditionFailed}, call.BodyErrors...),
	},
	{
		Method: "POST", Path: getPath, Summary: "Records by their keys", Access: call.AccessRead,
		Body: api.RecordsGetRequest{}, Replies: []any{api.RecordsGetReply{}},
		Streamed: streaming.Media,
		Errors: append([]api.Code{api.CodeUnknownIndex, api.CodeUnknownField, api.CodeNotAcceptable},
			call.BodyErrors...),
	},
	{
		Method: "POST", Path: findPath, Summary: "The records that a query matches, with values, in an order",
		Access: call.AccessRead,
		Body:   api.RecordsFindRequest{}, Replies: []any{api.RecordsFindReply{}},
		Streamed: streaming.Media,
		Errors: slices.Concat([]api.Code{api.CodeInvalidCursor, api.CodeNotAcceptable}, call.AskErrors,
			call.BodyErrors),
	},
}
