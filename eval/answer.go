// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"

	"github.com/uproar-db/uproar/posting"
	"github.com/uproar-db/uproar/query"
)

// Count returns the number of records that the query fits. Errors: those of bind, of query.Validate, of reading lists, or ctx's.
func Count(ctx context.Context, snap posting.Snapshot, e query.Expr, bind Bind) (uint64, error) {
	p, err := newPlan(ctx, snap, e, bind)
	if err != nil {
		return 0, err
	}
	defer p.release()
	if p.root.op == opList {
		return p.root.list.Len(), nil
	}
	n := uint64(0)
	err = p.walk(ctx, 0, func(key uint64) bool {
		n += uint64(p.root.count(key))
		return true
	})
	return n, err
}

// AppendIDs appends to dst the IDs of at least from of the records that the query fits, ascending, at most limit of them (0: all), and reports whether there are
// more. Errors as of Count.
func AppendIDs(ctx context.Context, dst []uint64, snap posting.Snapshot, e query.Expr, bind Bind, from uint64, limit int) (ids []uint64, more bool, err error) {
	p, err := newPlan(ctx, snap, e, bind)
	if err != nil {
		return dst, false, err
	}
	defer p.release()
	start := len(dst)
	err = p.walk(ctx, from>>16, func(key uint64) bool {
		before := len(dst)
		dst = p.root.block(key).AppendTo(dst)
		if key == from>>16 {
			dst = dropBelow(dst, before, from)
		}
		if limit > 0 && len(dst)-start > limit {
			dst, more = dst[:start+limit], true
		}
		return !more
	})
	return dst, more, err
}

// dropBelow removes the IDs below from out of the ascending ids after the first n.
func dropBelow(ids []uint64, n int, from uint64) []uint64 {
	i := n
	for i < len(ids) && ids[i] < from {
		i++
	}
	return append(ids[:n], ids[i:]...)
}

// Contains reports whether the query fits one record, by probing each list once. Errors as of Count.
func Contains(ctx context.Context, snap posting.Snapshot, e query.Expr, bind Bind, record uint64) (bool, error) {
	p, err := newPlan(ctx, snap, e, bind)
	if err != nil {
		return false, err
	}
	defer p.release()
	return p.root.contains(record), nil
}
