// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"fmt"
	"slices"
)

// check fails when the batch names a field that is not declared or of another kind, or a key that
// is too long.
func (ix *Index) check(b *Batch) error {
	for _, k := range b.keys {
		if len(k.key) > MaxKey {
			return fmt.Errorf("%w: got a key of %d bytes, want at most %d", ErrInvalid, len(k.key), MaxKey)
		}
		if !ix.names(k.space) {
			return fmt.Errorf("%w: got key space %d, which no field has", ErrInvalid, k.space)
		}
	}
	if b.Len() > maxEdits {
		return fmt.Errorf("%w: got a batch of %d writes, want at most %d", ErrTooLarge, b.Len(), maxEdits)
	}
	if cost, most := b.deltaBytes(), ix.memory.share(batchShare); cost > most {
		return fmt.Errorf(
			"%w: got a batch of %d writes and %d keys, which take some %d bytes of memory, want at most %d (an "+
				"eighth of the bound)", ErrTooLarge,
			b.Len(), len(b.keys), cost, most)
	}
	for _, e := range b.edits {
		if !ix.declared(e.field) || ix.fieldOf(e.field).Kind != Lists {
			return fmt.Errorf("%w: got field %d, which is not declared, or the inverse of one, or assigned and not set",
				ErrInvalid, e.field)
		}
		if err := b.checkRefs(Ref(e.row), Ref(e.record)); err != nil {
			return err
		}
	}
	for _, a := range b.forward {
		want := ix.fieldOf(a.field).Kind
		if !ix.declared(a.field) || want == Lists || (a.kind == wordInt || a.kind == wordDropInt) && want != Integers ||
			(a.kind == wordRow || a.kind == wordDrop) && want != Rows {
			return fmt.Errorf("%w: got an assignment to field %d, which is not declared or of another kind", ErrInvalid,
				a.field)
		}
		row := a.only
		if a.kind == wordRow {
			row = Ref(a.word)
		}
		if err := b.checkRefs(Ref(a.record), row); err != nil {
			return err
		}
	}
	for _, e := range b.emptied {
		if f := ix.fieldOf(e.field); f.ID == 0 || f.Kind == Integers {
			return fmt.Errorf("%w: got field %d to empty a row of, which is not declared or has integers", ErrInvalid,
				e.field)
		}
		if err := b.checkRefs(e.row); err != nil {
			return err
		}
	}
	return b.checkRefs(b.deleted...)
}

// checkRefs fails for what stands for no ID.
func (b *Batch) checkRefs(refs ...Ref) error {
	for _, r := range refs {
		if r&keyRef != 0 && int(r&^keyRef) >= len(b.keys) {
			return fmt.Errorf("%w: got an ID above %d, or the Ref of another batch", ErrInvalid, uint64(MaxID))
		}
	}
	return nil
}

// declared reports whether writes may name the field.
func (ix *Index) declared(field uint32) bool {
	f := ix.fieldOf(field)
	return field == Exists || f.ID != 0 && !f.Derived
}

// names reports whether a key space is that of the records or of a declared field.
func (ix *Index) names(space uint32) bool {
	return space == RecordSpace || space%4 == RecordSpace && ix.declared(space-1)
}

// resolve puts the writes of a batch into a log entry, with IDs in the place of Refs: each record
// of a list once, and none that are void.
func (b *Batch) resolve(ix *Index, ids []uint64, entry *logEntry) {
	dead := make(map[uint64]bool, len(b.deleted))
	for _, r := range b.deleted {
		dead[resolve(uint64(r), ids)] = true
	}
	for id := range dead {
		entry.deleted = append(entry.deleted, deletion{record: id})
	}
	slices.SortFunc(entry.deleted, func(a, b deletion) int { return cmp.Compare(a.record, b.record) })
	emptied := make(map[rowName]emptying, len(b.emptied))
	for _, e := range b.emptied {
		name := rowName{e.field, resolve(uint64(e.row), ids)}
		if _, twice := emptied[name]; !twice && !(dead[name.row] && ix.fieldOf(e.field).Inverse != 0) {
			entry.emptied = append(entry.emptied, name)
		}
		emptied[name] = e
	}
	entry.edits = make([]edit, 0, len(b.edits))
	for i, e := range b.edits {
		e.row, e.record = resolve(e.row, ids), resolve(e.record, ids)
		if len(dead)+len(emptied) == 0 {
			entry.edits = append(entry.edits, e)
			continue
		}
		inverse := ix.fieldOf(e.field).Inverse
		if dead[e.record] || inverse != 0 && dead[e.row] || i < emptied[rowName{e.field, e.row}].edits ||
			inverse != 0 && i < emptied[rowName{inverse, e.record}].edits {
			continue
		}
		entry.edits = append(entry.edits, e)
	}
	entry.edits = normalize(entry.edits)
	for i, a := range b.forward {
		a.record = resolve(a.record, ids)
		if dead[a.record] {
			continue
		}
		switch a.kind {
		case wordRow:
			row := resolve(a.word, ids)
			if a.word = row + 1; i < emptied[rowName{a.field, row}].forward {
				a.word = 0
			}
		case wordDrop:
			a.only = Ref(resolve(uint64(a.only), ids))
		}
		entry.assigned = append(entry.assigned, a)
	}
}

// rowName names a list.
type rowName struct {
	field uint32
	row   uint64
}
