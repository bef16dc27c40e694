// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"fmt"
	"slices"

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
		l.edits = append(l.edits, model.Edit{Field: field, Set: true, Row: uint64(row), Record: uint64(record)})
		return l.makeRoom()
	}
	if l.Pairs[field] == nil && (l.few[field] < FewPairs || len(l.Pairs) >= PairFields) {
		l.few[field]++
		l.edits = append(l.edits, model.Edit{Field: field, Set: true, Row: uint64(row), Record: uint64(record)})
		return l.makeRoom()
	}
	p := l.Pairs[field]
	if p == nil {
		p = l.pairsOfMany(field)
	}
	l.put(p, x<<32|y)
	return l.makeRoom()
}

// FewPairs is how many writes to a field are edits like those of all others before further ones are
// pairs, which are merged field by field: there may be thousands of fields with few writes each.
const FewPairs = 1 << 10

// PairFields is how many fields are written as pairs at most, beside relations: each has up to
// mostRuns files in each direction, all of them open.
const PairFields = 32

// refHalf returns a Ref as half of a word of a pair.
func refHalf(r model.Ref) (half uint64, ok bool) {
	if r&model.KeyRef != 0 {
		return NumberBit | uint64(r&^model.KeyRef), r&^model.KeyRef < mostNumbers
	}
	return uint64(r), r < NumberBit
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
		if r&model.KeyRef != 0 && uint64(r&^model.KeyRef) >= uint64(len(l.ids)+l.unnamed()) {
			return fmt.Errorf("%w: got an ID above %d, or a Ref of another load", model.ErrInvalid, uint64(model.MaxID))
		}
	}
	return nil
}

// makeRoom gives IDs to keys and moves writes to files when there are many of them.
func (l *Loader) makeRoom() error {
	if len(l.waiting) >= loadKeys || l.waitingBytes >= loadKeyBytes ||
		int64(delta.NamedBytes*len(l.waiting)+l.waitingBytes) > l.src.Memory.Share(memory.BatchShare)/2 {
		l.err = l.nameSome()
	}
	if l.err == nil && int64(len(l.edits)+len(l.assigned))*loadEdit > l.memory/8 {
		l.err = l.spillEdits()
	}
	if l.err == nil && int64(l.gathered)*loadPair > l.memory/4 {
		l.err = l.handLargest()
	}
	return l.err
}

// sorted returns the edits gathered, with IDs and those of the other direction, ascending, and
// begins anew.
func (l *Loader) sorted() ([]model.Edit, error) {
	if err := l.Name(); err != nil {
		return nil, err
	}
	edits := make([]model.Edit, 0, 2*len(l.edits))
	for _, e := range l.edits {
		e.Row, e.Record = model.Resolve(e.Row, l.ids), model.Resolve(e.Record, l.ids)
		edits = append(edits, e)
		if inverse := l.src.Opposite(e.Field); inverse != 0 {
			edits = append(edits, model.Edit{Field: inverse, Set: e.Set, Row: e.Record, Record: e.Row})
		}
	}
	l.edits = l.edits[:0]
	slices.SortFunc(edits, model.CompareEdits)
	return slices.Compact(edits), nil
}

// spillEdits moves the edits and assignments gathered to temporary files.
func (l *Loader) spillEdits() error {
	edits, err := l.sorted()
	if err != nil {
		return err
	}
	return errors.Join(l.Runs.Add(edits), l.words.Add(l.sortedWords()))
}

// spill moves all that is gathered to temporary files.
func (l *Loader) spill() error { return errors.Join(l.spillEdits(), l.spillPairs()) }
