// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
)

// LastCommit returns the number of the last commit to an index that a batch of a store has; ok is
// false when it has none.
func LastCommit(index uint32, ops []store.Op) (last uint64, ok bool) {
	for i := range ops {
		if isLogEntry(index, &ops[i]) {
			last, ok = max(last, format.NumberOfKey(ops[i].Key)), true
		}
	}
	return last, ok
}

// isLogEntry reports whether an operation writes an entry of the log of an index.
func isLogEntry(index uint32, op *store.Op) bool {
	if op.Delete || len(op.Key) != format.LogKeyLen || op.Key[0] != format.KindLog {
		return false
	}
	of, ok := format.IndexOfKey(op.Key)
	return ok && of == index
}

// Cut returns what a batch of a store has of the time up to a commit to an index: the batch ends
// with that commit or a later one. Errors: ErrSequenceTrimmed, when there is a gap between the
// commit and the batch; ErrCorrupt, ErrVersion.
func Cut(index uint32, ops []store.Op, last uint64) ([]store.Op, error) {
	var kept []store.Op
	for i := range ops {
		if !isLogEntry(index, &ops[i]) {
			continue
		}
		f, err := Open(ops[i].Key, ops[i].Value)
		switch {
		case err != nil:
			return nil, err
		case f.First > last+1 && len(kept) == 0:
			return nil, fmt.Errorf("%w: got commits from %d on, want %d", model.ErrSequenceTrimmed, f.First, last)
		case f.First > last:
		case f.Last > last:
			key, value := f.through(index, last)
			kept = append(kept, store.Op{Key: key, Value: value})
		default:
			kept = append(kept, ops[i])
		}
	}
	if end, _ := LastCommit(index, ops); end == last {
		return ops, nil // with what the commit has beside its entry
	}
	return kept, nil
}
