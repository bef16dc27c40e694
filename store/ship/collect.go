// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"fmt"
	"time"
)

// collector deletes what no node needs any more. It trusts its own clock for how long it has seen a
// checkpoint, and that of another node only for how old one is.
type collector struct {
	remote *remote
	keep   time.Duration
	seen   map[string]instant // when this process first saw a checkpoint, or what a node said
}

// collect deletes the objects, attachments and blocks that are older than Options.Keep: the newest
// checkpoint that is so old, and all that came after it, stay. Errors: ctx's, or the engine's.
func (c *collector) collect(ctx context.Context) error {
	found, err := c.remote.all(ctx, checkpointPrefix)
	if err != nil {
		return err
	}
	kept := len(found)
	checkpoints := make([]checkpoint, len(found))
	for i, name := range found {
		if _, ok := c.seen[name]; !ok {
			c.seen[name] = now()
		}
		if checkpoints[i], err = c.remote.checkpoint(ctx, name); err != nil {
			return err
		}
		seen := c.seen[name].atLeast()
		if seen >= c.keep || seen >= c.keep/12 && time.Since(checkpoints[i].Time) >= c.keep {
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
	before, err := c.remote.horizon(ctx)
	if err != nil {
		return err
	}
	limit := checkpoints[kept].At.Object + 1
	if limit > before {
		// Whoever finds that an object is gone must be able to learn that objects go.
		if err := c.remote.insist(ctx, numbered(horizonPrefix, limit), []byte("{}")); err != nil {
			return err
		}
	}
	for i, name := range found[:kept] {
		delete(c.seen, name)
		if err := c.remote.engine.Delete(ctx, name); err != nil {
			return fmt.Errorf("ship: deleting checkpoint %d: %w", checkpoints[i].At.Object, err)
		}
	}
	deleted := 0
	for _, what := range []struct {
		prefix string
		limit  uint64
	}{
		{logPrefix, limit},
		// The object that names an attachment is one of so many after the one in its name.
		{attachmentPrefix, limit - min(limit, attachedWithin)},
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
	c.remote.log.Info("collected", "horizon", limit, "objects", deleted+n)
	return nil
}

// deleteBelow deletes the objects with a prefix and a number below a limit that are not used.
func (c *collector) deleteBelow(ctx context.Context, prefix string, limit uint64, used map[string]bool) (int, error) {
	deleted := 0
	for after := ""; ; {
		found, err := c.remote.names(ctx, prefix, after, 1000)
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
			if err := c.remote.engine.Delete(ctx, name); err != nil {
				return deleted, err
			}
			deleted++
		}
	}
}
