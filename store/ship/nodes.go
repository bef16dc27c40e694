// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/store"
)

// announceEvery is how often a node says how it does, and forgetAfter how long others believe that.
const (
	announceEvery = 10 * time.Second
	forgetAfter   = 6 * announceEvery
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
	tell := func(error) {}
	text, err := get(ctx, e, identityName, tell)
	if err != nil {
		return o, fmt.Errorf("ship: which log this is: %w", err)
	}
	var id identity
	if err := json.Unmarshal(text, &id); err != nil {
		return o, damaged(identityName, "got %v, want the identity of a log", err)
	}
	o.Log = id.ID
	if o.Horizon, err = horizon(ctx, e, tell); err != nil {
		return o, err
	}
	if o.Nodes, err = sightings(ctx, e, tell); err != nil {
		return o, err
	}
	found, err := names(ctx, e, checkpointPrefix, "", 1<<20, tell)
	if err != nil {
		return o, err
	}
	for _, name := range found {
		c, err := readCheckpoint(ctx, e, name, tell)
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
func sightings(ctx context.Context, e Engine, tell func(error)) (nodes []Sighting, err error) {
	found, err := names(ctx, e, nodePrefix, "", 1<<20, tell)
	if err != nil {
		return nil, err
	}
	for i, name := range found {
		id, _, _ := strings.Cut(strings.TrimPrefix(name, nodePrefix), "/")
		if i+1 < len(found) && strings.HasPrefix(found[i+1], nodePrefix+id+"/") {
			continue // a newer one follows
		}
		text, err := get(ctx, e, name, tell)
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

// announce says on the engine how this node does, until the store is closed.
func (s *Store) announce() {
	begun := time.Now().UnixMilli()
	last := ""
	for n := 0; ; n++ {
		seen := s.seen.Load()
		text, _ := json.Marshal(Sighting{Node: s.opts.Node, Leads: s.Leads(), Epoch: seen.at.Epoch,
			Object: seen.at.Object, Time: time.Now().UTC()})
		name := fmt.Sprintf("%s%s/%014d-%06d", nodePrefix, s.opts.Node.ID, begun, n)
		ctx, cancel := context.WithTimeout(s.stopping, announceEvery)
		if err := s.engine.Create(ctx, name, text); err == nil {
			if last != "" {
				_ = s.engine.Delete(ctx, last) // or the collector does
			}
			last = name
		}
		cancel()
		select {
		case <-s.stopping.Done():
			ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
			defer cancel()
			if last != "" {
				_ = s.engine.Delete(ctx, last)
			}
			return
		case <-time.After(announceEvery):
		}
	}
}

// forgetNodes deletes what nodes have said that are gone.
func (c *collector) forgetNodes(ctx context.Context) error {
	found, err := names(ctx, c.engine, nodePrefix, "", 1<<20, c.hiccup)
	if err != nil {
		return err
	}
	for _, name := range found {
		if _, ok := c.seen[name]; !ok {
			c.seen[name] = now()
		}
		if c.seen[name].elapsed() < forgetAfter {
			continue
		}
		if err := c.engine.Delete(ctx, name); err != nil {
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
