// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// TableSchema says what the columns of a table are.
type TableSchema struct {
	Key     string        `json:"key,omitempty"`  // column of the keys of the records; "": they are numbered
	Null    []string      `json:"null,omitempty"` // texts that stand for no value, beside the empty one
	Columns []TableColumn `json:"columns"`        // the ones to import
}

// TableColumn is a column of a table, and the field that its values become.
type TableColumn struct {
	Name  string `json:"name"`            // as the table has it
	Field string `json:"field,omitempty"` // "": the name, with underscores for what is no letter or digit
	Type  string `json:"type"`            // set, single, integer, decimal, date or time
	Scale int    `json:"scale,omitempty"` // of a decimal: how many digits stand after the point
	Round bool   `json:"round,omitempty"` // of an integer or decimal: numbers with more digits are rounded
	Split string `json:"split,omitempty"` // of a set: what stands between several values in a cell
	// of a set: fast or small, if the values of each record are kept together as well; of a single
	// field: fast
	Column string `json:"column,omitempty"`
}

// TableImportReply says what an import of tables has read, and how.
type TableImportReply struct {
	Records  int64    `json:"records"`            // rows that became records, or parts of them
	Values   int64    `json:"values"`             // of them
	Bad      int64    `json:"bad"`                // values and lines that were left out
	BadLines []string `json:"bad_lines"`          // what is wrong with the first of them
	Repeated int64    `json:"repeated,omitempty"` // rows whose key an earlier row of the import has
	Fields   []Field  `json:"fields"`             // of the index

	Schema TableSchema `json:"schema"`          // that was given or chosen
	Notes  []string    `json:"notes,omitempty"` // what is to be said about a schema that was chosen
}

// AppendJSON appends the reply.
func (r TableImportReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }
