// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"sort"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
)

// Scan walks the lists of a field.
type Scan struct {
	Snap   Snapshot
	ctx    context.Context
	field  uint32
	fn     func(row uint64, l *overlay.List) error
	list   overlay.List
	buffer []byte // for pages that the cache does not have
	keep   bool   // the cache gets them

	next   uint64 // the first row that is not passed
	edited uint64 // the first row from next on that a delta has edits of
	more   bool   // there is one
	deltas [2]delta.Walk
}

// Rows calls fn with the rows of a field, ascending from one on, and their lists, until fn returns
// an error, which it returns. It leaves out rows that have nothing on a page and nothing in a
// delta; a list may be empty all the same, when deletions of a delta have emptied it. The list, and
// what is borrowed from it, is fn's until it returns. A field larger than a quarter of the memory
// bound is read past the cache, so that a walk does not turn out what others need: into one buffer,
// so that memory does not grow with the field.
//
// Cost: a read, a copy and a checksum of each page, and some ten nanoseconds for each row. Errors:
// ctx's, ErrCorrupt, ErrClosed, or the store's.
func (s Snapshot) Rows(ctx context.Context, field uint32, from uint64,
	fn func(row uint64, l *overlay.List) error) error {
	sc := Scan{Snap: s, ctx: ctx, field: field, fn: fn, next: from,
		keep: s.St.Source.keeps(s.St.Version.Fields[field].Refs)}
	for i, d := range [...]*delta.Table{s.St.Active, s.St.Frozen} {
		if d != nil {
			sc.deltas[i] = d.Of(field).Walk(from)
		}
	}
	sc.seekEdited()
	refs := s.St.Version.Fields[field].Refs
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

// Read returns a page, valid until the next read.
func (sc *Scan) Read(r *format.Ref) (*format.Page, error) {
	if sc.keep {
		return sc.Snap.page(r)
	}
	if p, ok := sc.Snap.St.Source.Cache.Get(sc.Snap.St.Source.ID, r.Generation); ok {
		return p, nil
	}
	p, err := sc.Snap.St.Source.readInto(r, sc.buffer)
	if err == nil {
		sc.buffer = p.Data
	}
	return p, err
}

// page visits the rows of a page, and those before them that only deltas have.
func (sc *Scan) page(r *format.Ref) error {
	p, err := sc.Read(r)
	if err != nil {
		return err
	}
	if !sc.more && sc.Snap.St.Masks == nil {
		return sc.plain(r, p)
	}
	return p.All(func(offset uint64, body []byte) error {
		row := r.First + offset
		if row < sc.next {
			return nil
		}
		pages, err := sc.begin(row)
		if err != nil {
			return err
		}
		if pages {
			v, err := bitmap.OpenBody(body)
			if err != nil {
				return model.Corrupt(r.String(), "row %d: %v", row, err)
			}
			sc.list.AddPiece(v, 0)
		}
		return sc.visit(row)
	})
}

// plain visits the rows of a page where no delta has anything to say, of this page and those after
// it: most walks are over such pages, and what they cost is what is done for each row.
func (sc *Scan) plain(r *format.Ref, p *format.Page) error {
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
		if len(body) == 0 || row < sc.next {
			continue
		}
		v, err := bitmap.OpenBody(body)
		if err != nil {
			return model.Corrupt(r.String(), "row %d: %v", row, err)
		}
		sc.list.Reset(v, sc.list.Edits[:0])
		sc.next = row + 1
		if err := sc.fn(row, &sc.list); err != nil {
			return err
		}
	}
	return nil
}

// pieces visits the row of a list in pieces. They stay in memory together, as for every reader of
// such a list.
func (sc *Scan) pieces(refs []format.Ref) error {
	row := refs[0].First
	pages, err := sc.begin(row)
	if err != nil {
		return err
	}
	hits := uint64(0)
	defer func() { sc.Snap.St.Source.hit(hits) }()
	for i := range refs {
		if !pages {
			break
		}
		v, err := sc.Snap.viewOf(&refs[i], row, &hits)
		if err != nil {
			return err
		}
		sc.list.AddPiece(v, refs[i].PieceKey())
	}
	return sc.visit(row)
}

// begin visits the rows before one that only deltas have, and sets the list to what they say of it.
func (sc *Scan) begin(row uint64) (pages bool, err error) {
	if err := sc.editedBefore(row, true); err != nil {
		return false, err
	}
	edited := sc.more && sc.edited == row
	if (edited || sc.Snap.St.Masks != nil) && sc.Snap.merged(sc.field, row, &sc.list) {
		return false, nil
	}
	return sc.Snap.overlay(sc.field, row, &sc.list, edited), nil
}

// visit shows the list to the caller, and goes on behind its row.
func (sc *Scan) visit(row uint64) error {
	sc.next = row + 1
	if sc.more && sc.edited <= row {
		sc.seekEdited()
	}
	sc.list.TrimMask()
	sc.Snap.mayMerge(sc.field, row, &sc.list)
	return sc.fn(row, &sc.list)
}

// editedBefore visits the rows that only deltas have, those before a row or all that are left.
func (sc *Scan) editedBefore(row uint64, bounded bool) error {
	for n := 0; sc.more && (!bounded || sc.edited < row); n++ {
		if n%KeysPerLook == 0 && sc.ctx.Err() != nil {
			return sc.ctx.Err()
		}
		at := sc.edited
		if !sc.Snap.merged(sc.field, at, &sc.list) {
			sc.Snap.overlay(sc.field, at, &sc.list, true)
		}
		if err := sc.visit(at); err != nil {
			return err
		}
	}
	return nil
}

// seekEdited finds the first row that is not passed and that a delta has edits of.
func (sc *Scan) seekEdited() {
	sc.more = false
	for i := range sc.deltas {
		sc.deltas[i].Seek(sc.next)
		if row, ok := sc.deltas[i].Row(); ok && (!sc.more || row < sc.edited) {
			sc.edited, sc.more = row, true
		}
	}
}

// KeysPerLook is how many keys are looked up between two looks at the context.
const KeysPerLook = 256
