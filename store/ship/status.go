// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"time"

	"github.com/uproar-db/uproar/store"
)

// Status says how a node is doing.
type Status struct {
	Node    Node
	Leads   bool
	Writer  Node          // who leads, as far as this node knows; the zero Node: nobody did yet
	Epoch   uint64        // of the writer
	Object  uint64        // the last that this node has applied
	Age     time.Duration // how long ago Object was known to be the last
	Failure error         // why this node neither follows nor leads; nil: it does

	Objects     uint64 // made by this node since it was opened, attachments included
	Bytes       uint64 // of them
	Takeovers   uint64 // by this node
	Fenced      uint64 // how often another has taken over from this node
	Unavailable uint64 // calls of the engine that failed
}

// Status returns how the node is doing. It takes no lock, and does not ask the engine.
func (s *Store) Status() Status {
	seen := s.seen.Load()
	c := &s.remote.counts
	st := Status{Node: s.opts.Node, Leads: s.term.Load() != nil, Writer: seen.at.Writer, Epoch: seen.at.Epoch,
		Object: seen.at.Object, Age: seen.sure.elapsed(), Objects: c.objects.Load(), Bytes: c.bytes.Load(),
		Takeovers: c.takeovers.Load(), Fenced: c.fenced.Load(), Unavailable: c.unavailable.Load()}
	if err := s.failure.Load(); err != nil {
		st.Failure = *err
	}
	return st
}

// Wait waits until this node has applied an object of the log, and readers see it. Errors: ctx's,
// or why the node no longer follows.
func (s *Store) Wait(ctx context.Context, object uint64) error {
	for {
		seen := s.seen.Load()
		if seen.at.Object >= object {
			return nil
		}
		if err := s.failure.Load(); err != nil {
			return *err
		}
		select {
		case <-seen.later:
		case <-ctx.Done():
			return ctx.Err()
		case <-s.stopping.Done():
			return store.ErrClosed
		}
	}
}

// Look returns what the engine has of the log.
func (s *Store) Look(ctx context.Context) (Overview, error) { return Look(ctx, s.remote.engine) }
