// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standingapi

import (
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// The paths.
const (
	listPath   = "/v1/standing"
	setPath    = "/v1/standing/set"
	dropPath   = "/v1/standing/drop"
	eventsPath = "/v1/standing/events"
)

// Operations describe the calls.
var Operations = []call.Operation{
	{
		Method: "GET", Path: listPath, Summary: "The standing queries of an index", Access: call.AccessRead,
		Params: []call.Parameter{call.OfIndex}, Replies: []any{api.StandingReply{}},
		Errors: []api.Code{api.CodeUnknownIndex},
	},
	{
		Method: "POST", Path: setPath, Summary: "Keep the result of a query from now on, under a name; replies with that one",
		Body: api.StandingRequest{}, Replies: []any{api.StandingReply{}},
		Errors: slices.Concat([]api.Code{api.CodeReadOnly}, call.AskErrors, call.BodyErrors),
	},
	{
		Method: "POST", Path: dropPath, Summary: "End a standing query: its records leave it; replies with none",
		Body: api.StandingDropRequest{}, Replies: []any{api.StandingReply{}},
		Errors: append([]api.Code{api.CodeReadOnly, api.CodeUnknownIndex, api.CodeUnknownSet}, call.BodyErrors...),
	},
	{
		Method: "GET", Path: eventsPath,
		Summary: "What entered and left a standing query behind a position; waits for more if asked to. With " +
			"Accept: text/event-stream an event for each, as it comes",
		Access: call.AccessRead, Always: true,
		Params: []call.Parameter{call.OfIndex, {Name: "name", About: "name of the query", Required: true},
			{Name: "after", About: "position of the last event that the client knows; 0: none", Required: true, Integer: true},
			call.OfLimit, {Name: "wait", About: "how long to wait for an event, such as 5s; at most 1m"}},
		Replies: []any{api.StandingEventsReply{}},
		Errors:  []api.Code{api.CodeUnknownIndex, api.CodeUnknownSet, api.CodeSequenceTrimmed},
	},
}
