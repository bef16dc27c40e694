// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"encoding/json"
)

// SizeReply is how large an audience is.
type SizeReply struct {
	Records uint64  `json:"records"` // of the audience
	Of      uint64  `json:"of"`      // of the index
	Share   float64 `json:"share"`   // records / of
}

// Value is a value of a field, and how it stands to an audience.
type Value struct {
	Key   string  `json:"key"`
	Count uint64  `json:"count"` // records of the audience that have it
	Share float64 `json:"share"` // of the audience
	Total uint64  `json:"total"` // records of the index that have it
	Lift  float64 `json:"lift"`  // how many times more frequent it is in the audience than in the index
}

// WordsReply is a word cloud.
type WordsReply struct {
	Field   string  `json:"field"`
	Common  []Value `json:"common"`  // the most frequent ones
	Typical []Value `json:"typical"` // those of the greatest lift above 1
}

// ValuesReply is a page of the values of a field.
type ValuesReply struct {
	Field  string  `json:"field"`
	Values []Value `json:"values"`
	Cursor string  `json:"cursor,omitempty"` // for the next page; absent on the last
}

// DemographicsReply is what an audience consists of.
type DemographicsReply struct {
	Records uint64         `json:"records"`
	Fields  []Distribution `json:"fields,omitempty"` // in the order of the request
	Crosses []CrossTab     `json:"crosses,omitempty"`
}

// Distribution is how the values of a field are spread.
type Distribution struct {
	Field   string   `json:"field"`
	With    uint64   `json:"with"`              // records of the audience that have a value
	Values  []Value  `json:"values,omitempty"`  // most frequent first; absent of an integer field
	More    bool     `json:"more,omitempty"`    // there are more values than were asked for
	Figures *Figures `json:"figures,omitempty"` // of an integer field
}

// Figures are what integers amount to: numbers, or days and times as texts.
type Figures struct {
	Mean      *float64          `json:"mean,omitempty"` // of numbers
	Min       json.RawMessage   `json:"min"`
	Max       json.RawMessage   `json:"max"`
	Quartiles []json.RawMessage `json:"quartiles"` // three; the second is the median
}

// CrossTab is how many records have each combination of values.
type CrossTab struct {
	Fields []string `json:"fields"`
	Cells  []Cell   `json:"cells"`          // largest first
	More   bool     `json:"more,omitempty"` // there are more cells than were asked for
}

// Cell is a combination of values.
type Cell struct {
	Keys  []string `json:"keys"` // in the order of the fields
	Count uint64   `json:"count"`
	Share float64  `json:"share"` // of the audience
}

// OverlapReply is what audiences have in common.
type OverlapReply struct {
	// of each two, in the order of the request; sizes where a row meets its own column
	Matrix [][]uint64 `json:"matrix"`
}

// CompareReply is how two audiences differ.
type CompareReply struct {
	Records uint64     `json:"records"` // of the audience
	Other   uint64     `json:"other"`   // of the other
	Both    uint64     `json:"both"`
	Either  uint64     `json:"either"`
	Jaccard float64    `json:"jaccard"` // both / either
	Fields  []Contrast `json:"fields,omitempty"`
}

// Contrast is which values of a field tell two audiences apart.
type Contrast struct {
	Field string       `json:"field"`
	More  []Difference `json:"more"` // more frequent in the audience than in the other, greatest ratio first
	Less  []Difference `json:"less"` // less frequent, least ratio first
	// of an integer field, instead of values: what its integers amount to in the audience, and in
	// the other
	Here  *Distribution `json:"here,omitempty"`
	There *Distribution `json:"there,omitempty"`
}

// Difference is a value, and how frequent it is in two audiences.
type Difference struct {
	Key        string  `json:"key"`
	Count      uint64  `json:"count"`
	Share      float64 `json:"share"`
	OtherCount uint64  `json:"other_count"`
	OtherShare float64 `json:"other_share"`
	Ratio      float64 `json:"ratio"` // of the shares; a count of 0 counts as 1
}

// ReportReply has what a ReportRequest asked for, in its order.
type ReportReply struct {
	Size         SizeReply          `json:"size"`
	Words        []WordsReply       `json:"words,omitempty"`
	Values       []ValuesReply      `json:"values,omitempty"`
	Demographics *DemographicsReply `json:"demographics,omitempty"`
	Overlap      [][]uint64         `json:"overlap,omitempty"` // the audience first
	Compare      *CompareReply      `json:"compare,omitempty"`
}

// SavedReply lists saved audiences, by name.
type SavedReply struct {
	Audiences []SavedAudience `json:"audiences"`
}

// SavedAudience is a saved audience.
type SavedAudience struct {
	Name string `json:"name"`
	// it is a query that is evaluated whenever it is asked for, and not a set of records
	Follows bool   `json:"follows"`
	Query   string `json:"q,omitempty"` // of one that follows
	Records uint64 `json:"records"`
	Error   string `json:"error,omitempty"` // why the query of one that follows has no answer any more
}

// ForgetReply names a saved audience that was deleted.
type ForgetReply struct {
	Forgotten string `json:"forgotten"`
}

// AppendJSON appends the reply to dst and returns the extended slice, as for all replies here.
func (r SizeReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r WordsReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r ValuesReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r DemographicsReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r OverlapReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r CompareReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r ReportReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r SavedReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// AppendJSON appends the reply.
func (r ForgetReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }

// appendValue appends a value as JSON. Its numbers are finite.
func appendValue(dst []byte, value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("api: a reply is not JSON: " + err.Error())
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
