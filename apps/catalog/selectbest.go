// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"math"

	"github.com/uproar-db/uproar"
)

// selectBest leaves those records of an answer that count most: with a condition on the greatest
// number of the attributes that the search names, of the highest priority, and the default.
func (s Snapshot) selectBest(a *Answer, conditions []Condition) error {
	if len(a.IDs) < 2 {
		return nil
	}
	if err := s.mostSpecific(a, conditions); err != nil || len(a.IDs) < 2 {
		return err
	}
	if s.layout.schema.Priority != "" {
		if err := keepMost(a, func(id uint64) (int64, error) { return s.priority(id) }); err != nil || len(a.IDs) < 2 {
			return err
		}
	}
	if s.layout.schema.Default == "" {
		return nil
	}
	row, ok, err := s.snap.RowID(defaultField, isDefault)
	if err != nil || !ok {
		return err
	}
	return keepMost(a, func(id uint64) (int64, error) { return s.count(row, id, 1) })
}

// IsDefault reports whether a record is a default. Of an answer of several records all are, if the
// first is.
func (s Snapshot) IsDefault(id uint64) (bool, error) {
	if s.layout.schema.Default == "" {
		return false, nil
	}
	row, ok, err := s.snap.RowID(defaultField, isDefault)
	if err != nil || !ok {
		return false, err
	}
	n, err := s.count(row, id, 1)
	return n == 1, err
}

// mostSpecific leaves the records without a condition on the smallest number of attributes.
func (s Snapshot) mostSpecific(a *Answer, conditions []Condition) error {
	var room [MaxAttributes]uproar.RowID
	free := room[:0] // rows of the records without a condition
	seen := uint64(0)
	for i := range conditions {
		at := s.layout.byName[conditions[i].Attribute]
		if seen&(1<<at) != 0 || !s.layout.schema.Attributes[at].Rule {
			continue
		}
		seen |= 1 << at
		row, ok, err := s.snap.RowID(anyField, s.layout.schema.Attributes[at].Field)
		if err != nil {
			return err
		}
		if ok {
			free = append(free, row)
		}
	}
	if len(free) == 0 {
		return nil
	}
	return keepMost(a, func(id uint64) (conditions int64, err error) {
		for _, row := range free {
			n, err := s.count(row, id, -1)
			if err != nil {
				return 0, err
			}
			conditions += n
		}
		return conditions, nil
	})
}

// count returns n if a record is in a row, else 0.
func (s Snapshot) count(row uproar.RowID, id uint64, n int64) (int64, error) {
	if in, err := s.snap.HasRow(row, id); err != nil || !in {
		return 0, err
	}
	return n, nil
}

// priority returns the priority of a record, 0 if it has none.
func (s Snapshot) priority(id uint64) (int64, error) {
	x, _, err := s.snap.IntOf(priorityField, id)
	return x, err
}

// keepMost leaves the records with the greatest number.
func keepMost(a *Answer, number func(id uint64) (int64, error)) error {
	most, kept := int64(math.MinInt64), a.IDs[:0]
	for _, id := range a.IDs {
		n, err := number(id)
		if err != nil {
			return err
		}
		if n > most {
			most, kept = n, kept[:0]
		}
		if n == most {
			kept = append(kept, id)
		}
	}
	a.IDs = kept
	return nil
}
