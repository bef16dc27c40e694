// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/query"
)

// bindQuery says what a leaf of a query is in the index. It reads nothing but the names of saved
// sets: keys are looked up together, by eval.
func (s Snapshot) bindQuery(leaf query.Expr) (eval.Leaf, error) {
	switch leaf := leaf.(type) {
	case query.Saved:
		return s.bindSaved(leaf)
	case query.Bitmap:
		return binding.Literal(leaf)
	}
	name, ok := binding.FieldOf(leaf)
	if !ok {
		return eval.Leaf{}, invalid("query: got a leaf of type %T", leaf)
	}
	f, err := s.field(name)
	if err != nil {
		return eval.Leaf{}, err
	}
	return binding.Leaf(f, leaf)
}
