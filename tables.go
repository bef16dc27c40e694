// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/internal/eval/crosstab"
)

// Tables returns the groups of several lists of one to three fields. For each list it counts the
// records of each combination of values or bands, as Groups does with the limit. For a list of one
// field it also returns the Total of each value. Fields of few values, such as demographics, are
// counted in one pass over the records: several tables cost little more than one.
//
// Cost: for such fields, an intersection that is only counted for each value and each combination
// of values. For other tables, that of Groups or Top. Errors: as of Groups.
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
