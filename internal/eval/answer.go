// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"

	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/query"
)

// Count returns the number of records that the query fits. Errors: those of bind, of
// query.Validate, of reading lists, or ctx's.
func Count(ctx context.Context, snap reader.Snapshot, e query.Expr, bind Bind) (uint64, error) {
	p, err := newPlan(ctx, snap, e, bind)
	if err != nil {
		return 0, err
	}
	defer p.release()
	return p.count()
}

// AppendIDs appends the IDs of the records that the query fits to dst. They ascend, are at least
// from, and at most limit in number (0: all). more reports whether there are more. Errors as of
// Count.
func AppendIDs(ctx context.Context, dst []uint64, snap reader.Snapshot, e query.Expr, bind Bind, from uint64,
	limit int) (ids []uint64, more bool, err error) {
	p, err := newPlan(ctx, snap, e, bind)
	if err != nil {
		return dst, false, err
	}
	defer p.release()
	return p.appendIDs(dst, from, limit)
}

// Bitmap returns the records that the query fits as a bitmap, which belongs to the caller. Errors
// as of Count.
func Bitmap(ctx context.Context, snap reader.Snapshot, e query.Expr, bind Bind, layout pack.Layout) (*mutable.Bitmap,
	error) {
	p, err := newPlan(ctx, snap, e, bind)
	if err != nil {
		return nil, err
	}
	defer p.release()
	set, err := p.set(layout)
	if err != nil {
		return nil, err
	}
	return set, p.charge(int64(len(set.Bytes())))
}

// Contains reports whether the query fits one record, by probing each list once. Errors as of
// Count.
func Contains(ctx context.Context, snap reader.Snapshot, e query.Expr, bind Bind, record uint64) (bool, error) {
	p, err := newPlan(ctx, snap, e, bind)
	if err != nil {
		return false, err
	}
	defer p.release()
	return p.root != nil && p.root.contains(record), p.check.err
}
