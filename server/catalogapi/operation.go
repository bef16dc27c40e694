// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// unknownErrors are those of calls about catalogs.
var unknownErrors = append([]api.Code{api.CodeUnknownIndex, api.CodeUnknownField, api.CodeInvalidQuery},
	call.BodyErrors...)

// Operations describe the calls about catalogs.
var Operations = []call.Operation{
	{
		Method: "POST", Path: "/v1/catalog/search", Summary: "The records of a catalog that count under some " +
			"conditions: nothing, one or several; one search or many", Access: call.AccessRead,
		Body: api.SearchRequest{}, Replies: []any{api.SearchReply{}}, Errors: unknownErrors,
	},
	{
		Method: "POST", Path: "/v1/catalog/facets", Summary: "Which values are still possible under some " +
			"conditions, and how many records have each", Access: call.AccessRead,
		Body: api.FacetsRequest{}, Replies: []any{api.FacetsReply{}}, Errors: unknownErrors,
	},
	{
		Method: "POST", Path: "/v1/catalog/sorted", Summary: "The records of a catalog that fit some conditions, " +
			"sorted by an attribute, a part at a time", Access: call.AccessRead,
		Body: api.SortedRequest{}, Replies: []any{api.SortedReply{}}, Errors: unknownErrors,
	},
	{
		Method: "GET", Path: "/v1/catalog/schema", Summary: "Which attributes the records of a catalog have",
		Access:  call.AccessRead,
		Params:  []call.Parameter{{Name: "catalog", About: "name of the catalog", Required: true}},
		Replies: []any{api.CatalogSchema{}}, Errors: []api.Code{api.CodeUnknownIndex},
	},
	{
		Method: "GET", Path: "/v1/catalog/check", Summary: "Which records of a catalog fit the same searches, and " +
			"which no search finds", Access: call.AccessRead,
		Params:  []call.Parameter{{Name: "catalog", About: "name of the catalog", Required: true}, call.OfLimit},
		Replies: []any{api.CheckReply{}}, Errors: []api.Code{api.CodeUnknownIndex},
	},
	{
		Method: "POST", Path: "/v1/catalog/write", Summary: "Put and delete records of a catalog, all or none",
		Access: call.AccessWrite,
		Body:   api.CatalogWriteRequest{}, Replies: []any{api.WriteReply{}},
		Errors: slices.Concat([]api.Code{api.CodeReadOnly}, unknownErrors),
	},
	{
		Method: "POST", Path: "/v1/catalog/import", Summary: "Put the records of tables in the place of all that a " +
			"catalog has, at once, or make it", Access: call.AccessWrite, Streams: true, Always: true,
		Params: []call.Parameter{
			{Name: "catalog", About: "name of the catalog", Required: true},
			{Name: "strict", About: "true: the first bad line fails the import", Boolean: true},
			{Name: "bad", About: "share of bad lines that is left out, such as 0.05; none if not given"},
			{Name: "empty", About: "true: tables without a record may replace the catalog", Boolean: true},
			{Name: "separator", About: "what stands between values; detect if not given",
				Enum: []string{"detect", "comma", "semicolon", "tab", "pipe"}},
			{Name: "check", About: "true: all is checked, and nothing is replaced", Boolean: true},
		},
		Takes: "application/octet-stream", Replies: []any{api.CatalogImportReply{}},
		Errors: []api.Code{api.CodeUnknownIndex, api.CodeBodyTooLarge, api.CodeUnsupportedMedia, api.CodeReadOnly},
	},
}
