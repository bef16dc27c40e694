// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Values reads the rows of many records in a single-valued field of few rows. Not for concurrent
// use.
type Values struct {
	snap  Snapshot
	field uint32
	rows  int
	refs  []format.Ref // pages that are not passed yet

	edited *editedColumn // records that deltas say something of; nil: none
	passed int           // of these
}

// Values returns a reader of the rows of a field. rows is a number that FewRows gives, at most
// 65 534. ok is false when the field has lists only, or rows of it were emptied since the last
// flush.
//
// Cost: the first call in a state looks at each value written since the last flush. Errors: ctx's,
// or as of List.
func (s Snapshot) Values(ctx context.Context, field uint32, rows int) (v Values, ok bool, err error) {
	if s.KindOf(field) != model.Rows || rows >= 1<<16-1 {
		return v, false, nil
	}
	for _, d := range [...]*delta.Table{s.St.Active, s.St.Frozen} {
		if d != nil && d.Tombstones != nil && d.Tombstones.Emptied[field] != nil {
			return v, false, nil
		}
	}
	edited, err := s.editedColumn(ctx, field)
	return Values{snap: s, field: field, rows: rows, refs: s.St.Version.Fields[model.ValueField(field)].Refs,
			edited: edited},
		err == nil, err
}

// Append appends, for each record of a container, its row plus 1, or 0 if it has none. lows are the
// records' low bits, ascending. Containers come in ascending order.
//
// Cost: an access to each page with some of the records, and little for each record. Errors:
// ErrCorrupt, ErrClosed, or the store's.
func (v *Values) Append(dst []uint16, key uint64, lows []uint16) ([]uint16, error) {
	if v.snap.Closed() {
		return dst, model.ErrClosed
	}
	base, start := key<<16, len(dst)
	dst = slices.Grow(dst, len(lows))[:start+len(lows)]
	words := dst[start:]
	clear(words)
	for n := 0; n < len(lows); {
		record := base | uint64(lows[n])
		for len(v.refs) > 0 && v.refs[0].Last() < record {
			v.refs = v.refs[1:]
		}
		if len(v.refs) == 0 || v.refs[0].First > base|uint64(lows[len(lows)-1]) {
			break
		}
		r := &v.refs[0]
		if r.First > record {
			n++
			continue
		}
		end := len(lows)
		if last := r.Last(); last < base|uint64(lows[end-1]) {
			end, _ = slices.BinarySearch(lows, uint16(last-base)+1)
		}
		p, err := v.snap.page(r)
		if err != nil {
			return dst, err
		}
		if p.Read(words[n:end], lows[n:end], int(base-r.First)) > v.rows {
			return dst, model.Corrupt(r.String(), "got a row above all that its field has, %d", v.rows)
		}
		n = end
	}
	v.overlay(words, key, lows)
	return dst, nil
}

// overlay sets the words of a container's records that deltas edit.
func (v *Values) overlay(words []uint16, key uint64, lows []uint16) {
	if m := v.snap.St.Masks; m.HasDead(key) {
		for record := range m.Dead.From(key << 16) {
			if record>>16 != key {
				break
			}
			if i, ok := slices.BinarySearch(lows, uint16(record)); ok {
				words[i] = 0
			}
		}
	}
	at, end := v.edited.within(v.passed, key)
	v.passed = at
	for i := 0; at < end && i < len(lows); {
		switch low := uint16(v.edited.records[at]); {
		case low < lows[i]:
			at++
		case low > lows[i]:
			i++
		default:
			words[i] = 0
			if rows := v.edited.of(at); len(rows) > 0 {
				words[i] = uint16(min(rows[0]+1, uint64(v.rows)))
			}
			at, i = at+1, i+1
		}
	}
}
