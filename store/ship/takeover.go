// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/store"
)

// takeOver begins a term, unless another node comes first: it creates the next object, with the
// next epoch. Everything that was acknowledged stands in objects before it. The caller has applied
// all there are.
func (s *Store) takeOver(ctx context.Context) (won bool, err error) {
	if !s.at.Released {
		if err := s.remote.checkReach(ctx, &s.at); err != nil {
			return false, err
		}
	}
	o := object{kind: takeoverKind, number: s.at.Object + 1, epoch: s.at.Epoch + 1, start: startOf(&s.opts)}
	rand.Read(o.nonce[:])
	name := numbered(logPrefix, o.number)
	before := now()
	err = s.claim(ctx, &o)
	if _, taken := errors.AsType[*takenError](err); taken {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if gone, err := s.remote.collected(ctx, s.sure, s.opts.Keep, o.number); gone || err != nil {
		return false, cmp.Or(err, ErrTrimmed)
	}
	at, _, err := s.at.advance(name, &o)
	if err != nil {
		return false, err
	}
	s.touched.Store(at.Object)
	if _, err := s.apply(none, at, false); err != nil {
		return false, err
	}
	s.at, s.sure, s.held = at, before, false
	s.remote.counts.takeovers.Add(1)
	s.sight()
	s.term.Store(newTerm(&at))
	s.opts.Logger.Info("leads", "object", at.Object, "epoch", at.Epoch)
	return true, nil
}

// startOf is what a node says when it begins a term.
func startOf(o *Options) start { return start{Node: o.Node, Keep: o.Keep, Heartbeat: o.Heartbeat} }

// claim creates the object of a takeover. Errors: *takenError, ctx's, or *claimError.
func (s *Store) claim(ctx context.Context, o *object) error {
	if !s.opts.Unchecked {
		_, err := s.remote.get(ctx, Checked)
		if errors.Is(err, store.ErrNotFound) {
			err = ErrUnchecked
		}
		if err != nil {
			return &claimError{err}
		}
	}
	name := numbered(logPrefix, o.number)
	err := s.remote.create(ctx, name, o.encode(name))
	if _, taken := errors.AsType[*takenError](err); err == nil || taken || ctx.Err() != nil {
		return err
	}
	return &claimError{err}
}

// HandOver has another node lead: this one writes what waits, releases the log, and follows. It
// returns when that is done. When ctx ends before, this node goes on to lead, unless the object
// that releases the log is under way. Errors: ErrNotLeading, ctx's, or why the term has ended
// otherwise.
func (s *Store) HandOver(ctx context.Context) error {
	t := s.term.Load()
	if t == nil {
		return ErrNotLeading
	}
	t.release()
	select {
	case <-t.done:
	case <-ctx.Done():
		if s.closed.Load() || !t.stay() {
			return fmt.Errorf("%w: the log may still be released", ctx.Err())
		}
		return ctx.Err()
	}
	if err := *t.ended.Load(); !errors.Is(err, errReleased) {
		return err
	}
	return nil
}

// leave releases the log, if that takes no longer than leaveTime.
func (s *Store) leave(t *term) {
	t.release()
	select {
	case <-t.done:
	case <-time.After(leaveTime):
	}
}
