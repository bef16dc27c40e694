// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

// Write is one write of a batch.
type Write struct {
	Kind                 Kind
	Field, Record, Value string // of a row: its key is the value
	Key                  string // of an edge
	Integer              int64  // of Int
	IDs                  []uint64
}

// Kind says what a write does.
type Kind uint8

// The kinds of writes.
const (
	Set       Kind = iota
	Clear          // the record has the value no more
	Record         // the record exists
	Delete         // the record exists no more
	Empty          // a row has no records
	Int            // the record has the integer
	Unset          // the record has no value
	IDs            // records by their IDs have the value
	SetEdge        // the edge has a record with the key
	ClearKey       // the edge has it no more
	ClearEdge      // the edge is there no more
)

// isEdge reports whether a write names an edge with keys.
func (k Kind) isEdge() bool { return k == SetEdge || k == ClearKey || k == ClearEdge }
