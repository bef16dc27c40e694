// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "encoding/json"

// Limits of requests about audiences.
const (
	MaxFields  = 32 // fields, or cross-tabs, in one request
	MaxCrossed = 3  // fields of one cross-tab
)

// AudienceRequest names an audience: the records of an index that a query matches. In such a query
// saved(name) may be an audience that follows the data.
type AudienceRequest struct {
	Index, Query string
}

// ReportRequest asks for several answers about one audience, which is evaluated once. Its parts are
// those of the single calls.
type ReportRequest struct {
	Index        string               `json:"index"`
	Query        json.RawMessage      `json:"q"` // in the query language: a string with text, or an object
	Words        []WordsRequest       `json:"words,omitempty"`
	Values       []ValuesRequest      `json:"values,omitempty"`
	Demographics *DemographicsRequest `json:"demographics,omitempty"`
	Overlap      []json.RawMessage    `json:"overlap,omitempty"` // queries, at most MaxSets - 1
	Compare      *CompareRequest      `json:"compare,omitempty"`
}

// WordsRequest asks for the word cloud of a field.
type WordsRequest struct {
	Field string `json:"field"`
	Limit int    `json:"limit,omitempty"` // words of either kind, 1 to MaxLimit; 0 means DefaultLimit
	// records that a typical word has; 0 means a thousandth of the audience, at least 2
	Least uint64 `json:"least,omitempty"`
}

// ValuesRequest asks for a page of the values of a field.
type ValuesRequest struct {
	Field  string `json:"field"`
	By     string `json:"by,omitempty"`     // "count" (if not given) or "lift"
	Limit  int    `json:"limit,omitempty"`  // values of the page, 1 to MaxLimit; 0 means DefaultLimit
	Least  uint64 `json:"least,omitempty"`  // values of fewer records of the audience are left out
	Cursor string `json:"cursor,omitempty"` // of the page before; "" means the first
}

// DemographicsRequest asks how the values of fields are spread, alone and in combinations.
type DemographicsRequest struct {
	Fields  []string   `json:"fields,omitempty"`  // at most MaxFields
	Crosses [][]string `json:"crosses,omitempty"` // at most MaxFields, each of 2 to MaxCrossed fields
	// values of a field and cells of a cross-tab, 1 to MaxLimit; 0 means DefaultLimit
	Limit int `json:"limit,omitempty"`
}

// OverlapRequest asks what each two of 2 to MaxSets audiences have in common.
type OverlapRequest struct {
	Index   string
	Queries []string
}

// CompareRequest asks how another audience differs.
type CompareRequest struct {
	With   json.RawMessage `json:"with"`             // a query
	Fields []string        `json:"fields,omitempty"` // whose values are compared, at most MaxFields
	Limit  int             `json:"limit,omitempty"`  // values of either kind, 1 to MaxLimit; 0 means DefaultLimit
	// records that a value has where it is more frequent; 0 means a thousandth of that audience, at
	// least 2
	Least uint64 `json:"least,omitempty"`
}

// SaveAudienceRequest saves an audience: its records as they are now, or, with Follows, its query.
type SaveAudienceRequest struct {
	Index   string          `json:"index"`
	Name    string          `json:"name"`
	Query   json.RawMessage `json:"q"` // a string with text, or an object
	Follows bool            `json:"follows,omitempty"`
}

// ForgetAudienceRequest deletes a saved audience.
type ForgetAudienceRequest struct {
	Index string `json:"index"`
	Name  string `json:"name"`
}
