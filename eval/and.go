// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"
	"slices"

	"github.com/uproar-db/uproar/posting"
)

// fewRecords is up to how many records of the smallest list are decoded at once and probed in the others: beyond it, blocks are intersected.
const fewRecords = 128

// AppendAnd appends to dst the IDs of the records that are in every one of some posting lists, ascending, at most limit of them (0: all), and reports whether there are more:
// AppendIDs of their conjunction, for callers that have it as numbers. Of no lists there are none. It allocates nothing but what dst needs, once its scratch memory is there.
//
// Cost: the lists are read from the smallest on. One of a few records is decoded, and each record probed in the others; of larger ones the blocks are intersected, until there is one
// record more than wanted. Errors: ErrLimit, those of reading lists, or ctx's.
func AppendAnd(ctx context.Context, dst []uint64, snap posting.Snapshot, limit int, rows ...Row) (ids []uint64, more bool, err error) {
	if err := ctx.Err(); err != nil || len(rows) == 0 {
		return dst, false, err
	}
	p := plans.Get().(*plan)
	p.pace, p.snap = pace{ctx: ctx}, snap
	defer p.release()
	root := p.node(opAnd)
	for _, r := range rows {
		k, err := p.list(snap, r.Field, r.Row)
		if err != nil {
			return dst, false, err
		}
		if k.atMost == 0 {
			return dst, false, nil
		}
		root.plus = append(root.plus, k)
	}
	slices.SortFunc(root.plus, func(a, b *node) int { return cmp.Compare(a.atMost, b.atMost) })
	if err := p.settle(); err != nil {
		return dst, false, err
	}
	if root.plus[0].atMost <= fewRecords {
		ids, more = root.probe(dst, limit)
		return ids, more, nil
	}
	if p.root = root; len(rows) == 1 {
		p.root = root.plus[0]
	}
	return p.appendIDs(dst, 0, limit)
}

// probe appends the records of the first list that are in the others.
func (n *node) probe(dst []uint64, limit int) (ids []uint64, more bool) {
	var room [fewRecords]uint64
	first, start := n.plus[0], len(dst)
	first.cursor.Reset(&first.list)
	for ok := first.cursor.Seek(0); ok; ok = first.cursor.Next() {
	records:
		for _, id := range first.cursor.Block().AppendTo(room[:0]) {
			for _, k := range n.plus[1:] {
				if !k.list.Contains(id) {
					continue records
				}
			}
			if limit > 0 && len(dst)-start == limit {
				return dst, true
			}
			dst = append(dst, id)
		}
	}
	return dst, false
}
