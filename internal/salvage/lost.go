// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/format"
)

// lostPage is a page that cannot be read: which rows it had, and of a piece of a row which
// containers.
type lostPage struct {
	rows   Span
	keys   Span // container keys
	damage int  // which Damage of the report it is
}

// lose notes a page that cannot be read.
func (s *source) lose(m *format.Manifest, r *format.Ref, why error) {
	s.unread[r.Generation] = true
	p := lostPage{rows: Span{r.First, r.Last()}, keys: Span{0, math.MaxUint64}, damage: len(s.report.Damage)}
	refs := m.Fields[r.Field].Refs
	next := sort.Search(len(refs), func(i int) bool {
		return cmp.Or(cmp.Compare(refs[i].First, r.First), cmp.Compare(refs[i].Piece, r.Piece)) > 0
	})
	switch {
	case format.KindOf(r.Field) == format.Hashes:
		p.rows.Last = math.MaxUint64
		if next < len(refs) {
			p.rows.Last = refs[next].First - 1
		}
	case r.Bytes == 0: // of a manifest that was made anew: how many rows it had is not known
		p.rows.Last = r.First + format.MaxRows - 1
		if next < len(refs) && refs[next].First > r.First {
			p.rows.Last = min(p.rows.Last, refs[next].First-1)
		}
	}
	if r.Piece > 0 {
		p.keys.First, p.rows.Last = r.PieceKey(), r.First
		if next < len(refs) && refs[next].First == r.First {
			p.keys.Last = refs[next].PieceKey() - 1
		}
	}
	s.lost[r.Field] = append(s.lost[r.Field], p)
	parts := [...]string{format.Postings: "lists", format.Keys: "keys", format.Hashes: "hashes",
		format.Values: "values"}
	s.report.Damage = append(s.report.Damage, Damage{Part: parts[format.KindOf(r.Field)], Rows: p.rows,
		Error: why.Error(), MadeGood: format.KindOf(r.Field) == format.Hashes})
}

// isLost reports whether a lost page of a field may have had a record in the list of a row. Of a
// column, whose rows are records, the two are exchanged.
func (s *source) isLost(field uint32, row, record uint64) bool {
	pages := s.lost[field]
	at := sort.Search(len(pages), func(i int) bool { return pages[i].rows.Last >= row })
	return slices.ContainsFunc(pages[at:min(len(pages), at+maxPieces(pages[at:]))], func(p lostPage) bool {
		return p.rows.First <= row && p.keys.First <= record>>16 && record>>16 <= p.keys.Last
	})
}

// maxPieces returns how many of some pages have the first row of the first.
func maxPieces(pages []lostPage) (n int) {
	for n < len(pages) && pages[n].rows.First == pages[0].rows.First {
		n++
	}
	return n
}

// anyLost reports whether a page of a field is lost.
func (s *source) anyLost(field uint32) bool { return len(s.lost[field]) > 0 }

// makeGood notes that all of a field's lost pages was found elsewhere.
func (s *source) makeGood(field uint32) {
	for _, p := range s.lost[field] {
		s.report.Damage[p.damage].MadeGood = true
	}
}

// describe names the field of the lost pages, and the keys at both ends of their rows.
func (s *source) describe(field uint32, name string, key func(row uint64) string) {
	for _, p := range s.lost[field] {
		d := &s.report.Damage[p.damage]
		d.Field = name
		if key != nil {
			d.FirstKey, d.LastKey = key(p.rows.First), key(p.rows.Last)
		}
	}
}
