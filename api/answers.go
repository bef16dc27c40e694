// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "encoding/json"

// Limits of a request for answers.
const (
	MaxQuestions = 64  // in one request
	MaxSets      = 64  // in one overlap
	MaxQuantiles = 100 // of one field
	MaxBounds    = 9999
)

// AnswersRequest asks for several answers about the records that a query matches, which is
// evaluated once.
type AnswersRequest struct {
	Index   string          `json:"index"`
	Query   json.RawMessage `json:"q"` // in the query language: a string with text, or an object
	Answers []Question      `json:"answers"`
}

// The kinds of question beside AnswerCount.
const (
	// the values of Field by By: Limit of them, with at least Least records, against Over
	AnswerTop      Answer = "top"
	AnswerGroups   Answer = "groups"   // how many records have each combination of values of Fields: Limit of them
	AnswerDistinct Answer = "distinct" // how many values of Field the records have
	AnswerNumbers  Answer = "numbers"  // sum, mean, least, greatest and Quantiles of the integer field Field
	// how many records are in each band of the integer field Field, or between Bounds
	AnswerHistogram Answer = "histogram"
	AnswerSample    Answer = "sample"  // Limit records, drawn by Seed
	AnswerBitmap    Answer = "bitmap"  // the record IDs as a serialized bitmap
	AnswerOverlap   Answer = "overlap" // how many records each two of the query and With have in common
)

// Question asks for one answer. Members that its kind does not name must not be given.
type Question struct {
	Name   string `json:"name"`   // which the answer will have; unique in the request
	Answer Answer `json:"answer"` // its kind
	// of a histogram with its bands, "age by 10" or "joined by month", unless there are Bounds
	Field  string   `json:"field,omitempty"`
	Fields []string `json:"fields,omitempty"`
	// "count" (if not given), "lift", "jaccard", "cosine" or "ratio"
	By    string `json:"by,omitempty"`
	Limit int    `json:"limit,omitempty"` // 1 to MaxLimit; 0 means DefaultLimit; of tables any, 0: all
	Least uint64 `json:"least,omitempty"`
	// a query: the background of a lift, not given: all records; of a ratio, needed
	Over      json.RawMessage `json:"over,omitempty"`
	Quantiles []float64       `json:"quantiles,omitempty"`
	// of a histogram, ascending: numbers, or days and times as text; a band begins at each
	Bounds []json.RawMessage `json:"bounds,omitempty"`
	Seed   uint64            `json:"seed,omitempty"`
	With   []json.RawMessage `json:"with,omitempty"` // queries
	// of a bitmap: in the portable format of other Roaring libraries, with 64 bits
	Portable bool `json:"portable,omitempty"`
	// of top and groups: that of the Reply before, to the same question
	Cursor string `json:"cursor,omitempty"`
}

// AnswersReply has the answers in the order of the questions. All are exact.
type AnswersReply struct {
	Records uint64  `json:"records"` // that the query matches
	Answers []Reply `json:"answers"`
	// parts of the query that are empty because the record does not exist; up to MaxUnknown
	Unknown []string `json:"unknown,omitempty"`
}

// Reply is the answer to one Question: its name, and what its kind says.
type Reply struct {
	Name   string     `json:"name"`
	Count  *uint64    `json:"count,omitempty"`  // of count, distinct; of numbers the records that have one
	Rows   []Row      `json:"rows,omitzero"`    // of top
	Groups []Group    `json:"groups,omitzero"`  // of groups
	Bands  []Band     `json:"bands,omitzero"`   // of histogram, ascending
	Keys   []string   `json:"keys,omitzero"`    // of sample
	IDs    []uint64   `json:"ids,omitzero"`     // of sample: those of the keys
	Bitmap []byte     `json:"bitmap,omitempty"` // of bitmap, in base64
	Matrix [][]uint64 `json:"matrix,omitzero"`  // of overlap: the query first, then With in their order
	// of numbers, which are JSON numbers or, of dates and times, strings; a sum only of numbers
	Sum       json.RawMessage   `json:"sum,omitempty"`
	Mean      *float64          `json:"mean,omitempty"` // in the unit of the sum; absent without records
	Min       json.RawMessage   `json:"min,omitempty"`  // absent without records, as are the next two
	Max       json.RawMessage   `json:"max,omitempty"`
	Quantiles []json.RawMessage `json:"quantiles,omitempty"`
	Cursor    string            `json:"cursor,omitempty"` // of top and groups: for the next page; absent on the last
}

// Row is a value of a field, and how it stands to the records.
type Row struct {
	Key   string  `json:"key"`
	Count uint64  `json:"count"` // records that have it
	Total uint64  `json:"total"` // all that have it; of a lift or ratio, those of the background
	Score float64 `json:"score"`
}

// Group is the records that have one value in each of some fields.
type Group struct {
	Keys  []string `json:"keys"`
	Count uint64   `json:"count"`
}

// Band is the records whose integers lie between two ends, which are JSON numbers or, of days and
// times, strings.
type Band struct {
	From  json.RawMessage `json:"from,omitempty"`  // the least integer of the band; absent: there is none
	Below json.RawMessage `json:"below,omitempty"` // the least integer above it; absent: there is none
	Count uint64          `json:"count"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r AnswersReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// SaveRequest asks to store the records that a query matches as a saved set.
type SaveRequest struct {
	Index string          `json:"index"`
	Name  string          `json:"name"`
	Query json.RawMessage `json:"q"` // a string with text, or an object
}
