// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/query"
)

// unknownPortion is how many leaves of a query are looked up together to find out which are
// unknown.
const unknownPortion = 1 << 12

// Unknown returns the leaves of a query that name a record which does not exist, in the order of
// the text, each once, at most limit. bind says what a leaf is. Errors: its, or those of reading.
func Unknown(lists reader.Snapshot, q query.Expr, limit int, bind func(query.Expr) (eval.Leaf, error)) (
	unknown []query.Expr, err error) {
	var leaves []query.Expr
	var keys []reader.Lookup
	seen := make(map[query.Expr]bool)
	find := func() error {
		if err := lists.MultiGet(keys); err != nil {
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
		leaf, err := bind(e)
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
