// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// RowSizes is how many records each row of a field has, exactly. Safe for concurrent use, but for
// Close.
type RowSizes struct {
	snap  Snapshot
	sizes []uint32
	held  int64 // memory counted for it; 0: the index keeps it
}

// All returns the sizes of the rows from 0 on. Rows beyond the end have no records. The slice is
// read-only and valid until Close.
func (z *RowSizes) All() []uint32 { return z.sizes }

// Len returns the size of a row.
func (z *RowSizes) Len(row uint64) uint64 {
	if row >= uint64(len(z.sizes)) {
		return 0
	}
	return uint64(z.sizes[row])
}

// Close gives the memory back. The sizes must not be used afterwards.
func (z *RowSizes) Close() {
	if z.held > 0 {
		z.snap.Give(z.held)
	}
	z.sizes, z.held = nil, 0
}

// RowSizes returns how many records each row of a field has. The caller closes it. Memory: 4 bytes
// a row, up to the last one with records.
//
// Cost: the first time, that of Rows. What pages say is kept, as long as it takes no more than 1/32
// of the memory bound; after a flush only the pages that it wrote are read. Then it costs nothing,
// or while deltas have edits of the field a copy, with a look at each list that they change; while
// a deletion is in a delta, that of Rows. Errors: as of Rows; ErrMemory; ErrInvalid, when a row has
// 2^32 records.
func (s Snapshot) RowSizes(ctx context.Context, field uint32) (*RowSizes, error) {
	if s.Closed() {
		return nil, model.ErrClosed
	}
	z := &RowSizes{snap: s}
	err := z.fill(ctx, field)
	if err != nil {
		z.Close()
		return nil, err
	}
	if z.held > 0 && s.St.Merged.putSizes(s.St.Source.Memory, field, z.sizes) {
		s.Give(z.held)
		z.held = 0
	}
	return z, nil
}

func (z *RowSizes) fill(ctx context.Context, field uint32) error {
	s := z.snap
	var kept bool
	if z.sizes, kept = s.St.Merged.sizesOf(field); kept {
		return nil
	}
	if s.St.removes() {
		return s.Rows(ctx, field, 0, func(row uint64, l *overlay.List) error { return z.put(row, l.Len()) })
	}
	pages, kept, err := pageSizes(ctx, s, field)
	if err != nil {
		return err
	}
	z.sizes = pages.Sizes
	if !kept {
		z.held = 4 * int64(len(z.sizes))
	}
	edits := newEditedRows(s.St, field, 0)
	if edits.more && kept {
		if err := s.Take(4 * int64(len(z.sizes))); err != nil {
			return err
		}
		z.held = 4 * int64(len(z.sizes))
		z.sizes = append([]uint32(nil), z.sizes...)
	}
	var l overlay.List
	for n := 0; edits.more; n++ {
		if n%KeysPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.List(field, edits.row, &l); err != nil {
			return err
		}
		if err := z.put(edits.row, l.Len()); err != nil {
			return err
		}
		edits.next = edits.row + 1
		edits.seek()
	}
	return nil
}

// put sets the size of a row.
func (z *RowSizes) put(row, n uint64) error {
	if n > math.MaxUint32 {
		return tooLong(row, n)
	}
	if row >= uint64(len(z.sizes)) {
		if n == 0 {
			return nil
		}
		more := int64(min(row+row/8+1, 1<<50)) - int64(len(z.sizes))
		if err := z.snap.Take(4 * more); err != nil {
			return err
		}
		z.held += 4 * more
		z.sizes = append(z.sizes, make([]uint32, more)...)
	}
	z.sizes[row] = uint32(n)
	return nil
}

func tooLong(row, n uint64) error {
	return fmt.Errorf("%w: got row %d of %d records, want below 2^32 for the sizes of all rows", model.ErrInvalid, row,
		n)
}

// pageSizes returns the sizes that the pages of a snapshot's manifest say. Those that are not kept
// are counted for the caller, 4 bytes a row.
func pageSizes(ctx context.Context, s Snapshot, field uint32) (z *PageSizes, kept bool, err error) {
	src := s.St.Source
	refs := s.St.Version.Fields[field].Refs
	old := src.Sizes.Get(field)
	if old != nil && old.of(refs) {
		return old, true, nil
	}
	z = &PageSizes{refs: refs}
	rows := uint64(0)
	if len(refs) > 0 {
		rows = refs[len(refs)-1].Last() + 1
	}
	bytes := int64(min(rows, 1<<50)) * 4
	if err := s.Take(bytes); err != nil {
		return nil, false, err
	}
	z.Sizes = make([]uint32, rows)
	if err := readSizes(ctx, s, z, old); err != nil {
		s.Give(bytes)
		return nil, false, err
	}
	if src.Sizes.Put(src.Memory, field, z) {
		s.Give(bytes)
		return z, true, nil
	}
	return z, false, nil
}

// readSizes reads the pages that older sizes do not know.
func readSizes(ctx context.Context, s Snapshot, z, old *PageSizes) error {
	var known []format.Ref
	if old != nil {
		known = old.refs
	}
	pages := newPageReader(s, z.refs)
	for at := 0; at < len(z.refs); {
		if s.Closed() {
			return model.ErrClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r := &z.refs[at]
		if r.Piece > 0 {
			n := sort.Search(len(z.refs)-at, func(i int) bool { return z.refs[at+i].First > r.First })
			values := uint64(0)
			for i := range n {
				values += z.refs[at+i].Values
			}
			if values > math.MaxUint32 {
				return tooLong(r.First, values)
			}
			z.Sizes[r.First] = uint32(values)
			at += n
			continue
		}
		at++
		for len(known) > 0 && known[0].First < r.First {
			known = known[1:]
		}
		if len(known) > 0 && known[0].Generation == r.Generation {
			copy(z.Sizes[r.First:r.Last()+1], old.Sizes[r.First:r.Last()+1])
			continue
		}
		p, err := pages.Read(r)
		if err != nil {
			return err
		}
		err = p.All(func(offset uint64, body []byte) error {
			v, err := view.OpenBody(body)
			if err != nil {
				return model.Corrupt(r.String(), "row %d: %v", r.First+offset, err)
			}
			if n := v.Len(); n <= math.MaxUint32 {
				z.Sizes[r.First+offset] = uint32(n)
				return nil
			}
			return tooLong(r.First+offset, v.Len())
		})
		if err != nil {
			return err
		}
	}
	return nil
}
