// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/internal/eval/crosstab"
)

// Tables returns for each list of one to three fields how many of the records have each combination
// of their values or bands, as Groups does with the limit, and of one field the Total of each value
// as well. Fields of few values, as those of demographics are, are counted in one pass over the
// records, so that several tables cost little more than one.
//
// Cost: an intersection that is only counted for each value of such a field, and each combination
// of values; of other tables that of Groups, or Top. Errors: as of Groups.
func (n *Selection) Tables(ctx context.Context, limit int, of ...[]string) ([][]Group, error) {
	if limit < 0 {
		return nil, invalid("tables: got a limit of %d, want 0 or more", limit)
	}
	by, groupings := make([][]crosstab.By, len(of)), make([]*grouping, len(of))
	for i, fields := range of {
		g, err := n.grouping("tables", fields)
		if err != nil {
			return nil, err
		}
		by[i], groupings[i] = g.by, g
	}
	found, err := crosstab.Tables(ctx, n.s.lists, by, n.set.View(), limit)
	if err != nil {
		return nil, err
	}
	tables := make([][]Group, len(of))
	for i := range of {
		if tables[i], err = groupings[i].groups(found[i]); err != nil {
			return nil, err
		}
	}
	return tables, nil
}
