// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// MaxFieldChanges is how many fields one request drops or adds, at most.
const MaxFieldChanges = 256

// Field is how a field of an index is declared.
type Field struct {
	Name    string `json:"name"`
	Type    string `json:"type"`              // set, single, integer or relation; also date, time or decimal
	Inverse string `json:"inverse,omitempty"` // of a relation: the name of its other direction
	// of a set: fast or small, if the values of each record are kept together as well; of a single
	// field: fast
	Column string `json:"column,omitempty"`
	Format string `json:"format,omitempty"` // of an integer: date or time; "": numbers
	Scale  int    `json:"scale,omitempty"`  // of numbers: how many digits stand after the point
}

// FieldsRequest drops fields of an index, with their values, and then adds others.
type FieldsRequest struct {
	Index string   `json:"index"`
	Drop  []string `json:"drop,omitempty"`
	Add   []Field  `json:"add,omitempty"`
}

// FieldsReply is all fields of an index.
type FieldsReply struct {
	Fields []Field `json:"fields"`
}

// AppendJSON appends the reply.
func (r FieldsReply) AppendJSON(dst []byte) []byte { return appendValue(dst, r) }
