// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Bounds of the calls about records.
const (
	MaxRecords    = 10_000 // that one call writes or asks for
	MaxConditions = 1_000  // of one write
	MaxSorts      = 2      // fields to sort by
	MaxItemErrors = 20     // items of a write that an error names
)

// Values are the values of a record by field: a text or number of a single or integer field, a list
// of a set or relation. null stands for no value.
type Values map[string]json.RawMessage

// ValuesOf returns values of Go: strings, numbers, lists of strings, and nil. Errors: those of
// encoding/json.
func ValuesOf(of map[string]any) (Values, error) {
	values := make(Values, len(of))
	for field, x := range of {
		text, err := json.Marshal(x)
		if err != nil {
			return nil, fmt.Errorf("api: values: %s: %w", field, err)
		}
		values[field] = text
	}
	return values, nil
}

// Record is a record with its values.
type Record struct {
	Key     string `json:"key"`
	Values  Values `json:"values,omitzero"`   // fields without a value are left out
	Missing bool   `json:"missing,omitempty"` // of an answer: there is no such record
}

// RecordFields is some fields of a record, which are to have no value.
type RecordFields struct {
	Key    string   `json:"key"`
	Fields []string `json:"fields"`
}

// ValueRow is a value of a field with all records that have it.
type ValueRow struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// Requirement is what must hold of a record so that a write is done: that it exists or does not, or
// that it has a value in a field, or with null that it has none there.
type Requirement struct {
	Key    string          `json:"key"`
	Exists *bool           `json:"exists,omitempty"`
	Field  string          `json:"field,omitempty"`
	Value  json.RawMessage `json:"value,omitempty"`
}

// Requirements must all hold. In JSON it is a list, or one requirement alone.
type Requirements []Requirement

// UnmarshalJSON reads a list, or one requirement.
func (r *Requirements) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if len(text) > 0 && text[0] == '{' {
		*r = make(Requirements, 1)
		return d.Decode(&(*r)[0])
	}
	return d.Decode((*[]Requirement)(r))
}

// RecordsWriteRequest writes records of an index, all of it or nothing. First come puts, then
// merges, clears, deletes and rows.
type RecordsWriteRequest struct {
	Index   string         `json:"index"`
	Puts    []Record       `json:"puts,omitempty"`    // whole records: what is not named is gone
	Merges  []Record       `json:"merges,omitempty"`  // fields of records, in the place of what they had there
	Clears  []RecordFields `json:"clears,omitempty"`  // fields that are to have no value
	Deletes []string       `json:"deletes,omitempty"` // keys of records that are to be gone
	Rows    []ValueRow     `json:"rows,omitempty"`    // values that no record is to have
	If      Requirements   `json:"if,omitempty"`      // a Requirement or a list of them: else nothing is written
}

// RecordsWriteReply says which commit it was.
type RecordsWriteReply struct {
	Sequence uint64 `json:"sequence"` // nothing changed: of an earlier one
}

// AppendJSON appends the reply.
func (r RecordsWriteReply) AppendJSON(dst []byte) []byte {
	return append(appendUint(append(dst, `{"sequence":`...), r.Sequence), '}')
}

// RecordsGetRequest asks for records by their keys.
type RecordsGetRequest struct {
	Index  string   `json:"index"`
	Keys   []string `json:"keys"`
	Fields []string `json:"fields,omitempty"` // none: all, but inverses of relations
}

// RecordsGetReply has the records in the order of the keys.
type RecordsGetReply struct {
	Records  []Record `json:"records"`
	Sequence uint64   `json:"sequence"` // of the last commit that they show
}

// RecordsFindRequest asks for the records that a query matches.
type RecordsFindRequest struct {
	Index  string          `json:"index"`
	Query  json.RawMessage `json:"q"`
	Fields []string        `json:"fields,omitempty"` // none: all, but inverses of relations
	// up to MaxSorts of: a single or integer field, or "key"; with "-" before it: descending. None:
	// in the order in which the records were first written
	Sort   []string `json:"sort,omitempty"`
	Limit  int      `json:"limit,omitempty"`  // 1 to MaxLimit; 0 means DefaultLimit; of tables any, 0: all
	Cursor string   `json:"cursor,omitempty"` // of the page before
}

// RecordsFindReply is a page of records.
type RecordsFindReply struct {
	Records []Record `json:"records"`
	Cursor  string   `json:"cursor,omitempty"` // of the next page; "": there is none
}

// ItemError says what is wrong with one item of a write.
type ItemError struct {
	Item    string `json:"item"`            // such as puts[3]
	Field   string `json:"field,omitempty"` // if it is about one
	Message string `json:"message"`
}
