// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// HasColumn reports whether a field keeps the rows of each record together. A RowCounter can then
// count them. Set fields with a column and single-valued fields do.
func (s Snapshot) HasColumn(field uint32) bool {
	f := s.St.Source.FieldOf(field)
	return f.Kind == model.Rows || f.Column != model.NoColumn && f.Column != model.KeyColumn
}

// RowBound returns a number above every row of a field whose rows have keys.
func (s Snapshot) RowBound(field uint32) uint64 {
	bound := s.St.Version.Next[model.KeySpace(field)]
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d != nil && d.Spaces[model.KeySpace(field)] != nil {
			bound = max(bound, d.Spaces[model.KeySpace(field)].Next())
		}
	}
	return bound
}

// KindOf returns how the values of a field are kept.
func (s Snapshot) KindOf(field uint32) model.Kind { return s.St.Source.FieldOf(field).Kind }

// RowLimit returns a number above every row that a database writes to a field with rows.
func (s Snapshot) RowLimit(field uint32) uint64 {
	if s.St.Source.FieldOf(field).Inverse != 0 {
		field = model.Exists // whose keys are those of the records
	}
	return s.RowBound(field)
}

// IntegerBits returns how many bits the absolute value of an integer of the field has at most.
// Cost: none to speak of.
func (s Snapshot) IntegerBits(field uint32) int {
	next := uint64(0) // the row behind the last one that has records
	if refs := s.St.Version.Fields[field].Refs; len(refs) > 0 {
		next = refs[len(refs)-1].Last() + 1
	}
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d == nil {
			continue
		}
		edits := d.Of(field).Walk(next)
		for edits.Seek(next); ; edits.Seek(next) {
			row, more := edits.Row()
			if !more {
				break
			}
			next = row + 1
		}
	}
	return int(max(next, model.IntegerBits) - model.IntegerBits)
}

// FewRows returns a number above every row of a field, no greater than most. ok is false if there
// is none, and for relations. Cost: none to speak of.
func (s Snapshot) FewRows(field uint32, most uint64) (rows int, ok bool) {
	bound := s.RowBound(field)
	if refs := s.St.Version.Fields[field].Refs; len(refs) > 0 {
		bound = max(bound, refs[len(refs)-1].Last()+1)
	}
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d == nil {
			continue
		}
		edits := d.Of(field).Walk(bound)
		edits.Seek(bound)
		if _, more := edits.Row(); more { // without a key, as no database has them
			return 0, false
		}
	}
	return int(min(bound, most)), bound <= most && s.St.Source.Opposite(field) == 0
}

// Sizes says what the pages of a field amount to, as of the last flush: what a planner weighs.
type Sizes struct {
	ListBytes  uint64 // of posting lists
	ListValues uint64 // in them
	Column     bool   // there is a value column; what follows is of it
	Single     bool   // one value for each record
	Coded      bool   // rows are coded, which takes longer
	Values     uint64 // rows of all records
	Pages      int
}

// Sizes returns what the pages of a field amount to. Cost: a walk over its part of the manifest.
func (s Snapshot) Sizes(field uint32) Sizes {
	f := s.St.Source.FieldOf(field)
	z := Sizes{Column: s.HasColumn(field), Single: f.Kind == model.Rows, Coded: f.Column == model.SmallColumn}
	lists := s.St.Version.Fields[field].Refs
	for i := range lists {
		z.ListBytes, z.ListValues = z.ListBytes+uint64(lists[i].Bytes), z.ListValues+lists[i].Values
	}
	if z.Column {
		pages := s.St.Version.Fields[model.ValueField(field)].Refs
		z.Pages = len(pages)
		for i := range pages {
			z.Values += pages[i].Values
		}
	}
	return z
}
