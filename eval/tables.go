// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/posting"
)

// Bounds of tables that are counted together: their lists are held, and walked over side by side.
const (
	tableRows  = 64      // of a field
	tablesRows = 256     // of all fields
	tableCells = 1 << 12 // of a table
)

// spreadLen is from how many values on a block of the set is intersected as a bitset.
const spreadLen = 256

// Tables returns for each list of one to three fields what Groups returns for it, and of one field the Total of each row as well. Fields of few rows, as those of demographics are, are counted in one pass: for each block of the set the lists of
// all their rows are intersected with it while it is in the processor's nearest cache. It is exact.
//
// Cost: an intersection that is only counted for each row of such a field and each combination of rows; of other tables that of Groups, or Top. Errors: as of Groups.
func Tables(ctx context.Context, snap posting.Snapshot, tables [][]uint32, set bitmap.View, limit int) ([][]Group, error) {
	answers := make([][]Group, len(tables))
	for _, fields := range tables {
		if len(fields) < 1 || len(fields) > MaxGroupFields {
			return nil, fmt.Errorf("%w: got %d fields to group by, want 1 to %d", ErrLimit, len(fields), MaxGroupFields)
		}
	}
	t := tabulations.Get().(*tabulation)
	defer tabulations.Put(t)
	defer t.release(snap)
	if err := t.count(ctx, snap, tables, set); err != nil {
		return nil, err
	}
	for i, fields := range tables {
		if k := slices.IndexFunc(t.tables, func(x table) bool { return x.number == i }); k >= 0 {
			answers[i] = page(t.groups(&t.tables[k], true), limit, nil)
			continue
		}
		var err error
		if answers[i], err = tableAlone(ctx, snap, fields, set, limit); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// tableAlone is Tables for a table that is counted by itself.
func tableAlone(ctx context.Context, snap posting.Snapshot, fields []uint32, set bitmap.View, limit int) ([]Group, error) {
	if len(fields) > 1 {
		return Groups(ctx, snap, fields, set, limit, nil)
	}
	top, err := Top(ctx, snap, fields[0], set, Ranking{Limit: limit})
	groups := make([]Group, len(top))
	for i, x := range top {
		groups[i] = Group{Rows: [MaxGroupFields]uint64{x.Row}, Count: x.Count, Total: x.Total}
	}
	return groups, err
}

// tabulated is Tables of one table; not ok if it has too many cells, or its lists no room.
func tabulated(ctx context.Context, snap posting.Snapshot, fields []uint32, set bitmap.View) (groups []Group, ok bool, err error) {
	t := tabulations.Get().(*tabulation)
	defer tabulations.Put(t)
	defer t.release(snap)
	if err := t.count(ctx, snap, [][]uint32{fields}, set); err != nil || len(t.tables) == 0 {
		return nil, false, err
	}
	return t.groups(&t.tables[0], false), true, nil
}
