// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"maps"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// AddFields declares more fields, for the writes and reads that begin from now on. It stores
// nothing: who opens the index again names them in the Config, and has made sure of that before the
// first write to them. One call at a time. Errors: ErrInvalid, for a number that cannot be or is
// taken.
func (ix *Index) AddFields(fields ...model.Field) error {
	next := maps.Clone(*ix.source.Fields.Load())
	if next == nil {
		next = make(map[uint32]model.Field, len(fields))
	}
	for _, f := range fields {
		if f.ID < 4 || f.ID%4 != 0 || next[f.ID].ID != 0 {
			return fmt.Errorf("%w: got field number %d, want a multiple of 4 from 4 that no other has",
				model.ErrInvalid,
				f.ID)
		}
		if f.Column > model.KeyColumn || f.Column != model.NoColumn && (f.Kind != model.Lists ||
			(f.Column == model.KeyColumn) != (f.Inverse != 0)) {
			return fmt.Errorf("%w: got field %d with column %d, want one of a known layout that its kind may have",
				model.ErrInvalid, f.ID, f.Column)
		}
		next[f.ID] = f
	}
	ix.source.Fields.Store(&next)
	return nil
}

// DropFields drops fields by number. The next flush, which it asks for, deletes their pages, keys
// and value columns. Open snapshots keep them until they are closed. Later writes to the fields
// have no effect, at the latest after a later flush. DropFields stores nothing: the caller has
// recorded the drop before, and names the fields as Dropped in the Config when it opens the index
// again. A number is never used again. Not for concurrent use, nor beside AddFields. Errors:
// ErrInvalid, for a number that no field has.
func (ix *Index) DropFields(numbers ...uint32) error {
	next := maps.Clone(*ix.source.Fields.Load())
	for _, id := range numbers {
		f, ok := next[id]
		if !ok {
			return fmt.Errorf("%w: got field number %d to drop, want one that is there", model.ErrInvalid, id)
		}
		f.Dropped = true
		next[id] = f
	}
	ix.source.Fields.Store(&next)
	wake(ix.flushDue)
	return nil
}
