// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// check fails when the batch names an undeclared field, a field of another kind, or too long a key.
func (b *Batch) check(src *reader.Source) error {
	for _, k := range b.keys {
		if len(k.Key) > format.MaxKey {
			return fmt.Errorf("%w: got a key of %d bytes, want at most %d", model.ErrInvalid, len(k.Key), format.MaxKey)
		}
		if !declared(src, k.Space) {
			return fmt.Errorf("%w: got key space %d, which no field has", model.ErrInvalid, k.Space)
		}
	}
	if b.Len() > model.MaxEdits {
		return fmt.Errorf("%w: got a batch of %d writes, want at most %d", model.ErrTooLarge, b.Len(), model.MaxEdits)
	}
	if cost, most := b.deltaBytes(), src.Memory.Share(memory.BatchShare); cost > most {
		return fmt.Errorf(
			"%w: got a batch of %d writes and %d keys, which take some %d bytes of memory, want at most %d (an "+
				"eighth of the bound)", model.ErrTooLarge,
			b.Len(), len(b.keys), cost, most)
	}
	for _, e := range b.edits {
		if !src.Declared(e.Field) || src.FieldOf(e.Field).Kind != model.Lists {
			return fmt.Errorf("%w: got field %d, which is not declared, or the inverse of one, or assigned and not set",
				model.ErrInvalid, e.Field)
		}
		if err := b.checkRefs(model.Ref(e.Row), model.Ref(e.Record)); err != nil {
			return err
		}
	}
	for _, e := range b.edgeKeys {
		if !src.HasEdgeKeys(model.ValueField(e.Field)) || e.Key == model.EdgeGone {
			return fmt.Errorf("%w: got a key of an edge for field %d, which keeps none, or the key %d", model.ErrInvalid,
				e.Field, uint64(e.Key))
		}
		if err := b.checkRefs(e.Record, e.Target, e.Key); err != nil {
			return err
		}
	}
	for _, a := range b.values {
		want := src.FieldOf(a.Field).Kind
		if !src.Declared(a.Field) || want == model.Lists || (a.Kind == model.WordInt || a.Kind == model.WordDropInt) &&
			want != model.Integers ||
			(a.Kind == model.WordRow || a.Kind == model.WordDrop) && want != model.Rows {
			return fmt.Errorf("%w: got an assignment to field %d, which is not declared or of another kind",
				model.ErrInvalid,
				a.Field)
		}
		row := a.Only
		if a.Kind == model.WordRow {
			row = model.Ref(a.Word)
		}
		if err := b.checkRefs(model.Ref(a.Record), row); err != nil {
			return err
		}
	}
	for _, e := range b.emptied {
		if f := src.FieldOf(e.Field); f.ID == 0 || f.Kind == model.Integers {
			return fmt.Errorf("%w: got field %d to empty a row of, which is not declared or has integers",
				model.ErrInvalid,
				e.Field)
		}
		if err := b.checkRefs(e.Row); err != nil {
			return err
		}
	}
	return b.checkRefs(b.deleted...)
}

// checkRefs fails for what stands for no ID.
func (b *Batch) checkRefs(refs ...model.Ref) error {
	for _, r := range refs {
		if r&model.KeyRef != 0 && int(r&^model.KeyRef) >= len(b.keys) {
			return fmt.Errorf("%w: got an ID above %d, or the Ref of another batch", model.ErrInvalid,
				uint64(model.MaxID))
		}
	}
	return nil
}

// declared reports whether a key space is that of the records or of a declared field.
func declared(src *reader.Source, space uint32) bool {
	return space == model.RecordSpace || space%4 == model.RecordSpace && src.Declared(space-1)
}

// checkEdges fails when a record has too great an ID for edges with keys.
func (b *Batch) checkEdges(ids []uint64) error {
	for i := range b.edgeKeys {
		e := &b.edgeKeys[i]
		if id := max(model.Resolve(uint64(e.Record), ids), model.Resolve(uint64(e.Target), ids)); id > model.MaxEdgeID {
			return fmt.Errorf("%w: got record %d in a relation with keys, want at most %d", model.ErrTooLarge, id,
				uint64(model.MaxEdgeID))
		}
	}
	return nil
}

// resolve puts the writes of a batch into a log entry, with IDs in the place of Refs: each record
// of a list once, and none that are void.
func (b *Batch) resolve(src *reader.Source, ids []uint64, entry *wal.Entry) {
	dead := make(map[uint64]bool, len(b.deleted))
	for _, r := range b.deleted {
		dead[model.Resolve(uint64(r), ids)] = true
	}
	for id := range dead {
		entry.Deleted = append(entry.Deleted, wal.Deletion{Record: id})
	}
	slices.SortFunc(entry.Deleted, func(a, b wal.Deletion) int { return cmp.Compare(a.Record, b.Record) })
	emptied := make(map[model.RowName]model.Emptying, len(b.emptied))
	for _, e := range b.emptied {
		name := model.RowName{Field: e.Field, Row: model.Resolve(uint64(e.Row), ids)}
		if _, twice := emptied[name]; !twice && !(dead[name.Row] && src.FieldOf(e.Field).Inverse != 0) {
			entry.Emptied = append(entry.Emptied, name)
		}
		emptied[name] = e
	}
	entry.Edits = make([]model.Edit, 0, len(b.edits))
	for i, e := range b.edits {
		e.Row, e.Record = model.Resolve(e.Row, ids), model.Resolve(e.Record, ids)
		if len(dead)+len(emptied) == 0 {
			entry.Edits = append(entry.Edits, e)
			continue
		}
		inverse := src.FieldOf(e.Field).Inverse
		if dead[e.Record] || inverse != 0 && dead[e.Row] || i < emptied[model.RowName{Field: e.Field,
			Row: e.Row}].Edits ||
			inverse != 0 && i < emptied[model.RowName{Field: inverse, Row: e.Record}].Edits {
			continue
		}
		entry.Edits = append(entry.Edits, e)
	}
	for i := range b.edgeKeys {
		e := b.edgeKeys[i].Resolve(ids)
		if record, target := model.EdgeOf(e.Row); !dead[record] && !dead[target] {
			entry.Edits = append(entry.Edits, e)
		}
	}
	entry.Edits = model.NormalizeEdits(entry.Edits)
	for i, a := range b.values {
		a.Record = model.Resolve(a.Record, ids)
		if dead[a.Record] {
			continue
		}
		switch a.Kind {
		case model.WordRow:
			row := model.Resolve(a.Word, ids)
			if a.Word = row + 1; i < emptied[model.RowName{Field: a.Field, Row: row}].Values {
				a.Word = 0
			}
		case model.WordDrop:
			a.Only = model.Ref(model.Resolve(uint64(a.Only), ids))
		}
		entry.Assigned = append(entry.Assigned, a)
	}
}
