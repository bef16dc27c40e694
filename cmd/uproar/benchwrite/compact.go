// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/store"
)

// compactor has the store compact itself from time to time while others write.
type compactor struct {
	store.Compacter
	opts Compaction

	count   int64
	took    time.Duration
	batches chan struct{} // has something when enough batches were written
}

// newCompactor returns nil when nothing is to be compacted.
func (b *bench) newCompactor() (*compactor, error) {
	if b.opts.Compact == (Compaction{}) {
		return nil, nil
	}
	power, ok := b.engine.Store.(store.Compacter)
	if !ok {
		return nil, fmt.Errorf("%s cannot be told to compact itself: %w", b.opts.Store, errors.ErrUnsupported)
	}
	return &compactor{Compacter: power, opts: b.opts.Compact, batches: make(chan struct{}, 1)}, nil
}

// wrote counts a batch: the number of those before it is before.
func (c *compactor) wrote(before int64) {
	if c == nil || c.opts.Batches == 0 || (before+1)%c.opts.Batches != 0 {
		return
	}
	select {
	case c.batches <- struct{}{}:
	default: // one is due already
	}
}

// run compacts until ctx ends.
func (c *compactor) run(ctx context.Context) error {
	for {
		var due <-chan time.Time
		if c.opts.Every > 0 {
			due = time.After(c.opts.Every)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-c.batches:
		case <-due:
		}
		start := time.Now()
		if err := c.Compact(ctx); err != nil && ctx.Err() == nil {
			return fmt.Errorf("compacting: %w", err)
		}
		c.count++
		c.took += time.Since(start)
	}
}

// report adds its figures, once run has returned.
func (c *compactor) report(r *Report) {
	if c != nil {
		r.Engine.Compactions, r.Engine.Compacting = c.count, seconds(c.took)
	}
}
