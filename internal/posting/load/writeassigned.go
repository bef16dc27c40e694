// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// writeAssigned merges the assignments of the load that are pairs into value columns, several
// fields at a time. What follows from them for lists becomes pairs and edits of the load.
func writeAssigned(l *Loader, w *merge.Driver, chunk int, deleted *mutable.Bitmap) error {
	largest := slices.SortedFunc(maps.Values(l.Pairs.assigned), func(a, b *pairBuffer) int {
		return cmp.Or(cmp.Compare(b.Runs.pairs, a.Runs.pairs), cmp.Compare(a.field, b.field))
	})
	var tasks []pageTask
	var fields []*assignedField
	for _, p := range largest {
		lists := l.Pairs.Fields[p.field]
		if lists == nil && len(l.Pairs.Fields) < PairFields {
			lists = l.Pairs.of(p.field, 0)
		}
		a := &assignedField{of: p, lists: lists, deleted: deleted, edits: newRuns(l.memory/4, false),
			most: l.memory / 4 / loadPair / mergeTasks, chunk: max(64, chunk/mergeTasks)}
		fields, tasks = append(fields, a), append(tasks, a.run)
	}
	all := l.Pairs.assignments()
	err := runTasks(l.ctx, w, tasks)
	w.Done += all
	for _, a := range fields {
		l.Edits.Runs.Adopt(&a.edits.Files)
		l.Edits.Runs.Items += a.edits.Items
	}
	return err
}

// assignedField merges the assignments of one field.
type assignedField struct {
	of      *pairBuffer
	lists   *pairBuffer // get the records of rows; nil: there is no room for those of one more field
	most    int64       // of pairs of lists in memory
	deleted *mutable.Bitmap
	chunk   int          // how many assignments, or edits, are in memory
	follow  []model.Edit // of records that had another row
	edits   runs         // these, that did not fit
}

func (a *assignedField) run(ctx context.Context, w *merge.Driver) error {
	assigned := make([]model.ValueEdit, 0, min(a.chunk, a.of.Runs.pairs))
	flush := func() error {
		m := w.Merger(ctx, w.Base)
		m.Changed = a.changed
		err := w.Finish(m, m.MergeValues(assigned))
		w.Tell(len(assigned))
		assigned = assigned[:0]
		return err
	}
	err := a.of.Runs.merge(func(record uint32, rows []uint32) error {
		if a.deleted.Contains(uint64(record)) {
			return nil
		}
		assigned = append(assigned, model.ValueEdit{Field: a.of.field, Record: uint64(record),
			Word: uint64(rows[0]) + 1})
		if len(assigned) < a.chunk {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = errors.Join(flush(), a.spill())
	}
	if a.lists != nil {
		err = errors.Join(err, a.lists.hand(nil), a.lists.Await())
		a.lists.Words, a.lists.Spare, a.lists.Scratch = nil, nil, nil
	}
	return errors.Join(err, a.of.Runs.Close())
}

// changed is told of each record whose row changes.
func (a *assignedField) changed(f model.ValueEdit, old uint64) error {
	if old == 0 && f.Word <= numberBit && f.Record < numberBit && a.lists != nil {
		a.lists.put((f.Word-1)<<32 | f.Record)
		if int64(len(a.lists.Words)) < a.most {
			return nil
		}
		return a.lists.hand(nil)
	}
	a.follow = model.AppendChange(a.follow, model.Rows, f, old)
	if len(a.follow) < a.chunk {
		return nil
	}
	return a.spill()
}

// spill writes the edits that wait to a run.
func (a *assignedField) spill() error {
	slices.SortFunc(a.follow, model.CompareEdits)
	err := a.edits.Add(a.follow)
	a.follow = a.follow[:0]
	return err
}
