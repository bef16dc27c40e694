// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// maxProblems is how many problems All collects before it gives up.
const maxProblems = 100

// verifier checks the pages of one manifest.
type verifier struct {
	src      *reader.Source
	snap     reader.Snapshot
	ctx      context.Context
	universe overlay.List      // as the pages have it
	implied  map[uint32]uint64 // field → values of its lists that follow from its value column
	edits    []model.Edit      // scratch
	problems []error
	told     map[string]bool // texts of problems
	damaged  map[uint64]bool // generations of pages that cannot be read, which no cache keeps
}

// All checks a snapshot's pages as the store has them, and then the log. log reads the log. All
// tells progress, if not nil, how many pages of how many are done. It returns nil when all is well,
// ctx's error, ErrClosed, or up to some 100 problems, joined. Cost: a read of every page, and a
// probe for each record, row, and value of a relation or value column.
func All(ctx context.Context, snap reader.Snapshot, log func() error, progress func(done, total int)) error {
	v := verifier{src: snap.St.Source, snap: snap, ctx: ctx, implied: make(map[uint32]uint64),
		told: make(map[string]bool), damaged: make(map[uint64]bool)}
	total, done := snap.St.Version.Count(), 0
	v.report(v.list(model.Exists, 0, &v.universe))
	snap.St.Version.All(func(r *format.Ref) {
		if v.stopped() != nil || len(v.problems) >= maxProblems {
			return
		}
		v.report(v.page(r))
		if done++; progress != nil {
			progress(done, total)
		}
	})
	v.totals()
	v.report(log())
	if err := v.stopped(); err != nil {
		return err
	}
	return errors.Join(v.problems...)
}

// report adds err to the problems, unless it is nil or was added before: each page whose values
// lead to a damaged page meets it again.
func (v *verifier) report(err error) {
	if err == nil || v.told[err.Error()] {
		return
	}
	v.told[err.Error()] = true
	v.problems = append(v.problems, err)
}

// stopped returns why there is nothing more to be found out, nil as long as there is.
func (v *verifier) stopped() error {
	if v.src.Closed.Load() {
		return model.ErrClosed
	}
	return v.ctx.Err()
}

// page checks one page.
func (v *verifier) page(r *format.Ref) error {
	base := r.Field - r.Field%4
	if f := v.src.FieldOf(base); base > 0 && f.ID == 0 || r.Field%4 == 3 && f.Kind == model.Lists &&
		f.Column == model.NoColumn {
		return model.Corrupt(r.String(), "got a page of a field that is not declared, or keeps none of its kind")
	}
	p, err := v.src.Read(r)
	if err != nil {
		return err
	}
	if v.src.FieldOf(base).Dropped {
		return nil // about to go: what a load or a late write has added may have lost its keys
	}
	values := uint64(0)
	switch p.Kind {
	case format.Postings:
		values, err = v.postings(r, p)
	case format.Keys:
		values, err = v.keys(r, p)
	case format.Hashes:
		err = v.hashes(r, p)
	case format.Values:
		if p.HasKeys() {
			values, err = v.edgeKeys(r, p)
		} else if p.Width > 0 {
			values, err = v.column(r, p)
		} else {
			values, err = v.valueColumn(r, p)
		}
	}
	if err == nil && values != r.Values {
		err = model.Corrupt(r.String(), "got %d values, want %d as the manifest says", values, r.Values)
	}
	return err
}

// postings checks the lists of a page, each value of a relation in the other direction as well.
func (v *verifier) postings(r *format.Ref, p *format.Page) (values uint64, err error) {
	f := v.src.FieldOf(r.Field)
	inverse := f.Inverse
	rows := v.snap.Keys(model.KeySpace(r.Field))
	err = p.All(func(offset uint64, body []byte) error {
		row := r.First + offset
		list, err := view.OpenBody(body)
		if err == nil {
			err = list.Validate()
		}
		if err != nil {
			return model.Corrupt(r.String(), "row %d: %v", row, err)
		}
		values += list.Len()
		if err := v.inPiece(r, list); err != nil {
			return err
		}
		if r.Field == model.Exists {
			return v.named(r, list)
		}
		if strangers := list.Len() - v.existing(list); strangers > 0 {
			return model.Corrupt(r.String(), "row %d has %d records that do not exist", row, strangers)
		}
		if inverse == 0 {
			if f.Kind == model.Integers {
				return nil
			}
			code, err := rows.Code(row)
			if err == nil && len(code) == 0 {
				err = model.Corrupt(r.String(), "row %d has no key", row)
			}
			return err
		}
		for record := range list.All() {
			if err := v.ctx.Err(); err != nil {
				return err
			}
			switch in, err := v.onPages(inverse, record, row); {
			case err != nil:
				return err
			case !in:
				return model.Corrupt(r.String(), "row %d has record %d, but field %d has not row %d with record %d",
					row,
					record, inverse, record, row)
			}
		}
		return nil
	})
	return values, err
}

// inPiece checks that the values of a piece of a list are those of its range.
func (v *verifier) inPiece(r *format.Ref, list view.View) error {
	least, ok := list.Min()
	if r.Piece == 0 || !ok {
		return nil
	}
	most, _ := list.Max()
	to := uint64(format.MaxPiece) + 1
	for _, next := range v.snap.St.Version.Pages(r.Field, r.First) {
		if next.Piece > r.Piece {
			to = next.PieceKey()
			break
		}
	}
	if least>>16 < r.PieceKey() || most>>16 >= to {
		return model.Corrupt(r.String(), "got values from %d to %d, want container keys from %d to %d", least, most,
			r.PieceKey(), to-1)
	}
	return nil
}

