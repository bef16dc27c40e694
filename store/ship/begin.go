// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"

	"github.com/uproar-db/uproar/store"
)

// restore makes the local store that of the newest checkpoint. It waits for that of a node with
// whose database the log begins.
func (s *Store) restore(ctx context.Context) error {
	r := restorer{remote: s.remote, local: s.local, log: s.at.Log}
	for wait := newBackoff(shortLimit); ; {
		at, err := r.restore(ctx, math.MaxUint64)
		if err == nil {
			s.touched.Store(at.Object)
			s.at = at
		}
		if !errors.Is(err, errNoCheckpoint) {
			return err
		}
		s.opts.Logger.Warn("waiting for the first checkpoint", "error", err)
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// checkpointer returns what writes checkpoints of the store.
func (s *Store) checkpointer() *checkpointer {
	return &checkpointer{remote: s.remote, local: s.local, keep: s.opts.Keep,
		at: func() position { return s.seen.Load().whole }, most: s.touched.Load}
}

// Checkpoint writes the content of the store to the engine, for nodes that begin. Nodes do so by
// themselves, see Options.CheckpointEvery. Errors: ctx's, the local store's, or the engine's.
func (s *Store) Checkpoint(ctx context.Context) error {
	_, err := s.checkpointer().write(ctx)
	return err
}

// begin makes an empty local store a node of the log, and a store with a database the first node of
// an empty log. It reports whether the log is this node's to lead.
func (s *Store) begin(ctx context.Context, id string) (first bool, err error) {
	empty := true
	err = s.local.Keys(nil, nil, func([]byte) error {
		empty = false
		return store.ErrStop
	})
	if err != nil {
		return false, err
	}
	s.at = position{Log: id}
	if empty {
		return false, s.restore(ctx)
	}
	if s.opts.Role == Reader {
		return false, fmt.Errorf("%w: got a folder with entries of its own, want an empty one for a reader", ErrNotEmpty)
	}
	return true, s.beginLog(ctx)
}

// beginLog makes the database of the local store the beginning of the log: the first object says
// so, and the others wait for its checkpoint. A node that has died meanwhile goes on, by what its
// folder has.
func (s *Store) beginLog(ctx context.Context) error {
	h, err := s.remote.horizon(ctx)
	if err != nil {
		return err
	}
	name := numbered(logPrefix, 1)
	o := &object{kind: takeoverKind, number: 1, epoch: 1, start: startOf(&s.opts)}
	o.start.Base = true
	rand.Read(o.nonce[:])
	if h == 0 {
		err = s.claim(ctx, o)
		if taken, ok := errors.AsType[*takenError](err); ok {
			o, err = decodeObject(name, taken.data)
		}
		if err == nil {
			h, err = s.remote.horizon(ctx) // a node that slept may claim what others have collected
		}
		if err != nil {
			return err
		}
	}
	if h > 0 || !o.start.Base {
		return fmt.Errorf("%w: got a folder with entries of its own and a log that has begun, want one of them empty",
			ErrNotEmpty)
	}
	at, _, err := s.at.advance(name, o)
	if err != nil {
		return err
	}
	s.opts.Logger.Info("the database of the folder becomes the beginning of the log")
	s.touched.Store(at.Object)
	s.at = at
	s.sight()
	others, err := s.checkpointer().write(ctx)
	if err == nil && others {
		err = fmt.Errorf("%w: got a folder with entries of its own, and a log that begins with those of another",
			ErrNotEmpty)
	}
	if err != nil {
		return err
	}
	return putPosition(s.local, s.at)
}
