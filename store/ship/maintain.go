// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"slices"
	"time"
)

// checkpointLog is how many bytes of log make a checkpoint due at least: as many as the last one
// has, so that a node which begins reads no more log than checkpoint.
const checkpointLog = 64 << 20

// maintain writes a checkpoint when there is none of late, or much log since, and collects, until
// ctx ends. The node that leads leaves it to the others for as long as one of them does it.
func (s *Store) maintain(ctx context.Context) {
	c := &collector{remote: s.remote, keep: s.opts.Keep, seen: make(map[string]instant)}
	newest, since, logged := uint64(0), now(), uint64(0) // of the newest checkpoint
	most := uint64(checkpointLog)                        // bytes of log until the next
	share := max(s.opts.CheckpointEvery/10, 10*time.Millisecond)
	for looked := now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(share, time.Second)):
		}
		patience := uint64(1)
		if _, leads := s.Leads(); leads {
			patience = 2
		}
		long := func() bool { return s.remote.counts.logged.Load()-logged >= patience*most }
		if looked.elapsed() < share && !long() {
			continue
		}
		looked = now()
		c.keep = max(s.opts.Keep, s.seen.Load().at.Keep)
		found, err := s.remote.all(ctx, checkpointPrefix)
		if err != nil {
			continue
		}
		if len(found) > 0 {
			if n, err := numberOf(checkpointPrefix, slices.Max(found)); err == nil && n > newest {
				if newest > 0 {
					logged = s.remote.counts.logged.Load()
				}
				newest, since, most = n, now(), nextAfter(ctx, s.remote, slices.Max(found))
			}
		}
		if since.elapsed() < time.Duration(patience)*s.opts.CheckpointEvery && !long() || s.failure.Load() != nil {
			continue
		}
		since, logged = now(), s.remote.counts.logged.Load()
		if s.seen.Load().at.Object > newest {
			if err := s.Checkpoint(ctx); err != nil && ctx.Err() == nil {
				s.opts.Logger.Warn("no checkpoint; trying again later", "error", err)
			}
		}
		if err := errors.Join(c.collectNodes(ctx), c.collect(ctx)); err != nil && ctx.Err() == nil {
			s.opts.Logger.Warn("collecting failed; trying again later", "error", err)
		}
	}
}

// nextAfter returns after how many bytes of log a checkpoint is to be followed by another.
func nextAfter(ctx context.Context, r *remote, name string) uint64 {
	most := uint64(0)
	if c, err := r.checkpoint(ctx, name); err == nil {
		for _, b := range c.Blocks {
			most += uint64(b.Bytes)
		}
	}
	return max(most, checkpointLog)
}
