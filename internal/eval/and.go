// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"math"

	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
)

const (
	// fewRecords is up to how many records of a block are probed in the lists that are left: beyond
	// it, the blocks of these are intersected.
	fewRecords = 8

	// fewWanted is up to how many records are picked out of a block one by one: beyond it, the
	// whole block is decoded.
	fewWanted = 8
)

// AppendAnd appends the IDs of the records that are in all of some posting lists to dst. They
// ascend, and are at most limit in number (0: all). more reports whether there are more. It is
// AppendIDs of a conjunction of rows that the caller has as numbers. Of no lists there are no
// records. It allocates only what dst needs, once its scratch memory is there.
//
// Cost: it walks the smallest list, a block at a time, until it has one record more than wanted. It
// intersects the others with the block, in the order of their sizes. Once few records are left, it
// probes them in the remaining lists. If few records are wanted, and many expected in a block, it
// looks for them one after the other. Errors: ErrLimit, those of reading lists, or ctx's.
func AppendAnd(ctx context.Context, dst []uint64, snap reader.Snapshot, limit int, rows ...Row) (ids []uint64,
	more bool, err error) {
	p, err := planAnd(ctx, snap, rows)
	if err != nil {
		return dst, false, err
	}
	defer p.release()
	if p.root == nil {
		return dst, false, nil
	}
	return appendAnd(p, dst, p.root, limit)
}

// appendAnd appends the records that are in all lists of root, the smallest first.
func appendAnd(p *plan, dst []uint64, root *node, limit int) (ids []uint64, more bool, err error) {
	first, wanted := root.plus[0], limit
	if limit == 0 {
		wanted = math.MaxInt
	}
	first.begin()
	for ok := first.cursor.Seek(0); ok && p.check.step(); ok = first.cursor.Next() {
		b, before := first.cursor.Block(), len(dst)
		if wanted <= fewWanted && b.Len() > longBlock && len(root.plus) > 1 {
			dst, more = appendFirst(dst, root, b, wanted)
		}
		if !more {
			dst, more = appendBlock(p, dst, root, b, wanted)
		}
		if more {
			return dst, true, nil
		}
		wanted -= len(dst) - before
		if err := p.charge(8 * int64(len(dst)-before)); err != nil {
			return dst, false, err
		}
	}
	return dst, false, p.check.err
}

// appendBlock appends the records of a block that are in all further lists of root. It appends at
// most wanted, and reports whether there are more.
func appendBlock(p *plan, dst []uint64, root *node, b container.Block, wanted int) (ids []uint64, more bool) {
	start, base, lists := len(dst), b.Key<<16, root.plus[1:]
	for len(lists) > 0 && b.Len() > fewRecords {
		b, lists = root.scratch.And(b, lists[0].meet(b.Key)), lists[1:]
	}
	if len(lists) == 0 && wanted <= fewWanted {
		for i := range min(wanted, b.Len()) {
			low, _ := b.Select(i)
			dst = append(dst, base|uint64(low))
		}
		return dst, b.Len() > wanted
	}
	p.lows = b.AppendLow(p.lows[:0])
records:
	for _, low := range p.lows {
		id := base | uint64(low)
		for _, k := range lists {
			if !k.list.Contains(id) {
				continue records
			}
		}
		if len(dst)-start == wanted {
			return dst, true
		}
		dst = append(dst, id)
	}
	return dst, false
}

// begin makes the cursor of a list stand before its first block, once.
func (n *node) begin() {
	if !n.begun {
		n.cursor.Reset(&n.list)
		n.begun = true
	}
}

// meet returns the records that a list has in a container. Keys must not descend from call to call.
func (n *node) meet(key uint64) container.Block {
	if n.begin(); !n.cursor.Seek(key) || n.cursor.Key() != key {
		return overlay.EmptyBlock(key)
	}
	return n.cursor.Block()
}
