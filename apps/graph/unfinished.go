// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
)

// Records that exist while a load writes to the graph, and after it was cut off. The position of
// the first is how many follows the load has stored, that of the second their sum. No account has
// such a key.
const loadRecord, sumRecord = "\x05load", "\x05loadsum"

// UnfinishedError says that a load has not ended: it is under way, or was cut off. What is in the
// graph is a part.
type UnfinishedError struct {
	Follows int64  // that it has stored
	Got     string // instead of the same lists
}

// anotherImport is what is got from one that does not go on with the load.
const anotherImport = "another import"

// Error says how far the load is.
func (e *UnfinishedError) Error() string {
	text := fmt.Sprintf("graph: an import of follows with keys has not ended, of which %d are stored; go on with it "+
		"from the same lists, or begin again with a new graph", e.Follows)
	if e.Got != "" {
		text += "; got " + e.Got
	}
	return text
}

// Is reports whether target is uproar.ErrLoading.
func (e *UnfinishedError) Is(target error) bool { return target == uproar.ErrLoading }

// Unfinished returns how many follows a load has stored that has not ended in a state of an index,
// see [ImportOptions.Resume]; 0: there is none. The index need be no graph.
func Unfinished(ctx context.Context, s uproar.Snapshot) (follows int64, err error) {
	follows, _, err = unfinished(ctx, s)
	return follows, err
}

// unfinished is [Unfinished], with the sum of the follows.
func unfinished(ctx context.Context, s uproar.Snapshot) (follows, sum int64, err error) {
	var of [2]int64
	lookUp := s.LookUp(ctx, []string{loadRecord, sumRecord}, func(i int, id uint64) {
		if err == nil {
			of[i], _, err = s.IntOf(PositionField, id)
		}
	})
	if errors.Is(err, uproar.ErrUnknownField) {
		return 0, 0, nil
	}
	return of[0], of[1], cmp.Or(lookUp, err)
}

// Unfinished is [Unfinished] of the state that is asked.
func (k KnownFollowers) Unfinished(ctx context.Context) (follows int64, err error) {
	return Unfinished(ctx, k.state)
}

// noteLoad notes how many follows a load has stored when this batch is, and their sum; 0: it has
// ended. own says that the mark which is there, if any, is of that load.
func (w *keyedWriter) noteLoad(follows, sum int64, own bool) error {
	id, known, err := w.id(loadRecord)
	if err != nil {
		return err
	}
	if known && !own {
		stored, _, err := w.snapshot.IntOf(PositionField, id)
		if err != nil {
			return err
		}
		return &UnfinishedError{stored, anotherImport}
	}
	switch {
	case follows > 0:
		w.batch.SetInt(PositionField, loadRecord, follows)
		w.batch.SetInt(PositionField, sumRecord, sum)
	case known:
		w.batch.DeleteRecord(loadRecord)
		w.batch.DeleteRecord(sumRecord)
	}
	return nil
}
