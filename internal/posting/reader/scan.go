// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// scan walks the lists of a field.
type scan struct {
	snap  Snapshot
	ctx   context.Context
	field uint32
	fn    func(row uint64, l *overlay.List) error
	list  overlay.List
	pages PageReader
	edits editedRows
}

// Rows calls fn with the rows of a field and their lists, ascending from a row on. It stops at fn's
// first error and returns it. It leaves out rows that have nothing on a page and nothing in a
// delta. A list may still be empty if deletions of a delta have emptied it. The list, and anything
// borrowed from it, is fn's until it returns.
//
// Rows reads a field larger than a quarter of the memory bound past the cache, into one buffer. The
// walk then evicts nothing that others need, and its memory does not grow with the field.
//
// Cost: a read, a copy and a checksum of each page, and a few steps for each row. Errors: ctx's,
// ErrCorrupt, ErrClosed, or the store's.
func (s Snapshot) Rows(ctx context.Context, field uint32, from uint64,
	fn func(row uint64, l *overlay.List) error) error {
	refs := s.St.Version.Fields[field].Refs
	sc := scan{snap: s, ctx: ctx, field: field, fn: fn, pages: newPageReader(s, refs),
		edits: newEditedRows(s.St, field, from)}
	for at := sort.Search(len(refs), func(i int) bool { return refs[i].Last() >= from }); at < len(refs); {
		if s.Closed() {
			return model.ErrClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := 1, error(nil)
		if refs[at].Piece > 0 {
			for at+n < len(refs) && refs[at+n].First == refs[at].First {
				n++
			}
			err = sc.pieces(refs[at : at+n])
		} else {
			err = sc.page(&refs[at])
		}
		if err != nil {
			return err
		}
		at += n
	}
	return sc.editedBefore(0, false)
}

// page visits the rows of a page, and those before them that only deltas have.
func (sc *scan) page(r *format.Ref) error {
	p, err := sc.pages.Read(r)
	if err != nil {
		return err
	}
	if !sc.edits.more && sc.snap.St.Masks == nil {
		return sc.walkUnedited(r, p)
	}
	return p.All(func(offset uint64, body []byte) error {
		row := r.First + offset
		if row < sc.edits.next {
			return nil
		}
		pages, err := sc.begin(row)
		if err != nil {
			return err
		}
		if pages {
			v, err := view.OpenBody(body)
			if err != nil {
				return model.Corrupt(r.String(), "row %d: %v", row, err)
			}
			sc.list.AddPiece(v, 0)
		}
		return sc.visit(row)
	})
}

// walkUnedited visits the rows of a page. No delta may edit this page or a later one. Most walks
// are over pages without edits, so their cost is the work for each row.
func (sc *scan) walkUnedited(r *format.Ref, p *format.Page) error {
	numbered := p.Sparse()
	payload, start := p.Data[p.Payload():], 0
	for i := range p.Count {
		end := p.End(i)
		body := payload[start:end]
		start = end
		row := r.First + uint64(i)
		if numbered {
			row = r.First + uint64(p.Offset(i))
		}
		if len(body) == 0 || row < sc.edits.next {
			continue
		}
		v, err := view.OpenBody(body)
		if err != nil {
			return model.Corrupt(r.String(), "row %d: %v", row, err)
		}
		sc.list.Reset(v, sc.list.Edits[:0])
		sc.edits.next = row + 1
		if err := sc.fn(row, &sc.list); err != nil {
			return err
		}
	}
	return nil
}

// pieces visits the row of a list in pieces. They stay in memory together, as for every reader of
// such a list.
func (sc *scan) pieces(refs []format.Ref) error {
	row := refs[0].First
	pages, err := sc.begin(row)
	if err != nil {
		return err
	}
	hits := uint64(0)
	defer func() { sc.snap.St.Source.hit(hits) }()
	for i := range refs {
		if !pages {
			break
		}
		v, err := sc.snap.viewOf(&refs[i], row, &hits)
		if err != nil {
			return err
		}
		sc.list.AddPiece(v, refs[i].PieceKey())
	}
	return sc.visit(row)
}

// begin visits earlier rows that only deltas have. It then sets the list to what deltas say of this
// row.
func (sc *scan) begin(row uint64) (pages bool, err error) {
	if err := sc.editedBefore(row, true); err != nil {
		return false, err
	}
	edited := sc.edits.more && sc.edits.row == row
	if (edited || sc.snap.St.Masks != nil) && sc.snap.St.merged(sc.field, row, &sc.list) {
		return false, nil
	}
	return sc.snap.St.overlay(sc.field, row, &sc.list, edited), nil
}

// visit shows the list to the caller, and goes on behind its row.
func (sc *scan) visit(row uint64) error {
	sc.edits.next = row + 1
	if sc.edits.more && sc.edits.row <= row {
		sc.edits.seek()
	}
	sc.list.TrimMask()
	sc.snap.St.mayMerge(sc.snap.ctx, sc.field, row, &sc.list)
	return sc.fn(row, &sc.list)
}

// editedBefore visits the rows that only deltas have, those before a row or all that are left.
func (sc *scan) editedBefore(row uint64, bounded bool) error {
	for n := 0; sc.edits.more && (!bounded || sc.edits.row < row); n++ {
		if n%KeysPerLook == 0 && sc.ctx.Err() != nil {
			return sc.ctx.Err()
		}
		at := sc.edits.row
		if !sc.snap.St.merged(sc.field, at, &sc.list) {
			sc.snap.St.overlay(sc.field, at, &sc.list, true)
		}
		if err := sc.visit(at); err != nil {
			return err
		}
	}
	return nil
}
