// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// EdgeKeys reads the records that edges of a Relation with KeyColumn have.
type EdgeKeys = binding.EdgeKeys

// EdgeKey is one of them.
type EdgeKey = model.EdgeKey

// EdgeKeys returns a reader. Errors: ErrUnknownField, ErrInvalid (no KeyColumn), ErrClosed.
func (s Snapshot) EdgeKeys(field string) (EdgeKeys, error) {
	f, err := s.field(field)
	if err != nil {
		return EdgeKeys{}, err
	}
	return binding.NewEdgeKeys(s.lists, f)
}
