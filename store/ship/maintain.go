// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"slices"
	"time"
)

// maintain writes a checkpoint when there is none of late, and collects, until ctx ends. The node
// that leads leaves it to the others for as long as one of them does it.
func (s *Store) maintain(ctx context.Context) {
	c := &collector{remote: s.remote, keep: s.opts.Keep, seen: make(map[string]instant)}
	newest, since := uint64(0), now()
	for {
		c.keep = max(s.opts.Keep, s.seen.Load().at.Keep)
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(s.opts.CheckpointEvery/10, 10*time.Millisecond)):
		}
		found, err := s.remote.all(ctx, checkpointPrefix)
		if err != nil {
			continue
		}
		if len(found) > 0 {
			if n, err := numberOf(checkpointPrefix, slices.Max(found)); err == nil && n > newest {
				newest, since = n, now()
			}
		}
		due := s.opts.CheckpointEvery
		if _, leads := s.Leads(); leads {
			due *= 2
		}
		if since.elapsed() < due || s.failure.Load() != nil {
			continue
		}
		since = now()
		if s.seen.Load().at.Object > newest {
			if err := s.Checkpoint(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("no checkpoint; trying again later", "error", err)
			}
		}
		if err := errors.Join(c.collectNodes(ctx), c.collect(ctx)); err != nil && ctx.Err() == nil {
			s.log.Warn("collecting failed; trying again later", "error", err)
		}
	}
}
