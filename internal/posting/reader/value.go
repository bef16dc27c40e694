// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"fmt"

	"github.com/tidwall/btree"
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Word returns the word of a record in a value column as deltas and a manifest say it; 0: none.
func (src *Source) Word(active, frozen *delta.Table, m *format.Manifest, field uint32, record uint64) (uint64, error) {
	if active.Tombstones.IsDead(record) || frozen != nil && frozen.Tombstones.IsDead(record) {
		return 0, nil
	}
	if f, ok := active.Values.Get(model.ValueEdit{Field: field, Record: record}); ok {
		return f.Word, nil
	}
	w, found := uint64(0), false
	if frozen != nil {
		var f model.ValueEdit
		if f, found = frozen.Values.Get(model.ValueEdit{Field: field, Record: record}); found {
			w = f.Word
		}
	}
	if !found {
		var err error
		if w, err = src.WordOnPage(m, field, record); err != nil {
			return 0, err
		}
		if w != 0 && frozen != nil && frozen.Tombstones.IsEmptied(field, w-1) {
			return 0, nil
		}
	}
	if w != 0 && active.Tombstones.IsEmptied(field, w-1) {
		return 0, nil
	}
	return w, nil
}

// WordOnPage returns the word of a record that a manifest's pages have; 0: none, or the field,
// which a log entry may have made up, has no words.
func (src *Source) WordOnPage(m *format.Manifest, field uint32, record uint64) (uint64, error) {
	if src.FieldOf(field).Kind == model.Lists {
		return 0, nil
	}
	refs := m.Pages(model.ValueField(field), record)
	if len(refs) == 0 {
		return 0, nil
	}
	p, err := src.Page(&refs[0])
	if err != nil {
		return 0, err
	}
	return p.Word(record - refs[0].First), nil
}

// Value returns the row of a record in a single-valued field. ok is false when it has none. Errors
// as of List.
func (s Snapshot) Value(field uint32, record uint64) (row uint64, ok bool, err error) {
	w, err := s.word(field, record)
	return w - 1, w != 0, err
}

// Int returns the integer of a record in an integer field. ok is false when it has none. Errors as
// of List.
func (s Snapshot) Int(field uint32, record uint64) (x int64, ok bool, err error) {
	w, err := s.word(field, record)
	if err != nil || w == 0 {
		return 0, false, err
	}
	f := model.ValueEdit{Word: w}
	if w == model.LeastWord {
		f.Least, err = s.Contains(field, model.IntegerRow(63), record)
	}
	return f.Integer(), err == nil, err
}

// IntegerOf returns the integer of a record, from its word in an integer field, which is not 0.
// Cost: that of Int for one of the two least integers. Errors as of List.
func IntegerOf(s Snapshot, field uint32, record, word uint64) (int64, error) {
	if word != model.LeastWord {
		return model.Integer(word), nil
	}
	x, _, err := s.Int(field, record)
	return x, err
}

func (s Snapshot) word(field uint32, record uint64) (uint64, error) {
	if s.Closed() {
		return 0, model.ErrClosed
	}
	if record > model.MaxID {
		return 0, nil
	}
	misses := s.St.Source.Misses.Load()
	w, err := s.St.Source.Word(s.St.Active, s.St.Frozen, s.St.Version.Manifest, field, record)
	if err == nil {
		err = s.patient(misses)
	}
	return w, err
}

// AppendWords appends a word for each of some records: 0 if it has no value in a single-valued or
// integer field, else what RowOf or IntegerOf takes. Cost: if the records ascend, an access
// to each page with some of them, and a look into the deltas for each. Errors: ErrInvalid, for
// another field; or as of List.
func (s Snapshot) AppendWords(dst []uint64, field uint32, records []uint64) ([]uint64, error) {
	src, st, hits := s.St.Source, s.St, uint64(0)
	switch {
	case s.Closed():
		return dst, model.ErrClosed
	case src.FieldOf(field).Kind == model.Lists:
		return dst, fmt.Errorf("%w: got field %d, which has no word for each record, to read", model.ErrInvalid, field)
	}
	deltas, emptied := make([]*delta.Table, 0, 2), false
	for _, d := range [...]*delta.Table{st.Active, st.Frozen} {
		if d != nil && (d.Values.Len() > 0 || d.Tombstones != nil) {
			deltas = append(deltas, d)
			emptied = emptied || d.Tombstones != nil && d.Tombstones.Emptied[field] != nil
		}
	}
	var near [2]btree.PathHint // of the value before, in each delta
	var ref format.Ref         // of page, once there is one
	var page *format.Page
	defer func() { src.hit(hits) }()
next:
	for _, record := range records {
		if record > model.MaxID || st.Masks.IsDead(record) {
			dst = append(dst, 0)
			continue
		}
		if emptied {
			w, err := src.Word(st.Active, st.Frozen, st.Version.Manifest, field, record)
			if err != nil {
				return dst, err
			}
			dst = append(dst, w)
			continue
		}
		for i, d := range deltas {
			if f, ok := d.Values.GetHint(model.ValueEdit{Field: field, Record: record}, &near[i]); ok {
				dst = append(dst, f.Word)
				continue next
			}
		}
		if page == nil || record < ref.First || record > ref.Last() {
			refs := st.Version.Pages(model.ValueField(field), record)
			if len(refs) == 0 {
				dst = append(dst, 0)
				continue
			}
			var err error
			if page, err = s.pageOf(&refs[0], &hits); err != nil {
				return dst, err
			}
			ref = refs[0]
		}
		dst = append(dst, page.Word(record-ref.First))
	}
	return dst, nil
}
