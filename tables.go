// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"

	"github.com/uproar-db/uproar/eval"
)

// Tables returns for each list of one to three fields how many of the records have each combination of their values, as Groups does with the limit, and of one field the Total of each value as well. Fields of few values, as those of demographics are, are
// counted in one pass over the records, so that several tables cost little more than one.
//
// Cost: an intersection that is only counted for each value of such a field, and each combination of values; of other tables that of Groups, or Top. Errors: as of Groups.
func (n *Selection) Tables(ctx context.Context, limit int, of ...[]string) ([][]Group, error) {
	if limit < 0 {
		return nil, invalid("tables: got a limit of %d, want 0 or more", limit)
	}
	ids := make([][]uint32, len(of))
	bound := make([][]*boundField, len(of))
	for i, fields := range of {
		if len(fields) < 1 || len(fields) > eval.MaxGroupFields {
			return nil, invalid("tables: got %d fields, want 1 to %d", len(fields), eval.MaxGroupFields)
		}
		for _, name := range fields {
			f, err := n.withRows(name)
			if err != nil {
				return nil, err
			}
			bound[i], ids[i] = append(bound[i], f), append(ids[i], f.id)
		}
	}
	found, err := eval.Tables(ctx, n.s.lists, ids, n.set.View(), limit)
	if err != nil {
		return nil, err
	}
	tables := make([][]Group, len(of))
	for i := range of {
		if tables[i], err = n.groups(bound[i], found[i]); err != nil {
			return nil, err
		}
	}
	return tables, nil
}
