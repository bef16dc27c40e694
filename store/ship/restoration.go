// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/uproar-db/uproar/store"
)

// RestoreTo writes the content of a log as of an object into an empty store, which becomes no node
// of the log. Both stay the caller's. Errors: store.ErrNotFound, when there is no log;
// ErrNotEmpty; ErrTrimmed, when the log is no longer kept from so far back; ErrNotReached, when it
// ends before; or as of Open.
func RestoreTo(ctx context.Context, local store.Store, e Engine, through uint64, logger *slog.Logger) error {
	n, err := newRestoration(ctx, local, e, logger)
	if err != nil {
		return err
	}
	defer n.store.stop()
	if err := n.restore(ctx, through); err != nil {
		return err
	}
	return n.detach()
}

// restoration writes the content of a log into a store that becomes no node of it.
type restoration struct{ store *Store }

// newRestoration returns one into an empty store.
func newRestoration(ctx context.Context, local store.Store, e Engine, logger *slog.Logger) (
	*restoration, error) {
	s, err := newStore(local, e, Options{Role: Reader, Logger: logger})
	if err != nil {
		return nil, err
	}
	if s.at.Log, err = s.remote.identity(ctx); err == nil {
		err = local.Keys(nil, nil, func([]byte) error { return ErrNotEmpty })
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	return &restoration{s}, nil
}

// restore makes the local store that of an object.
func (n *restoration) restore(ctx context.Context, through uint64) (err error) {
	s := n.store
	r := restorer{remote: s.remote, local: s.local, log: s.at.Log}
	if s.at, err = r.restore(ctx, through); err != nil {
		s.at.Log = r.log
		return err
	}
	for s.at.Object < through {
		data, _, err := n.next(ctx)
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
func (n *restoration) next(ctx context.Context) (data []byte, o *object, err error) {
	s := n.store
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

// detach makes the local store a store of its own.
func (n *restoration) detach() error {
	var b store.Batch
	b.Delete(positionKey)
	return n.store.local.Apply(&b, true)
}
