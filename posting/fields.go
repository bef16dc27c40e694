// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"maps"
)

// fieldOf returns a field by its number, the zero Field if it is not declared.
func (ix *Index) fieldOf(id uint32) Field { return (*ix.fields.Load())[id] }

// AddFields declares more fields, for the writes and reads that begin from now on. It stores nothing: who opens the index again names them in the Config, and has made
// sure of that before the first write to them. One call at a time. Errors: ErrInvalid, for a number that cannot be or is taken.
func (ix *Index) AddFields(fields ...Field) error {
	next := maps.Clone(*ix.fields.Load())
	if next == nil {
		next = make(map[uint32]Field, len(fields))
	}
	for _, f := range fields {
		if f.ID < 4 || f.ID%4 != 0 || next[f.ID].ID != 0 {
			return fmt.Errorf("%w: got field number %d, want a multiple of 4 from 4 that no other has", ErrInvalid, f.ID)
		}
		if f.Column > SmallColumn || f.Column != NoColumn && (f.Kind != Lists || f.Inverse != 0) {
			return fmt.Errorf("%w: got field %d with column %d, want one of set fields only, of a known layout", ErrInvalid, f.ID, f.Column)
		}
		next[f.ID] = f
	}
	ix.fields.Store(&next)
	return nil
}
