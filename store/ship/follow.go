// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/uproar-db/uproar/store"
)

// follow applies the objects of others as they come, until this node is to lead. It returns an
// error when it cannot go on.
func (s *Store) follow() error {
	select {
	case <-s.watched:
	case <-s.stopping.Done():
		return nil
	}
	silence := s.silence()
	for {
		n, err := s.pull(s.stopping)
		if lost := s.lost.Load(); lost != nil {
			err = *lost
		}
		if err != nil {
			return err
		}
		if n > 0 {
			s.held, silence = s.held && s.at.Released, s.silence()
			continue
		}
		// There was no object just now, so the writer was silent since the last one came. If nobody
		// could ask the engine, the writer could not either, and comes first.
		silent := s.news.atLeast() > silence && s.back.atLeast() > s.opts.beat(&s.at)
		if s.opts.Role != Reader && (s.at.Released && !s.held || silent) {
			won, err := s.takeOver(s.stopping)
			if won {
				return nil
			}
			if _, ok := errors.AsType[*claimError](err); err != nil && !ok {
				return err
			}
			if err != nil && s.stopping.Err() == nil {
				s.opts.Logger.Error("cannot take over; trying again later", "error", err)
			}
			if s.news, silence = now(), s.silence(); err != nil {
				silence = s.opts.beat(&s.at)
			}
		}
		select {
		case <-s.stopping.Done():
			return nil
		case <-time.After(s.opts.Poll):
		}
	}
}

// silence returns how long this node waits for an object before it takes over: not as long as the
// others.
func (s *Store) silence() time.Duration {
	beat := s.opts.beat(&s.at)
	return missedHeartbeats*beat + rand.N(beat/2+1)
}

// catchUp applies objects until there are no more.
func (s *Store) catchUp(ctx context.Context) error {
	for {
		if n, err := s.pull(ctx); n == 0 || err != nil {
			return err
		}
	}
}

// pull applies the next objects, some at a time, and tells the watcher. It returns how many there
// were. Errors: ErrTrimmed, *DamagedError, ctx's, the local store's, or the watcher's.
func (s *Store) pull(ctx context.Context) (n int, err error) {
	before := now()
	objects, err := s.fetcher.next(ctx, s.at.Object+1)
	if before.atLeast() > s.opts.beat(&s.at) {
		s.back = now()
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return 0, err
	}
	if len(objects) == 0 {
		if gone, err := s.remote.collected(ctx, s.sure, s.opts.Keep, s.at.Object+1); gone || err != nil {
			return 0, cmp.Or(err, ErrTrimmed)
		}
		s.sure = before
		s.sight()
		return 0, nil
	}
	var kept [][]byte
	for _, data := range objects {
		next := s.at.Object + 1
		k, err := s.applyNext(ctx, data)
		if err != nil {
			return n, err
		}
		kept = append(kept, k...)
		if n++; s.at.Object != next {
			break // a checkpoint was restored
		}
	}
	s.news = now()
	select {
	case <-s.watched:
		if err := s.watcher.Applied(kept); err != nil {
			return n, err
		}
	default:
	}
	s.sight() // readers see it
	return n, nil
}

// applyNext applies the next object of the log to the local store. It returns the keys of the
// deletions that the watcher keeps.
func (s *Store) applyNext(ctx context.Context, data []byte) (kept [][]byte, err error) {
	name := numbered(logPrefix, s.at.Object+1)
	o, err := decodeObject(name, data)
	if err != nil {
		return nil, err
	}
	at, void, err := s.at.advance(name, o)
	if err != nil {
		return nil, err
	}
	keep := false
	select {
	case <-s.watched:
		keep = true
	default:
	}
	if o.start.Base && s.at.Object == 0 {
		return nil, s.restore(ctx) // the folder has nothing
	}
	batches := s.remote.batches(ctx, o)
	if void {
		batches = none
	}
	s.touched.Store(o.number)
	s.remote.counts.logged.Add(uint64(len(data)))
	if kept, err = s.apply(batches, at, keep); err != nil {
		return nil, fmt.Errorf("ship: applying object %d: %w", o.number, err)
	}
	s.at = at
	return kept, nil
}

// batches yields the batches of an object, those that it names too, one after the other.
func (r *remote) batches(ctx context.Context, o *object) iter.Seq2[[]store.Op, error] {
	return func(yield func([]store.Op, error) bool) {
		for p := range o.all() {
			ops, err := p.ops, error(nil)
			if p.attached != "" {
				ops, err = r.attachment(ctx, p.attached)
			}
			if !yield(ops, err) || err != nil {
				return
			}
		}
	}
}

// attachment returns the batch of an attachment.
func (r *remote) attachment(ctx context.Context, name string) (ops []store.Op, err error) {
	data, err := r.surelyGet(ctx, name, longLimit)
	if errors.Is(err, store.ErrNotFound) {
		return nil, damaged(name, "got no such object, want the one that the log names")
	}
	if err != nil {
		return nil, err
	}
	r.counts.logged.Add(uint64(len(data)))
	o, err := decodeObject(name, data)
	if err != nil {
		return nil, err
	}
	n := 0
	for p := range o.all() {
		if n++; o.kind != attachmentKind || n > 1 || p.attached != "" {
			return nil, damaged(name, "got batch %d of an object of kind %d, or one under another name; want an attachment "+
				"with one", n, o.kind)
		}
		ops = p.ops
	}
	if n == 0 {
		return nil, damaged(name, "got no batch, want one")
	}
	return ops, nil
}
