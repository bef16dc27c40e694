// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"time"

	"github.com/uproar-db/uproar/store"
)

// checkReach returns an error if the log has lost the object after those of this node, which is
// about to make another of that number: some node has had it. Errors: *DamagedError, ctx's, or
// *claimError.
func (s *Store) checkReach(ctx context.Context) error {
	nodes, err := s.remote.sightings(ctx)
	if _, damaged := errors.AsType[*DamagedError](err); damaged {
		return nil // what a node says is not the log
	}
	next := numbered(logPrefix, s.at.Object+1)
	for _, n := range nodes {
		if err != nil || n.Object <= s.at.Object {
			continue
		}
		if _, err = s.remote.get(ctx, next); errors.Is(err, store.ErrNotFound) {
			return damaged(next, "got no such object, and node %s has come to object %d; want it back, or all nodes stopped "+
				"and the log begun anew at another place with the folder of that node", n.ID, n.Object)
		}
		break
	}
	if err != nil && ctx.Err() == nil {
		return &claimError{err}
	}
	return err
}

// watchLog looks from time to time whether the log is still there, until ctx ends. If it was
// removed, or is again as it was before, this node ends to lead or to follow: others that begin
// would make another history.
func (s *Store) watchLog(ctx context.Context) {
	mark, missed := s.seen.Load().at, false
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(5 * s.opts.Heartbeat):
		}
		err := s.checkLog(ctx, &mark)
		lost, ok := errors.AsType[*DamagedError](err)
		switch {
		case err == nil:
			mark, missed = s.seen.Load().at, false
		case !ok: // it cannot be asked
		case !missed:
			missed = true // lists may tell later what was collected
		default:
			err = lost
			s.lost.Store(&err)
			if t := s.term.Load(); t != nil {
				t.wake()
			}
			return
		}
	}
}

// checkLog returns an error if the log is no longer the one of a position, or has lost the object
// there, or has another. Errors: *DamagedError, ctx's, or the engine's.
func (s *Store) checkLog(ctx context.Context, at *position) error {
	const try = "stop all nodes, and begin the log anew at another place with the folder of the node that has come furthest"
	id, err := s.remote.identity(ctx)
	if errors.Is(err, store.ErrNotFound) {
		return damaged(identityName, "got no such object, want that of log %s; try: %s", at.Log, try)
	}
	if err != nil {
		return err
	}
	if id != at.Log {
		return damaged(identityName, "got log %s, want %s; try: %s", id, at.Log, try)
	}
	name := numbered(logPrefix, at.Object)
	if at.Object == 0 {
		return nil
	}
	data, err := s.remote.get(ctx, name)
	if err == nil {
		o, err := decodeObject(name, data)
		if err == nil && (o.epoch > at.Epoch || o.epoch == at.Epoch && o.nonce != at.Nonce) {
			err = damaged(name, "got epoch %d and nonce %x, want what this node has, of epoch %d and nonce %x; try: %s",
				o.epoch, o.nonce, at.Epoch, at.Nonce, try)
		}
		return err
	}
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if h, err := s.remote.horizon(ctx); err != nil || h > at.Object {
		return err
	}
	return damaged(name, "got no such object, want what this node has of it; try: %s", try)
}
