// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// collector deletes what no node needs any more. It trusts its own clock for how long it has seen a
// checkpoint, and that of another node only for how old one is.
type collector struct {
	*Store
	seen map[string]instant // when this process first saw a checkpoint, or what a node said
}

// collect deletes the objects, attachments and blocks that are older than Options.Keep: the newest
// checkpoint that is so old, and all that came after it, stay. Errors: ctx's, or the engine's.
func (c *collector) collect(ctx context.Context) error {
	found, err := names(ctx, c.engine, checkpointPrefix, "", 1<<20, c.hiccup)
	if err != nil {
		return err
	}
	kept := len(found)
	checkpoints := make([]checkpoint, len(found))
	for i, name := range found {
		if _, ok := c.seen[name]; !ok {
			c.seen[name] = now()
		}
		if checkpoints[i], err = readCheckpoint(ctx, c.engine, name, c.hiccup); err != nil {
			return err
		}
		seen := c.seen[name].elapsed()
		if seen >= c.opts.Keep || seen >= c.opts.Keep/12 && time.Since(checkpoints[i].Time) >= c.opts.Keep {
			kept = i // and all after it
		}
	}
	if kept == len(found) {
		return nil
	}
	return c.collectBefore(ctx, found, checkpoints, kept)
}

// collectBefore deletes what only the checkpoints before one need.
func (c *collector) collectBefore(ctx context.Context, found []string, checkpoints []checkpoint, kept int) error {
	before, err := horizon(ctx, c.engine, c.hiccup)
	if err != nil {
		return err
	}
	limit := checkpoints[kept].At.Object + 1
	if limit > before {
		// Whoever finds that an object is gone must be able to learn that objects go.
		if err := c.persist(ctx, numbered(horizonPrefix, limit), []byte("{}")); err != nil {
			return err
		}
	}
	for i, name := range found[:kept] {
		delete(c.seen, name)
		if err := c.engine.Delete(ctx, name); err != nil {
			return fmt.Errorf("ship: deleting checkpoint %d: %w", checkpoints[i].At.Object, err)
		}
	}
	deleted := 0
	for _, what := range []struct {
		prefix string
		limit  uint64
	}{
		{logPrefix, limit},
		// An attachment has the number of an object before it; the one that names it may be later.
		{attachmentPrefix, before},
		{horizonPrefix, before},
	} {
		n, err := c.deleteBelow(ctx, what.prefix, what.limit, nil)
		if err != nil {
			return err
		}
		deleted += n
	}
	used := make(map[string]bool)
	for i := range checkpoints[kept:] {
		for _, b := range checkpoints[kept+i].Blocks {
			used[b.Name] = true
		}
	}
	n, err := c.deleteBelow(ctx, blockPrefix, limit, used)
	if err != nil {
		return err
	}
	c.log.Info("collected", "horizon", limit, "objects", deleted+n)
	return nil
}

// deleteBelow deletes the objects with a prefix and a number below a limit that are not used.
func (c *collector) deleteBelow(ctx context.Context, prefix string, limit uint64, used map[string]bool) (int, error) {
	deleted := 0
	for after := ""; ; {
		found, err := names(ctx, c.engine, prefix, after, 1000, c.hiccup)
		if err != nil || len(found) == 0 {
			return deleted, err
		}
		after = found[len(found)-1]
		for _, name := range found {
			n, err := numberOf(prefix, name)
			if err != nil {
				return deleted, err
			}
			if n >= limit {
				return deleted, nil
			}
			if used[name] {
				continue
			}
			if err := c.engine.Delete(ctx, name); err != nil {
				return deleted, err
			}
			deleted++
		}
	}
}

// keepHouse writes a checkpoint when there is none of late, and collects, until the store is closed.
// The node that leads leaves it to the others for as long as one of them does it.
func (s *Store) keepHouse() {
	c := &collector{Store: s, seen: make(map[string]instant)}
	newest, since := uint64(0), now()
	for {
		select {
		case <-s.stopping.Done():
			return
		case <-time.After(max(s.opts.CheckpointEvery/10, 10*time.Millisecond)):
		}
		found, err := names(s.stopping, s.engine, checkpointPrefix, "", 1<<20, s.hiccup)
		if err != nil {
			continue
		}
		if len(found) > 0 {
			if n, err := numberOf(checkpointPrefix, slices.Max(found)); err == nil && n > newest {
				newest, since = n, now()
			}
		}
		due := s.opts.CheckpointEvery
		if s.Leads() {
			due *= 2
		}
		if since.elapsed() < due || s.failure.Load() != nil {
			continue
		}
		since = now()
		if s.seen.Load().at.Object > newest {
			if err := s.Checkpoint(s.stopping); err != nil && s.stopping.Err() == nil {
				s.log.Warn("no checkpoint; trying again later", "error", err)
			}
		}
		if err := errors.Join(c.forgetNodes(s.stopping), c.collect(s.stopping)); err != nil && s.stopping.Err() == nil {
			s.log.Warn("collecting failed; trying again later", "error", err)
		}
	}
}
