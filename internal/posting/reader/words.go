// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Words reads the value column of a field with one value at most for each record: the rows of a
// single-valued field, or integers. Not for concurrent use.
type Words struct {
	snap   Snapshot
	field  uint32
	refs   []format.Ref  // pages that are not passed yet
	edited *editedColumn // of a single-valued field: what deltas say; nil: nothing
	at     int           // place in it
	reader PageReader
	narrow []uint16
}

// Words returns a reader of a single-valued or integer field. Errors: ErrInvalid, for another
// field.
func (s Snapshot) Words(field uint32) (*Words, error) {
	if s.St.Source.FieldOf(field).Kind == model.Lists {
		return nil, fmt.Errorf("%w: got field %d, which has no word for each record, to read", model.ErrInvalid, field)
	}
	refs := s.St.Version.Fields[model.ValueField(field)].Refs
	w := &Words{snap: s, field: field, refs: refs, reader: newPageReader(s, refs)}
	if s.St.Source.FieldOf(field).Kind == model.Integers {
		return w, nil
	}
	ctx := s.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	var err error
	w.edited, err = s.editedColumn(ctx, field)
	return w, err
}

// RowOf returns the row that a word of a single-valued field stands for. The word is not 0.
func RowOf(word uint64) uint64 { return word - 1 }

// Integer is IntegerOf in the field that is read.
func (w *Words) Integer(record, word uint64) (int64, error) {
	return IntegerOf(w.snap, w.field, record, word)
}

// Append appends a word for each record of a container. A word is 0 if the record has no value,
// else what RowOf or Integer takes. lows are the records' low bits, ascending. Records ascend over
// all calls.
//
// Cost: an access to each page with some of the records, and little for each record and each
// pending write to them. It reads a column larger than a quarter of the memory bound past the
// cache, into one buffer. Errors: ErrCorrupt, ErrClosed, or the store's.
func (w *Words) Append(dst []uint64, key uint64, lows []uint16) ([]uint64, error) {
	if w.snap.Closed() {
		return dst, model.ErrClosed
	}
	start := len(dst)
	dst = slices.Grow(dst, len(lows))[:start+len(lows)]
	words := dst[start:]
	clear(words)
	if err := w.pages(words, key<<16, lows); err != nil {
		return dst[:start], err
	}
	w.overlay(words, key, lows)
	return dst, nil
}

// pages sets the words that pages have.
func (w *Words) pages(words []uint64, base uint64, lows []uint16) error {
	for len(lows) > 0 {
		record := base | uint64(lows[0])
		if len(w.refs) > 0 && w.refs[0].Last() < record {
			w.refs = w.refs[sort.Search(len(w.refs), func(i int) bool { return w.refs[i].Last() >= record }):]
		}
		if len(w.refs) == 0 {
			return nil
		}
		r := &w.refs[0]
		if r.First > record {
			n := sort.Search(len(lows), func(i int) bool { return base|uint64(lows[i]) >= r.First })
			words, lows = words[n:], lows[n:]
			continue
		}
		p, err := w.reader.Read(r)
		if err != nil {
			return err
		}
		n := len(lows)
		if last := r.Last(); last < base|uint64(lows[n-1]) {
			n = gallopTo(lows, last-base)
		}
		offset := int(record-r.First) - int(lows[0])
		if int(lows[n-1])+offset >= p.Count {
			return model.Corrupt(r.String(), "got %d words, want one of record %d", p.Count, base|uint64(lows[n-1]))
		}
		w.narrow = p.AppendWords(words[:n], lows[:n], offset, w.narrow)
		words, lows = words[n:], lows[n:]
	}
	return nil
}

// overlay changes words as the deltas say: the older one first.
func (w *Words) overlay(words []uint64, key uint64, lows []uint16) {
	if len(lows) == 0 {
		return
	}
	last := key<<16 | uint64(lows[len(lows)-1])
	integers := w.snap.St.Source.FieldOf(w.field).Kind == model.Integers
	for _, d := range [...]*delta.Table{w.snap.St.Frozen, w.snap.St.Active} {
		if d == nil {
			continue
		}
		if d.Tombstones != nil {
			w.remove(words, key, lows, d.Tombstones)
		}
		if !integers || d.Values.Len() == 0 {
			continue
		}
		d.Values.Ascend(model.ValueEdit{Field: w.field, Record: key<<16 | uint64(lows[0])},
			func(f model.ValueEdit) bool {
				if f.Field != w.field || f.Record > last {
					return false
				}
				if i, ok := slices.BinarySearch(lows, uint16(f.Record)); ok && !d.Tombstones.IsDead(f.Record) {
					words[i] = f.Word
				}
				return true
			})
	}
	w.overlayRows(words, key, lows)
}

// overlayRows sets the words of records of a single-valued field that deltas have values of.
func (w *Words) overlayRows(words []uint64, key uint64, lows []uint16) {
	if w.edited == nil {
		return
	}
	from, to := w.edited.within(w.at, key)
	w.at = from
	for i, at := 0, from; i < len(lows) && at < to; {
		switch low := uint16(w.edited.records[at]); {
		case low == lows[i]:
			words[i] = 0
			if rows := w.edited.of(at); len(rows) > 0 {
				words[i] = rows[0] + 1
			}
			i, at = i+1, at+1
		case low < lows[i]:
			at++
		default:
			i++
		}
	}
}

// remove takes away what a delta took away as a whole, before its other writes.
func (w *Words) remove(words []uint64, key uint64, lows []uint16, r *delta.Tombstones) {
	if r.Emptied[w.field] != nil {
		for i, word := range words {
			if word != 0 && r.IsEmptied(w.field, word-1) {
				words[i] = 0
			}
		}
	}
	for record := range r.Dead.Between(key<<16|uint64(lows[0]), key<<16|uint64(lows[len(lows)-1])) {
		if i, ok := slices.BinarySearch(lows, uint16(record)); ok {
			words[i] = 0
		}
	}
}
