// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"slices"

	"github.com/uproar-db/uproar/api"
)

// catalogErrors are those of calls about catalogs.
var catalogErrors = append([]api.Code{api.CodeUnknownIndex, api.CodeUnknownField, api.CodeInvalidQuery}, bodyErrors...)

// catalogOperations describe the calls about catalogs.
var catalogOperations = []operation{
	{
		method: "POST", path: "/v1/catalog/search", summary: "The records of a catalog that count under some " +
			"conditions: nothing, one or several; one search or many", access: accessRead,
		body: api.SearchRequest{}, replies: []any{api.SearchReply{}}, errors: catalogErrors,
	},
	{
		method: "POST", path: "/v1/catalog/facets", summary: "Which values are still possible under some " +
			"conditions, and how many records have each", access: accessRead,
		body: api.FacetsRequest{}, replies: []any{api.FacetsReply{}}, errors: catalogErrors,
	},
	{
		method: "POST", path: "/v1/catalog/sorted", summary: "The records of a catalog that fit some conditions, " +
			"sorted by an attribute, a part at a time", access: accessRead,
		body: api.SortedRequest{}, replies: []any{api.SortedReply{}}, errors: catalogErrors,
	},
	{
		method: "POST", path: "/v1/catalog/write", summary: "Put and delete records of a catalog, all or none",
		access: accessWrite,
		body:   api.CatalogWriteRequest{}, replies: []any{api.WriteReply{}},
		errors: slices.Concat([]api.Code{api.CodeReadOnly}, catalogErrors),
	},
	{
		method: "POST", path: "/v1/catalog/import", summary: "Put the records of tables in the place of all that a " +
			"catalog has, at once, or make it", access: accessWrite, streams: true, always: true,
		params: []parameter{
			{name: "catalog", about: "name of the catalog", required: true},
			{name: "strict", about: "true: the first bad line ends the import; else all are counted", boolean: true},
			{name: "bad", about: "the share of the lines that may be bad, and are left out, such as 0.05; more of " +
				"them are an error of the whole import; none if not given"},
			{name: "empty", about: "true: tables without a record may replace the catalog", boolean: true},
			{name: "separator", about: "what stands between values; found out if not given",
				enum: []string{"detect", "comma", "semicolon", "tab", "pipe"}},
			{name: "check", about: "true: everything is read and checked, and nothing is replaced", boolean: true},
		},
		takes: "application/octet-stream", replies: []any{api.CatalogImportReply{}},
		errors: []api.Code{api.CodeUnknownIndex, api.CodeBodyTooLarge, api.CodeUnsupportedMedia, api.CodeReadOnly},
	},
}
