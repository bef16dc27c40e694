// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math"

	"github.com/uproar-db/uproar/store"
)

// restore makes the local store that of the newest checkpoint. It waits for that of a node with
// whose database the log begins.
func (s *Store) restore(ctx context.Context) error {
	r := restorer{remote: s.remote, local: s.local, log: s.at.Log}
	for wait := newBackoff(); ; {
		at, err := r.restore(ctx, math.MaxUint64)
		if err == nil {
			s.touched.Store(at.Object)
			s.at = at
		}
		if !errors.Is(err, errNoCheckpoint) {
			return err
		}
		s.log.Warn("waiting for the first checkpoint", "error", err)
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
// so, and the others wait for its checkpoint. A node that has died before it was made goes on.
func (s *Store) beginLog(ctx context.Context) error {
	h, err := s.remote.horizon(ctx)
	if err != nil {
		return err
	}
	name := numbered(logPrefix, 1)
	o := &object{kind: takeoverKind, number: 1, epoch: 1, start: s.start()}
	o.start.Base = true
	rand.Read(o.nonce[:])
	if h == 0 {
		err = s.claim(ctx, o)
		if taken, ok := errors.AsType[*takenError](err); ok {
			o, err = decodeObject(name, taken.data)
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
	s.log.Info("the database of the folder becomes the beginning of the log")
	s.touched.Store(at.Object)
	s.at = at
	s.sight()
	made, err := s.checkpointer().write(ctx)
	if err == nil && !made {
		err = fmt.Errorf("%w: got a folder with entries of its own, and a log that begins with those of another",
			ErrNotEmpty)
	}
	if err != nil {
		return err
	}
	return putPosition(s.local, s.at)
}

// RestoreTo writes the content of a log as of an object into an empty store, which becomes no node
// of the log. Both stay the caller's. Errors: ErrNotEmpty; ErrTrimmed, when the log is no longer
// kept from so far back; ErrNotReached, when it ends before; or as of Open.
func RestoreTo(ctx context.Context, local store.Store, e Engine, through uint64, logger *slog.Logger) error {
	s, err := newRestore(ctx, local, e, logger)
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.restoreAt(ctx, through); err != nil {
		return err
	}
	return s.forget()
}

// newRestore returns a store over an empty one, into which the content of a log is to be written.
func newRestore(ctx context.Context, local store.Store, e Engine, logger *slog.Logger) (*Store, error) {
	s, err := newStore(local, e, Options{Role: Reader, Logger: logger})
	if err != nil {
		return nil, err
	}
	if s.at.Log, err = s.remote.identify(ctx); err == nil {
		err = local.Keys(nil, nil, func([]byte) error { return ErrNotEmpty })
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// restoreAt makes the local store that of an object.
func (s *Store) restoreAt(ctx context.Context, through uint64) (err error) {
	r := restorer{remote: s.remote, local: s.local, log: s.at.Log}
	if s.at, err = r.restore(ctx, through); err != nil {
		s.at.Log = r.log
		return err
	}
	for s.at.Object < through {
		data, _, err := s.next(ctx)
		if errors.Is(err, ErrNotReached) {
			err = fmt.Errorf("%w: got object %d, want one up to %d", ErrNotReached, through, s.at.Object)
		}
		if err != nil {
			return err
		}
		if _, err := s.applyNext(ctx, data); err != nil {
			return err
		}
	}
	return nil
}

// next returns the next object of the log. Errors: ErrNotReached, when there is none.
func (s *Store) next(ctx context.Context) (data []byte, o *object, err error) {
	name := numbered(logPrefix, s.at.Object+1)
	data, err = s.remote.get(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		if h, err := s.remote.horizon(ctx); err != nil || h > s.at.Object+1 {
			return nil, nil, errors.Join(err, ErrTrimmed)
		}
		return nil, nil, fmt.Errorf("%w: it ends with object %d", ErrNotReached, s.at.Object)
	}
	if err != nil {
		return nil, nil, err
	}
	o, err = decodeObject(name, data)
	return data, o, err
}

// forget makes the local store a store of its own.
func (s *Store) forget() error {
	var b store.Batch
	b.Delete(positionKey)
	return s.local.Apply(&b, true)
}
