// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import "github.com/uproar-db/uproar/internal/posting/delta"

// editedRows walks the rows of a field that the deltas of a state have edits of.
type editedRows struct {
	next   uint64 // the first row that is not passed
	row    uint64 // the first row from next on that a delta has edits of
	more   bool   // there is one
	deltas [2]delta.Walk
}

// newEditedRows returns a walk that is at the first edited row from one on.
func newEditedRows(st *State, field uint32, from uint64) editedRows {
	e := editedRows{next: from}
	for i, d := range [...]*delta.Table{st.Active, st.Frozen} {
		if d != nil {
			e.deltas[i] = d.Of(field).Walk(from)
		}
	}
	e.seek()
	return e
}

// seek goes to the first edited row from next on.
func (e *editedRows) seek() {
	e.more = false
	for i := range e.deltas {
		e.deltas[i].Seek(e.next)
		if row, ok := e.deltas[i].Row(); ok && (!e.more || row < e.row) {
			e.row, e.more = row, true
		}
	}
}