// existing returns how many records of a list exist.
func (v *verifier) existing(list view.View) (n uint64) {
	for i := range v.universe.Pieces() {
		n += pair.AndLen(list, v.universe.Piece(i))
	}
	return n
}

// named checks that records have keys.
func (v *verifier) named(r *format.Ref, list view.View) error {
	keys := v.snap.Keys(model.RecordSpace)
	for record := range list.All() {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		code, err := keys.Code(record)
		if err == nil && len(code) == 0 {
			err = model.Corrupt(r.String(), "record %d exists and has no key", record)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list reads a list as the pages have it.
func (v *verifier) list(field uint32, row uint64, l *overlay.List) error {
	refs := v.snap.St.Version.Pages(field, row)
	for i := range refs {
		view, err := v.src.View(&refs[i], row)
		if err != nil {
			return err
		}
		l.AddPiece(view, refs[i].PieceKey())
	}
	return nil
}

// onPages reports whether a record is in a list as the pages have it. What a damaged page has is
// not known: that is reported, and true.
func (v *verifier) onPages(field uint32, row, record uint64) (bool, error) {
	refs := v.snap.St.Version.Pages(field, row)
	for i := len(refs) - 1; i >= 0; i-- {
		if refs[i].PieceKey() <= record>>16 {
			return v.onPage(&refs[i], row, record)
		}
	}
	return false, nil
}

// onPage is onPages for the page that would have the record.
func (v *verifier) onPage(r *format.Ref, row, record uint64) (bool, error) {
	if v.damaged[r.Generation] {
		return true, nil
	}
	p, err := v.src.Page(r)
	if errors.Is(err, model.ErrCorrupt) {
		v.damaged[r.Generation] = true
	}
	var list view.View
	if err == nil {
		list, err = p.View(r, row)
	}
	if errors.Is(err, model.ErrCorrupt) {
		v.report(err)
		return true, nil
	}
	return err == nil && list.Contains(record), err
}

// keys checks that each key is found by its hash.
func (v *verifier) keys(r *format.Ref, p *format.Page) (values uint64, err error) {
	err = p.All(func(offset uint64, code []byte) error {
		id := r.First + offset
		key, ok := format.AppendKeyText(nil, code)
		if !ok {
			return model.Corrupt(r.String(), "ID %d: got no key in codec %d", id, code[0])
		}
		values++
		got, ok, err := v.src.LookupPage(v.snap.St.Version.Manifest, r.Field, string(key))
		if err == nil && (!ok || got != id) {
			err = model.Corrupt(r.String(), "key %q of ID %d: got ID %d (%v) by its hash", key, id, got, ok)
		}
		return err
	})
	return values, err
}

// hashes checks the order of a page's entries.
func (v *verifier) hashes(r *format.Ref, p *format.Page) error {
	for i := 1; i < p.Count; i++ {
		a, b := p.StoredHash(i-1), p.StoredHash(i)
		if a > b || a == b && p.HashID(i-1) >= p.HashID(i) {
			return model.Corrupt(r.String(), "entry %d does not come after the one before", i)
		}
	}
	return nil
}

// valueColumn checks that each record is in the lists that its word says.
func (v *verifier) valueColumn(r *format.Ref, p *format.Page) (values uint64, err error) {
	field := r.Field - 3
	for i := range uint64(p.Count) {
		word, record := p.Word(i), r.First+i
		if word == 0 {
			continue
		}
		values++
		if err := v.ctx.Err(); err != nil {
			return values, err
		}
		f := model.ValueEdit{Field: field, Record: record, Word: word}
		if word == model.LeastWord {
			if f.Least, err = v.onPages(field, model.IntegerRow(63), record); err != nil {
				return values, err
			}
		}
		v.edits = model.AppendChange(v.edits[:0], v.src.FieldOf(field).Kind, f, 0)
		v.implied[field] += uint64(len(v.edits))
		for _, e := range v.edits {
			in, err := v.onPages(field, e.Row, record)
			if err == nil && !in {
				err = model.Corrupt(r.String(), "record %d: got word %d, but row %d has not the record", record, word,
					e.Row)
			}
			if err != nil {
				return values, err
			}
		}
	}
	return values, nil
}

// totals compares what must be equal in number: with the probes of each value, that makes both
// sides the same.
func (v *verifier) totals() {
	sums, entries := map[uint32]uint64{}, map[uint32]uint64{}
	v.snap.St.Version.All(func(r *format.Ref) {
		sums[r.Field] += r.Values
		entries[r.Field] += uint64(r.Rows)
	})
	equal := func(what string, a, b uint64) {
		if a != b {
			v.report(model.Corrupt("manifest", "%s: got %d and %d, want as many", what, a, b))
		}
	}
	for _, id := range merge.SortedFields(v.src) {
		f := v.src.FieldOf(id)
		if f.Dropped {
			continue
		}
		if f.Inverse != 0 && !f.Derived {
			equal(fmt.Sprintf("values of the relations %d and %d", id, f.Inverse), sums[id], sums[f.Inverse])
		}
		if f.Column != model.NoColumn && f.Column != model.KeyColumn {
			equal(fmt.Sprintf("values of field %d and of its column", id), sums[id], sums[model.ValueField(id)])
		}
		if f.Kind != model.Lists {
			equal(fmt.Sprintf("values of field %d, and those that its value column stands for", id), sums[id],
				v.implied[id])
		}
		equal(fmt.Sprintf("keys and hashes of field %d", id), sums[model.KeySpace(id)], entries[model.KeySpace(id)+1])
	}
	equal("keys and hashes of the records", sums[model.RecordSpace], entries[model.RecordSpace+1])
}
