// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// edits are the writes of a load that are merged as edits of lists. Row and record are Refs until
// they are sorted.
type edits struct {
	src    *reader.Source
	naming *naming
	list   []model.Edit
	Runs   runs // sorted ones that did not fit into memory
}

// set puts a record into the list of a row.
func (g *edits) set(field uint32, row, record model.Ref) {
	g.list = append(g.list, model.Edit{Field: field, Set: true, Row: uint64(row), Record: uint64(record)})
}

// sorted returns the edits gathered, with IDs and those of the other direction, ascending, and
// begins anew.
func (g *edits) sorted() ([]model.Edit, error) {
	if err := g.naming.Name(); err != nil {
		return nil, err
	}
	edits := make([]model.Edit, 0, 2*len(g.list))
	for _, e := range g.list {
		e.Row, e.Record = model.Resolve(e.Row, g.naming.ids), model.Resolve(e.Record, g.naming.ids)
		edits = append(edits, e)
		if inverse := g.src.Opposite(e.Field); inverse != 0 {
			edits = append(edits, model.Edit{Field: inverse, Set: e.Set, Row: e.Record, Record: e.Row})
		}
	}
	g.list = g.list[:0]
	slices.SortFunc(edits, model.CompareEdits)
	return slices.Compact(edits), nil
}
