// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/uproar-db/uproar/store"
)

// restore makes the local store that of the newest checkpoint; without one, an empty store. A
// restore that was interrupted begins anew.
func (s *Store) restore(ctx context.Context) error {
	return s.restoreBefore(ctx, ^uint64(0))
}

// restoreBefore is restore for a state as of an object.
func (s *Store) restoreBefore(ctx context.Context, through uint64) error {
	c, err := s.newestCheckpoint(ctx, through)
	switch {
	case errors.Is(err, errNoCheckpoint):
		h, err := horizon(ctx, s.engine, s.hiccup)
		if err != nil {
			return err
		}
		if h > 0 {
			return fmt.Errorf("%w: got objects from %d on only, and no checkpoint before object %d", ErrBehind, h,
				through)
		}
		c.At = position{Log: s.at.Log}
	case err != nil:
		return err
	}
	if c.At.Log != s.at.Log {
		return damaged(checkpointPrefix, "got a checkpoint of log %s, want %s", c.At.Log, s.at.Log)
	}
	if err := s.putPosition(position{Log: s.at.Log, Restoring: true}); err != nil {
		return err
	}
	if err := s.empty(ctx); err != nil {
		return err
	}
	total := 0
	for _, b := range c.Blocks {
		total += b.Bytes
	}
	done := 0
	for _, b := range c.Blocks {
		if err := s.restoreBlock(ctx, b); err != nil {
			return err
		}
		done += b.Bytes
		s.log.Info("restoring a checkpoint", "object", c.At.Object, "bytes", done, "of", total)
	}
	s.at = c.At
	return s.putPosition(c.At)
}

// putPosition writes a position, synced.
func (s *Store) putPosition(p position) error {
	var b store.Batch
	p.putInto(&b)
	return s.local.Apply(&b, true)
}

// empty deletes all entries but the position.
func (s *Store) empty(ctx context.Context) error {
	for ctx.Err() == nil {
		var b store.Batch
		err := s.Keys(nil, nil, func(key []byte) error {
			b.Delete(slices.Clone(key))
			if b.Len() == store.MaxOps {
				return store.ErrStop
			}
			return nil
		})
		if err != nil || b.Len() == 0 {
			return err
		}
		if err := s.local.Apply(&b, false); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// restoreBlock writes a block of a checkpoint to the local store.
func (s *Store) restoreBlock(ctx context.Context, b block) error {
	data, err := get(ctx, s.engine, b.Name, s.hiccup)
	if err != nil {
		return fmt.Errorf("ship: block %s of a checkpoint: %w", b.Name, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != b.Sum {
		return damaged(b.Name, "got SHA-256 %x, want %s", sum, b.Sum)
	}
	o, err := decodeObject(blockPrefix, data)
	if err != nil {
		return err
	}
	if in, ok := s.local.(store.Ingester); ok {
		return ingest(in, o)
	}
	for i := range o.parts {
		var batch store.Batch
		for _, op := range o.parts[i].ops {
			if batch.Size()+len(op.Key)+len(op.Value) > store.MaxBatch {
				if err := s.local.Apply(&batch, false); err != nil {
					return err
				}
				batch.Reset()
			}
			batch.Put(op.Key, op.Value)
		}
		if err := s.local.Apply(&batch, false); err != nil {
			return err
		}
	}
	return nil
}

// ingest has a store take the entries of a block past its log.
func ingest(in store.Ingester, o *object) error {
	to, err := in.Ingest()
	if err != nil {
		return err
	}
	defer to.Abort()
	for i := range o.parts {
		for _, op := range o.parts[i].ops {
			if err := to.Put(op.Key, op.Value); err != nil {
				return err
			}
		}
	}
	return to.Commit()
}

// RestoreTo writes the content of a log as of an object into an empty store, which becomes no node
// of the log. Both stay the caller's. Errors: ErrNotEmpty; ErrBehind, when the log is no longer kept
// from so far back; ErrNotReached, when it ends before; or as of Open.
func RestoreTo(ctx context.Context, local store.Store, e Engine, through uint64, logger *slog.Logger) error {
	s, err := newStore(local, e, Options{Role: Reader, Logger: logger})
	if err != nil {
		return err
	}
	defer s.stop()
	id, err := identify(ctx, e, s.hiccup)
	if err != nil {
		return err
	}
	if err := local.Keys(nil, nil, func([]byte) error { return ErrNotEmpty }); err != nil {
		return err
	}
	s.at = position{Log: id}
	if err := s.restoreBefore(ctx, through); err != nil {
		return err
	}
	for s.at.Object < through {
		data, err := get(ctx, e, numbered(logPrefix, s.at.Object+1), s.hiccup)
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("%w: got object %d, want one up to %d", ErrNotReached, through, s.at.Object)
		}
		if err != nil {
			return err
		}
		if _, err := s.applyNext(ctx, data); err != nil {
			return err
		}
	}
	var b store.Batch
	b.Delete(positionKey)
	return local.Apply(&b, true)
}

// ErrNotReached is returned by RestoreTo when the log ends before what was asked for.
var ErrNotReached = errors.New("ship: the log does not reach so far")
