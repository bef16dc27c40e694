// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/query"
)

// Exist looks up records by their keys, all together. Errors: ErrUnknownRecord, for the first that
// does not exist; ErrCorrupt, ctx's, or the store's.
func (s Snapshot) Exist(ctx context.Context, keys ...string) error {
	s = s.Under(ctx)
	var room [relatedMost]reader.Lookup
	lookups := room[:0]
	for _, key := range keys {
		lookups = append(lookups, reader.Lookup{Key: key})
	}
	return s.lookUp(lookups)
}

// unknownPortion is how many leaves of a query are looked up together to find out which are
// unknown.
const unknownPortion = 1 << 12

// Unknown returns the leaves of a query that name a record which does not exist: the first of them
// in the order of the text, each once, at most limit. They are empty; a name that was misspelt is
// found so. Cost: a look-up for each record that the query names. Errors as of Count.
func (s Snapshot) Unknown(ctx context.Context, q query.Expr, limit int) (unknown []query.Expr, err error) {
	s = s.Under(ctx)
	var leaves []query.Expr
	var keys []reader.Lookup
	seen := make(map[query.Expr]bool)
	find := func() error {
		if err := s.lists.MultiGet(keys); err != nil {
			return err
		}
		for i := range keys {
			if !keys[i].OK && len(unknown) < limit && !seen[leaves[i]] {
				seen[leaves[i]], unknown = true, append(unknown, leaves[i])
			}
		}
		leaves, keys = leaves[:0], keys[:0]
		return nil
	}
	for e := range query.Leaves(q) {
		switch e.(type) {
		case query.Equal, query.Related:
		default:
			continue
		}
		leaf, err := s.bindQuery(e)
		if err != nil {
			return nil, err
		}
		if leaf.Kind != eval.Key || leaf.Space != model.RecordSpace {
			continue
		}
		leaves = append(leaves, e)
		keys = append(keys, reader.Lookup{Space: leaf.Space, Key: leaf.Key, Exists: true})
		if len(keys) == unknownPortion {
			if err := find(); err != nil || len(unknown) >= limit {
				return unknown, err
			}
		}
	}
	return unknown, find()
}
