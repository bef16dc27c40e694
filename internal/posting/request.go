// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// request is a commit that waits to be done.
type request struct {
	batch   *Batch
	ids     []uint64 // of the batch's keys; 0 beside known false: not known when the caller looked
	known   []bool
	version *versions.Version // the manifest that the caller looked at
	taken   atomic.Bool
	done    chan result
	stored  chan struct{} // of a taken request: closed when the batch is no longer needed

	deletions uint64 // how many commits with deletions the caller had seen
	sequence  uint64 // of the last commit that the caller had seen

	plan Plan // makes the batch anew; nil: it is as it is

	entry    *wal.Entry // what prepare has made; nil: the committer has to make it
	sections []byte     // of entry
}

// lookup looks up the keys of the batch in a snapshot, except those that are known to be absent
// there.
func (r *request) lookup(ctx context.Context, snap reader.Snapshot, absent []bool) (err error) {
	b := r.batch
	r.ids, r.known = make([]uint64, len(b.keys)), make([]bool, len(b.keys))
	for i, k := range b.keys {
		if i%reader.KeysPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if i < len(absent) && absent[i] || b.replaced[model.KeyRef|model.Ref(i)] {
			continue
		}
		if r.ids[i], r.known[i], err = snap.Lookup(k.Space, k.Key); err != nil {
			return err
		}
	}
	return nil
}

type result struct {
	sequence uint64
	err      error
	void     bool // nothing was written
}

// prepare encodes a batch before its turn, if that is possible: the committer, for which all wait,
// has less to do. A batch is encoded that only sets and clears what has IDs: what else it may say
// depends on the commits before it.
func (r *request) prepare(src *reader.Source) {
	b := r.batch
	if len(b.values)+len(b.deleted)+len(b.emptied)+len(b.replaced) > 0 || slices.Contains(r.known, false) ||
		b.checkEdges(r.ids) != nil {
		return
	}
	r.entry = new(wal.Entry)
	b.resolve(src, r.ids, r.entry)
	r.sections = r.entry.AppendSections(nil)
}
