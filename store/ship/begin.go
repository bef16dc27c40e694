// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"

	"github.com/uproar-db/uproar/store"
)

// restore makes the local store that of the newest checkpoint.
func (s *Store) restore(ctx context.Context) (err error) {
	r := restorer{remote: s.remote, local: s.local, log: s.at.Log}
	s.at, err = r.restore(ctx, math.MaxUint64)
	return err
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
// an empty log.
func (s *Store) begin(ctx context.Context, id string) error {
	empty := true
	err := s.local.Keys(nil, nil, func([]byte) error {
		empty = false
		return store.ErrStop
	})
	if err != nil {
		return err
	}
	s.at = position{Log: id}
	if empty {
		return s.restore(ctx)
	}
	if s.opts.Role == Reader {
		return fmt.Errorf("%w: got a folder with entries of its own, want an empty one for a reader", ErrNotEmpty)
	}
	objects, err := s.remote.names(ctx, logPrefix, "", 1)
	if err != nil {
		return err
	}
	checkpoints, err := s.remote.names(ctx, checkpointPrefix, "", 1)
	if err != nil {
		return err
	}
	if len(objects)+len(checkpoints) > 0 {
		return fmt.Errorf("%w: got a folder with entries of its own and a log that has begun, want one of them empty",
			ErrNotEmpty)
	}
	s.log.Info("the database of the folder becomes the beginning of the log")
	s.sight()
	made, err := s.checkpointer().write(ctx)
	if err == nil && !made {
		err = fmt.Errorf("%w: got a folder with entries of its own, and another node that has begun the log with its own",
			ErrNotEmpty)
	}
	if err != nil {
		return err
	}
	var b store.Batch
	s.at.putInto(&b)
	return s.local.Apply(&b, true)
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
