// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"slices"

	"github.com/uproar-db/uproar/bitmap"
)

// mostPendingValues is how many assignments a delta has at most where values are read from forward columns: those of a container are looked through for each of its blocks.
const mostPendingValues = 1 << 12

// Values reads the rows of many records in a single-valued field of few rows. Not for concurrent use.
type Values struct {
	snap  Snapshot
	field uint32
	rows  int
	refs  []ref // pages that are not passed yet
}

// Values returns a reader of the rows of a field, which are below a number that FewRows gives, at most 65 534. ok is false when the field has lists only, or deltas say so much of it, or took so
// much away, that the lists are the better way.
func (s Snapshot) Values(field uint32, rows int) (v Values, ok bool) {
	if !s.IsSingle(field) || rows >= 1<<16-1 || s.removes() {
		return v, false
	}
	for _, d := range [...]*delta{s.st.active, s.st.frozen} {
		if d != nil && d.forward.Len() > mostPendingValues {
			return v, false
		}
	}
	return Values{snap: s, field: field, rows: rows, refs: s.st.version.fields[ForwardField(field)]}, true
}

// Append appends for each of some records of a container, which are given by their low bits, ascending, its row plus 1, or 0 if it has none. Containers come in ascending order.
//
// Cost: an access to each page that has some of the records, and about a nanosecond a record. Errors: ErrCorrupt, ErrClosed, or the store's.
func (v *Values) Append(dst []uint16, key uint64, lows []uint16) ([]uint16, error) {
	if v.snap.Closed() {
		return dst, ErrClosed
	}
	base, start := key<<16, len(dst)
	dst = slices.Grow(dst, len(lows))[:start+len(lows)]
	words := dst[start:]
	clear(words)
	for n := 0; n < len(lows); {
		record := base | uint64(lows[n])
		for len(v.refs) > 0 && v.refs[0].last() < record {
			v.refs = v.refs[1:]
		}
		if len(v.refs) == 0 || v.refs[0].first > base|uint64(lows[len(lows)-1]) {
			break
		}
		r := &v.refs[0]
		if r.first > record {
			n++
			continue
		}
		end := len(lows)
		if last := r.last(); last < base|uint64(lows[end-1]) {
			end, _ = slices.BinarySearch(lows, uint16(last-base)+1)
		}
		p, err := v.snap.page(r)
		if err != nil {
			return dst, err
		}
		if p.read(words[n:end], lows[n:end], int(base-r.first)) > v.rows {
			return dst, corrupt(r.String(), "got a row above all that its field has, %d", v.rows)
		}
		n = end
	}
	for _, d := range [...]*delta{v.snap.st.frozen, v.snap.st.active} {
		if d == nil || d.forward.Len() == 0 {
			continue
		}
		d.forward.Ascend(forward{field: v.field, record: base}, func(f forward) bool {
			if f.field != v.field || f.record>>16 != key {
				return false
			}
			if i, ok := slices.BinarySearch(lows, uint16(f.record)); ok {
				words[i] = uint16(min(f.word, uint64(v.rows)))
			}
			return true
		})
	}
	return dst, nil
}

// read reads the words of records, of which offset plus their low bits is the place on the page, and returns a number that is at least the greatest.
func (p *page) read(dst, lows []uint16, offset int) (most int) {
	dst = dst[:len(lows)]
	data, all := p.data[forwardHeadLen:], uint16(0)
	switch bits := p.narrow(); {
	case bits > 0:
		all = bitmap.NarrowWords(dst, lows, data, offset, bits)
	case p.wordWidth() == 1:
		for i, low := range lows {
			w := uint16(data[offset+int(low)])
			dst[i] = w
			all = max(all, w)
		}
	default:
		for i, low := range lows {
			w := p.word(uint64(offset + int(low)))
			if w >= 1<<16 {
				return 1 << 16
			}
			dst[i] = uint16(w)
			all = max(all, dst[i])
		}
	}
	return int(all)
}
