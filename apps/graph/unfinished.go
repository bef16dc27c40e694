// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
)

// loadRecord is a record that exists while a load writes to the graph, and after it was cut off.
// Its position is how many follows the load has stored. No account has such a key.
const loadRecord = "\x05load"

// UnfinishedError says that a load has not ended: it is under way, or was cut off. What is in the
// graph is a part.
type UnfinishedError struct {
	Follows int64 // that it has stored
}

// Error says how far the load is.
func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("graph: an import of follows with keys has not ended, of which %d are stored; go on with it "+
		"from the same lists, or begin again with a new graph", e.Follows)
}

// Is reports whether target is uproar.ErrLoading.
func (e *UnfinishedError) Is(target error) bool { return target == uproar.ErrLoading }

// Unfinished returns how many follows a load has stored that has not ended in a state of an index,
// see [ImportOptions.Resume]; 0: there is none. The index need be no graph.
func Unfinished(ctx context.Context, s uproar.Snapshot) (follows int64, err error) {
	found, id := false, uint64(0)
	err = s.LookUp(ctx, []string{loadRecord}, func(_ int, of uint64) { found, id = true, of })
	if err != nil || !found {
		return 0, err
	}
	follows, _, err = s.IntOf(PositionField, id)
	if errors.Is(err, uproar.ErrUnknownField) {
		return 0, nil
	}
	return follows, err
}

// Unfinished is [Unfinished] of the state that is asked.
func (k KnownFollowers) Unfinished(ctx context.Context) (follows int64, err error) {
	return Unfinished(ctx, k.state)
}

// noteLoad notes how many follows a load has stored when this batch is; 0: it has ended. own says
// that the mark which is there, if any, is of that load.
func (w *keyedWriter) noteLoad(follows int64, own bool) error {
	id, known, err := w.id(loadRecord)
	if err != nil {
		return err
	}
	if known && !own {
		stored, _, err := w.snapshot.IntOf(PositionField, id)
		if err != nil {
			return err
		}
		return &UnfinishedError{stored}
	}
	switch {
	case follows > 0:
		w.batch.SetInt(PositionField, loadRecord, follows)
	case known:
		w.batch.DeleteRecord(loadRecord)
	}
	return nil
}
