// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store"
)

// Plan makes a batch of what a state of the index has. It only reads, and it may be called more
// than once, by other goroutines, one after the other. The snapshot is borrowed.
type Plan func(now reader.Snapshot) (*Batch, error)

// Update commits the batch that a plan makes of the very state that the commit applies to: no other
// commit comes between what the plan has read and what it writes. An error of the plan is returned,
// and nothing is written. A batch without writes is no commit.
//
// The plan is called first without any lock, in the newest snapshot, which has the store read what
// it needs, and refuses most of what cannot be. If no commit has come since when its turn is there,
// or the batch says what the plan has read (Batch.Reads) and none has changed that, the batch
// counts. Otherwise the committer calls the plan again, while it holds the write lock: all other
// writers wait for as long as that takes, with most pages in the cache. Updates share the sync of a
// group like all commits.
//
// Errors: the plan's, or as of Commit.
func (ix *Index) Update(ctx context.Context, plan Plan) (sequence uint64, err error) {
	if ix.readOnly() {
		return 0, model.ErrReadOnly
	}
	for {
		if sequence, err = ix.committer.update(ctx, plan); err != errStale {
			if p, ok := errors.AsType[*panicked](err); ok {
				panic(p.value) // in the goroutine of who made the plan
			}
			return sequence, err
		}
	}
}

func (c *committer) update(ctx context.Context, plan Plan) (sequence uint64, err error) {
	snap := c.source.Snapshot()
	defer snap.Close()
	b, err := plan(snap)
	if err == nil {
		err = b.check(c.source)
	}
	if err != nil {
		return 0, err
	}
	if b.Len() == 0 {
		return snap.Sequence(), c.confirm(ctx)
	}
	r, err := c.newRequest(ctx, snap, b, b.absent)
	if err != nil {
		return 0, err
	}
	r.plan = plan
	return c.submit(ctx, r)
}

// confirm returns nil if no other copy of the store has written a newer state before.
func (c *committer) confirm(ctx context.Context) error {
	if r, ok := c.source.Store.(store.Replica); ok {
		return r.Confirm(ctx)
	}
	return nil
}

// replan makes the batch of a request anew if there was a commit since it was made. The caller
// holds c.writer.mu.
func (c *committer) replan(r *request) error {
	w := c.writer
	if r.plan == nil || r.sequence == w.sequence {
		return nil
	}
	if same, err := w.sameAsRead(r); same || err != nil {
		return err
	}
	now := reader.Snapshot{St: newestOf(w)}
	b, err := r.plan.try(now)
	if err == nil {
		err = b.check(c.source)
	}
	if err != nil {
		return err
	}
	r.batch, r.entry, r.sections = b, nil, nil
	r.version, r.deletions, r.sequence = now.St.Version, w.deletions, w.sequence
	return r.lookup(context.Background(), now, b.absent)
}

// sameAsRead reports whether all that the plan of a request has read is still as it was. The caller
// holds w.mu.
func (w *writer) sameAsRead(r *request) (bool, error) {
	reads := r.batch.Reads
	if reads == nil || !w.changes.recent.Spares(reads.Records, r.sequence, w.sequence) {
		return false, nil
	}
	st := w.source.State.Load()
	for _, key := range reads.Unknown {
		k := model.SpaceKey{Space: model.RecordSpace, Key: key}
		if _, ok, err := w.lookupNewest(st, k, st.Version != r.version); ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// panicked is the panic of a plan that the committer has called.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprintf("posting: a plan panicked: %v", p.value) }

// try calls the plan. Its panic is an error: the committer must go on for the others.
func (p Plan) try(now reader.Snapshot) (b *Batch, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value}
		}
	}()
	return p(now)
}

// newestOf returns the state with the commits of the group that is being made, which nobody else
// sees yet. It is valid for as long as the caller holds w.mu.
func newestOf(w *writer) *reader.State {
	st, active := w.source.State.Load(), w.active.Publish()
	return &reader.State{Source: w.source, Version: st.Version, Frozen: st.Frozen, Active: active,
		Masks:    delta.NewMasks(st.Masks, active, st.Frozen, w.source.Inverse),
		Sequence: w.sequence, Number: st.Number + 1, Deletions: w.deletions}
}

// answered is a write that needs no commit: it has no effect, or its plan has failed. It has seen
// the commits of the group before it, and is answered with them.
type answered struct {
	*request
	err  error
	seen uint64 // the last commit before it
}
