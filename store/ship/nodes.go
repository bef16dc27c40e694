// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/store"
)

// announceEvery is how often a node says how it does, and goneAfter how long others believe that.
const (
	announceEvery = 10 * time.Second
	goneAfter     = 6 * announceEvery
)

// Sighting is what a node last said of itself.
type Sighting struct {
	Node
	Leads  bool      `json:"leads"`
	Epoch  uint64    `json:"epoch"`  // of the writer that it follows, or its own
	Object uint64    `json:"object"` // the last that it has applied
	Time   time.Time `json:"time"`   // by its clock
}

// CheckpointInfo is what an engine has of a checkpoint.
type CheckpointInfo struct {
	Object uint64    `json:"object"` // restored from here on
	Time   time.Time `json:"time"`
	Bytes  int64     `json:"bytes"`
}

// Overview is what an engine has of a log.
type Overview struct {
	Log         string           `json:"log"` // its identity
	Nodes       []Sighting       `json:"nodes"`
	Checkpoints []CheckpointInfo `json:"checkpoints"`
	Horizon     uint64           `json:"horizon"` // objects before it may be gone; 0: none are
}

// Look returns what an engine has of its log. Errors: store.ErrNotFound when it has none, ctx's, or
// the engine's.
func Look(ctx context.Context, e Engine) (o Overview, err error) {
	r := &remote{engine: e, log: slog.New(slog.DiscardHandler)}
	if o.Log, err = r.identity(ctx); err != nil {
		return o, err
	}
	if o.Horizon, err = r.horizon(ctx); err != nil {
		return o, err
	}
	if o.Nodes, err = r.sightings(ctx); err != nil {
		return o, err
	}
	found, err := r.all(ctx, checkpointPrefix)
	if err != nil {
		return o, err
	}
	for _, name := range found {
		c, err := r.checkpoint(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return o, err
		}
		info := CheckpointInfo{Object: c.At.Object, Time: c.Time}
		for _, b := range c.Blocks {
			info.Bytes += int64(b.Bytes)
		}
		o.Checkpoints = append(o.Checkpoints, info)
	}
	return o, nil
}

// sightings returns the newest sighting of each node, in the order of their IDs.
func (r *remote) sightings(ctx context.Context) (nodes []Sighting, err error) {
	found, err := r.all(ctx, nodePrefix)
	if err != nil {
		return nil, err
	}
	for i, name := range found {
		id, _, _ := strings.Cut(strings.TrimPrefix(name, nodePrefix), "/")
		if i+1 < len(found) && strings.HasPrefix(found[i+1], nodePrefix+id+"/") {
			continue // a newer one follows
		}
		text, err := r.get(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var n Sighting
		if err := json.Unmarshal(text, &n); err != nil {
			return nil, damaged(name, "got %v, want what a node says of itself", err)
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// warnOfShared tells the log of this node of others at the same address.
func warnOfShared(ctx context.Context, r *remote, own Node) {
	nodes, err := r.sightings(ctx)
	if err != nil {
		return
	}
	for _, n := range nodes {
		if n.ID != own.ID && own.URL != "" && n.Address() == own.Address() {
			r.log.Warn("another node says that it is reached at the same address, or has done so within a minute: start "+
				"each with an address of its own (--advertise)", "url", own.URL, "other", n.ID)
		}
	}
}

// announce says on the engine how a node does, until ctx ends.
func announce(ctx context.Context, r *remote, look func() Sighting) {
	begun := time.Now().UnixMilli()
	last := ""
	for n := 0; ; n++ {
		says := look()
		text, _ := json.Marshal(says)
		name := fmt.Sprintf("%s%s/%014d-%06d", nodePrefix, says.ID, begun, n)
		call, cancel := context.WithTimeout(ctx, announceEvery)
		if n < 2 { // two that begin at a time do not see each other at first
			warnOfShared(call, r, says.Node)
		}
		if err := r.engine.Create(call, name, text); err == nil {
			if last != "" {
				_ = r.engine.Delete(call, last) // or the collector does
			}
			last = name
		}
		cancel()
		select {
		case <-ctx.Done():
			call, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
			defer cancel()
			if last != "" {
				_ = r.engine.Delete(call, last)
			}
			return
		case <-time.After(announceEvery):
		}
	}
}

// collectNodes deletes what nodes have said that are gone.
func (c *collector) collectNodes(ctx context.Context) error {
	found, err := c.remote.all(ctx, nodePrefix)
	if err != nil {
		return err
	}
	for _, name := range found {
		if _, ok := c.seen[name]; !ok {
			c.seen[name] = now()
		}
		if c.seen[name].elapsed() < goneAfter {
			continue
		}
		if err := c.remote.engine.Delete(ctx, name); err != nil {
			return err
		}
	}
	for name := range c.seen {
		if strings.HasPrefix(name, nodePrefix) && !slices.Contains(found, name) {
			delete(c.seen, name)
		}
	}
	return nil
}
