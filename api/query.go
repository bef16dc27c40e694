// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import "strconv"

import "encoding/json"

// Answer is what a query is answered with.
type Answer string

// The answers.
const (
	AnswerKeys  Answer = "keys"  // record keys, page by page: KeysReply
	AnswerIDs   Answer = "ids"   // record IDs, page by page: IDsReply
	AnswerCount Answer = "count" // how many records match: CountReply

	AnswerRecords Answer = "records" // record IDs with their keys, page by page: IdentifiedReply

	// AnswerExplain is the plan of the query, with what each of its steps estimated, found and
	// took. Its members may change from version to version.
	AnswerExplain Answer = "explain"
)

// QueryRequest asks an index for the records that a query matches. It is the
// body of the call in its POST form.
type QueryRequest struct {
	Index  string          `json:"index"`
	Query  json.RawMessage `json:"q"`                // in the query language: a string with text, or an object
	Answer Answer          `json:"answer,omitempty"` // "" means AnswerKeys
	// entries of the page, 1 to MaxLimit; 0 means DefaultLimit; of tables any, 0: all
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"` // of the page before; "" means the first
}

// KeysReply is a page of record keys. A key that is not valid UTF-8, which JSON
// cannot carry, has U+FFFD for each wrong byte.
type KeysReply struct {
	Keys   []string `json:"keys"`             // in ascending order of record ID
	Cursor string   `json:"cursor,omitempty"` // for the next page; absent on the last
	// on the first page: parts of the query that are empty because the record does not exist; up to
	// MaxUnknown
	Unknown []string `json:"unknown,omitempty"`
}

// Limits of what the reply to a query says of it.
const (
	// MaxUnknown bounds how many empty parts of a query a reply names. They are about a record that
	// does not exist. A reply has the first of them, as text in the query language.
	MaxUnknown = 20

	// MaxUnknownText is how many bytes of the text of each it has; behind it stands an ellipsis.
	MaxUnknownText = 200
)

// AppendJSON appends the reply to dst and returns the extended slice.
func (r KeysReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"keys":`...)
	dst = appendStrings(dst, r.Keys)
	return append(appendUnknown(appendCursor(dst, r.Cursor), r.Unknown), '}')
}

// appendUnknown appends the member "unknown", if there is one, after another member.
func appendUnknown(dst []byte, unknown []string) []byte {
	if len(unknown) == 0 {
		return dst
	}
	return appendStrings(append(dst, `,"unknown":`...), unknown)
}

// IDsReply is a page of record IDs. They are JSON numbers of up to 64 bits: a
// reader that takes numbers for floating point loses digits above 2^53.
type IDsReply struct {
	IDs    []uint64 `json:"ids"`              // ascending
	Cursor string   `json:"cursor,omitempty"` // for the next page; absent on the last
	// on the first page: parts of the query that are empty because the record does not exist; up to
	// MaxUnknown
	Unknown []string `json:"unknown,omitempty"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r IDsReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"ids":[`...)
	for i, id := range r.IDs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendUint(dst, id)
	}
	return append(appendUnknown(appendCursor(append(dst, ']'), r.Cursor), r.Unknown), '}')
}

// IdentifiedReply is a page of records by ID and key.
type IdentifiedReply struct {
	Records []Identified `json:"records"`          // in ascending order of ID
	Cursor  string       `json:"cursor,omitempty"` // for the next page; absent on the last
	// on the first page: parts of the query that are empty because the record does not exist; up to
	// MaxUnknown
	Unknown []string `json:"unknown,omitempty"`
}

// Identified is a record by its ID and its key.
type Identified struct {
	ID  uint64 `json:"id"`
	Key string `json:"key"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r IdentifiedReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"records":[`...)
	for i, x := range r.Records {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(append(appendUint(append(dst, `{"id":`...), x.ID), `,"key":`...), x.Key)
		dst = append(dst, '}')
	}
	return append(appendUnknown(appendCursor(append(dst, ']'), r.Cursor), r.Unknown), '}')
}

// PlanReply is the plan of a query: an object whose members may change from version to version.
type PlanReply struct {
	Plan json.RawMessage `json:"plan"`
	// parts of the query that are empty because the record does not exist; up to MaxUnknown
	Unknown []string `json:"unknown,omitempty"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r PlanReply) AppendJSON(dst []byte) []byte {
	return append(appendUnknown(append(append(dst, `{"plan":`...), r.Plan...), r.Unknown), '}')
}

// HealthReply says that the server answers and its database is open.
type HealthReply struct {
	Status string     `json:"status"`         // "ok"
	Copy   *CopyReply `json:"copy,omitempty"` // of a database that has several
}

// CopyReply says how one of several copies of a database is doing.
type CopyReply struct {
	Node      string `json:"node"`
	Leads     bool   `json:"leads"`               // it takes the writes
	Writer    string `json:"writer"`              // the node that does, as far as this one knows
	WriterURL string `json:"writerUrl,omitempty"` // where it is reached
	Epoch     uint64 `json:"epoch"`               // how often the writer has changed
	Position  uint64 `json:"position"`            // objects of the log that the copy has
	AgeMillis int64  `json:"ageMillis"`           // since it was known to have all
	// what it does with writes while another leads: redirect, proxy or refuse
	Forward string `json:"forward"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r CopyReply) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"node":`...), r.Node)
	dst = strconv.AppendBool(append(dst, `,"leads":`...), r.Leads)
	dst = AppendString(append(dst, `,"writer":`...), r.Writer)
	if r.WriterURL != "" {
		dst = AppendString(append(dst, `,"writerUrl":`...), r.WriterURL)
	}
	dst = strconv.AppendUint(append(dst, `,"epoch":`...), r.Epoch, 10)
	dst = strconv.AppendUint(append(dst, `,"position":`...), r.Position, 10)
	dst = strconv.AppendInt(append(dst, `,"ageMillis":`...), r.AgeMillis, 10)
	return append(AppendString(append(dst, `,"forward":`...), r.Forward), '}')
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r HealthReply) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"status":`...), r.Status)
	if r.Copy != nil {
		dst = r.Copy.AppendJSON(append(dst, `,"copy":`...))
	}
	return append(dst, '}')
}
