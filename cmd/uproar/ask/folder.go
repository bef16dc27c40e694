// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/query"
)

// restOfGroups prints the groups behind the first ones, one after the other as they come, however
// many there are.
func (c *Query) restOfGroups(ctx context.Context, db *uproar.DB, done int, show func([]string, uint64) error) error {
	of, err := c.selection(ctx, db, done)
	if err != nil {
		return err
	}
	defer of.close()
	for g, err := range of.AllGroups(ctx, c.Groups...) {
		if err != nil {
			return err
		}
		if done > 0 {
			done--
			continue
		}
		if of.left == 0 {
			return nil
		}
		of.left--
		if err := show(g.Keys, g.Count); err != nil {
			return err
		}
	}
	return nil
}

// restOfTop prints the values behind the first ones.
func (c *Query) restOfTop(ctx context.Context, db *uproar.DB, done int,
	show func(string, uint64, uint64, float64) error) error {
	of, err := c.selection(ctx, db, done)
	if err != nil {
		return err
	}
	defer of.close()
	o := uproar.TopOptions{By: uproar.Measure(c.By), Limit: int(c.List.Limit), Least: c.Least}
	if c.Over != "" {
		expr, err := c.asked(ctx, db, c.Over)
		if err != nil {
			return err
		}
		if o.Background, err = of.snapshot.Select(ctx, expr); err != nil {
			return err
		}
	}
	top, err := of.Top(ctx, c.Top, o)
	for _, r := range top[min(done, len(top)):] {
		if err := show(r.Key, r.Count, r.Total, r.Score); err != nil {
			return err
		}
	}
	return err
}

// largeSample prints more records than a call answers.
func (c *Query) largeSample(ctx context.Context, db *uproar.DB, out *printed) error {
	of, err := c.selection(ctx, db, 0)
	if err != nil {
		return err
	}
	defer of.close()
	for ids := range slices.Chunk(of.Sample(c.Sample, c.Seed), atOnce) {
		keys, err := of.Keys(ids)
		if err != nil {
			return err
		}
		for i, key := range keys {
			if err := c.record(out, api.Identified{ID: ids[i], Key: key}); err != nil {
				return err
			}
		}
	}
	return nil
}

// selection is the records of the query in a folder, and how many entries about them are left to be
// printed.
type selection struct {
	*uproar.Selection
	snapshot uproar.Snapshot
	left     uint64
}

func (s *selection) close() { s.snapshot.Close() }

func (c *Query) selection(ctx context.Context, db *uproar.DB, done int) (*selection, error) {
	index, err := db.Index(c.Index)
	if err != nil {
		return nil, err
	}
	expr, err := c.asked(ctx, db, c.Query)
	if err != nil {
		return nil, err
	}
	s := &selection{snapshot: index.Snapshot(), left: ^uint64(0)}
	if c.List.Limit > 0 {
		s.left = c.List.Limit - uint64(done)
	}
	if s.Selection, err = s.snapshot.Select(ctx, expr); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// asked reads a query about the index, with the queries of saved audiences that it names.
func (c *Query) asked(ctx context.Context, db *uproar.DB, text string) (query.Expr, error) {
	expr, err := parse(text)
	if err != nil {
		return nil, err
	}
	audiences, err := audience.Of(db, c.Index)
	if err != nil {
		return nil, err
	}
	return audiences.Expand(ctx, expr)
}
