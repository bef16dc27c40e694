// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// ask finds out what entered and left a query. A query that cannot be asked, for a field that is
// gone, keeps its records until it can.
func (k *rounds) ask(ctx context.Context, s uproar.Snapshot, name string, q *standing, c *changes,
	ids []byte) error {
	if q.expr == nil {
		k.stay(name, q, c)
		return nil
	}
	how := q.shape.affectedBy(c, q.found)
	if q.unasked || q.failed != "" {
		how = whole
	}
	e, before := q.expr, q.found
	switch how {
	case nothing:
		return nil
	case touched:
		e = query.And{Of: []query.Expr{query.Bitmap{Bytes: ids}, e}}
		before = bitmap.And(before.View(), c.records.View())
	}
	of, err := find(ctx, s, e)
	if err != nil && ctx.Err() == nil && isOwn(err) {
		k.fail(name, q, err)
		k.stay(name, q, c)
		return nil
	}
	if err != nil {
		return err
	}
	entered := bitmap.AndNot(of.View(), before.View())
	left := bitmap.AndNot(before.View(), of.View())
	if how == whole || c.history == nil {
		k.noted(write{commit: c.last, name: name}).Or(entered.View())
		k.noted(write{commit: c.last, name: name, left: true}).Or(left.View())
	} else if err := k.tell(ctx, name, q, c, before, of); err != nil {
		return err
	}
	q.found.Or(entered.View())
	q.found.AndNot(left.View())
	k.restated = k.restated || q.unasked || q.failed != ""
	q.unasked, q.failed = false, ""
	return nil
}

// fail notes that a query cannot be asked.
func (k *rounds) fail(name string, q *standing, err error) {
	if q.failed == err.Error() {
		return
	}
	k.log.Warn("a standing query cannot be asked", "index", k.name, "name", name, "error", err)
	q.failed, k.restated = err.Error(), true
}

// find evaluates a query, in which a saved set that there is no more is empty.
func find(ctx context.Context, s uproar.Snapshot, e query.Expr) (*uproar.Selection, error) {
	of, err := s.Select(ctx, e)
	if !errors.Is(err, uproar.ErrUnknownSet) {
		return of, err
	}
	return s.Select(ctx, query.Map(e, func(e query.Expr) query.Expr {
		if saved, ok := e.(query.Saved); ok {
			if _, err := s.Count(ctx, saved); errors.Is(err, uproar.ErrUnknownSet) {
				return query.Nothing{}
			}
		}
		return e
	}))
}

// tell notes with which commits records entered and left a query, of the records that were in it
// before and those that are now.
func (k *rounds) tell(ctx context.Context, name string, q *standing, c *changes, before *bitmap.Bitmap,
	now *uproar.Selection) error {
	h := c.history
	several := h.severalFor(&q.shape)
	var commits []uint64
	for id := range bitmap.Xor(before.View(), now.View()).All() {
		if _, ok := slices.BinarySearch(several, id); ok {
			continue
		}
		commits = append(h.commits(commits[:0], &q.shape, id), c.last)
		k.noted(write{commits[0], name, before.Contains(id)}).Add(id)
	}
	if len(several) > 0 && h.past == nil {
		var err error
		if h.past, err = newPast(ctx, h); err != nil {
			return err
		}
	}
	for _, id := range several {
		commits = h.commits(commits[:0], &q.shape, id)
		was := before.Contains(id)
		for i, commit := range commits {
			is, err := now.View().Contains(id), error(nil)
			if i+1 < len(commits) {
				is, err = h.past.fits(q.expr, id, h.upTo(id, commit))
			}
			if errors.Is(err, errUntold) {
				continue
			}
			if err != nil {
				return err
			}
			if is != was {
				k.noted(write{commit, name, was}).Add(id)
			}
			was = is
		}
	}
	return nil
}
