// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Set puts a record into the list of a row. Of a relation only the declared direction is named.
// Errors: ErrInvalid leaves the load as it was; after any other, which are those of Commit, the
// load can only be aborted.
func (l *Loader) Set(field uint32, row, record model.Ref) error {
	if err := l.check(field, model.Lists, row, record); err != nil {
		return err
	}
	x, ok := refHalf(row)
	y, ok2 := refHalf(record)
	if !ok || !ok2 || field == model.Exists {
		l.Edits.set(field, row, record)
		return l.makeRoom()
	}
	if l.Pairs.Fields[field] == nil && (l.Pairs.few[field] < FewPairs || len(l.Pairs.Fields) >= PairFields) {
		l.Pairs.few[field]++
		l.Edits.set(field, row, record)
		return l.makeRoom()
	}
	p := l.Pairs.Fields[field]
	if p == nil {
		p = l.Pairs.ofMany(field)
	}
	l.Pairs.put(p, x<<32|y)
	return l.makeRoom()
}

// SetRow puts records that exist into the list of a row. Errors as of Set.
func (l *Loader) SetRow(field uint32, row model.Ref, records iter.Seq[uint64]) error {
	snap := l.src.Snapshot()
	defer snap.Close()
	for id := range records {
		exists, err := snap.Contains(model.Exists, 0, id)
		if err == nil && exists {
			err = l.Set(field, row, model.ID(id))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check fails for a write that cannot be, or when the load has failed or ended.
func (l *Loader) check(field uint32, kind model.Kind, refs ...model.Ref) error {
	if l.ended {
		return model.ErrClosed
	}
	if l.err != nil {
		return l.err
	}
	if l.clusters && len(refs) > 0 {
		return fmt.Errorf("%w: got a write of another kind than pairs for a load that clusters", model.ErrInvalid)
	}
	if !l.src.Declared(field) || l.src.FieldOf(field).Kind != kind {
		return fmt.Errorf("%w: got field %d, which is not declared, or the inverse of one, or takes other writes",
			model.ErrInvalid, field)
	}
	for _, r := range refs {
		if r&model.KeyRef != 0 && uint64(r&^model.KeyRef) >= uint64(len(l.Naming.ids)+l.Naming.unnamed()) {
			return fmt.Errorf("%w: got an ID above %d, or a Ref of another load", model.ErrInvalid, uint64(model.MaxID))
		}
	}
	return nil
}

// makeRoom gives IDs to keys and moves writes to files when there are many of them.
func (l *Loader) makeRoom() error {
	waiting, bytes := len(l.Naming.waiting), l.Naming.waitingBytes
	if waiting >= loadKeys || bytes >= loadKeyBytes ||
		int64(delta.NamedBytes*waiting+bytes) > l.src.Memory.Share(memory.BatchShare)/2 {
		l.err = l.Naming.start()
	}
	if l.err == nil && int64(len(l.Edits.list)+len(l.values.assigned))*loadEdit > l.memory/8 {
		l.err = l.spillEdits()
	}
	if l.err == nil && int64(l.Pairs.gathered)*loadPair > l.memory/4 {
		l.err = l.Pairs.handLargest()
	}
	return l.err
}

// spillEdits moves the edits and assignments gathered to temporary files.
func (l *Loader) spillEdits() error {
	edits, err := l.Edits.sorted()
	if err != nil {
		return err
	}
	return errors.Join(l.Edits.Runs.Add(edits), l.values.words.Add(l.values.sorted()))
}

// spill moves all that is gathered to temporary files.
func (l *Loader) spill() error { return errors.Join(l.spillEdits(), l.Pairs.spill()) }

// Assign gives a record a row in a single-valued field, in the place of the one it has. Errors as
// of Set.
func (l *Loader) Assign(field uint32, record, row model.Ref) error {
	if err := l.check(field, model.Rows, record, row); err != nil {
		return err
	}
	if l.err = l.Pairs.assign(field, []model.Ref{record}, []model.Ref{row}); l.err != nil {
		return l.err
	}
	return l.makeRoom()
}

// AssignInt gives a record an integer in an integer field, in the place of the one it has. Errors
// as of Set.
func (l *Loader) AssignInt(field uint32, record model.Ref, x int64) error {
	if err := l.check(field, model.Integers, record); err != nil {
		return err
	}
	// An assignment that is not set is of the least int64.
	l.values.assigned = append(l.values.assigned, model.Edit{Field: field, Set: x != math.MinInt64, Row: uint64(record),
		Record: model.IntegerWord(x)})
	return l.makeRoom()
}
