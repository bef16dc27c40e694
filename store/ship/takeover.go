// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/store"
)

// takeOver begins a term, unless another node comes first: it creates the next object, with the
// next epoch. Everything that was acknowledged stands in objects before it. The caller has applied
// all there are.
func (s *Store) takeOver(ctx context.Context) (won bool, err error) {
	if !s.opts.Unchecked {
		if _, err := get(ctx, s.engine, Checked, s.hiccup); errors.Is(err, store.ErrNotFound) {
			return false, ErrUnchecked
		} else if err != nil {
			return false, err
		}
	}
	o := object{kind: takeoverKind, number: s.at.Object + 1, epoch: s.at.Epoch + 1, node: s.opts.Node}
	rand.Read(o.nonce[:])
	name := numbered(logPrefix, o.number)
	before := now()
	data := o.encode(name)
	err = create(ctx, s.engine, name, data, s.hiccup)
	if _, taken := errors.AsType[*takenError](err); taken {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// A node that slept finds its end of the log where others have collected the objects.
	h, err := horizon(ctx, s.engine, s.hiccup)
	if err != nil {
		return false, err
	}
	if h > o.number {
		return false, ErrBehind
	}
	at, _, err := s.at.advance(name, &o)
	if err != nil {
		return false, err
	}
	if _, err := s.apply(nil, at, false); err != nil {
		return false, err
	}
	s.at, s.sure, s.held = at, before, false
	s.counts.made(len(data))
	s.counts.takeovers.Add(1)
	s.sight()
	s.term.Store(newTerm(&at))
	s.log.Info("leads", "object", at.Object, "epoch", at.Epoch)
	return true, nil
}

// HandOver has another node lead: this one writes what waits, releases the log, and follows. It
// returns when that is done. Errors: ErrNotLeading, ctx's, or why the term has ended otherwise.
func (s *Store) HandOver(ctx context.Context) error {
	t := s.term.Load()
	if t == nil {
		return ErrNotLeading
	}
	t.release()
	select {
	case <-t.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := *t.ended.Load(); !errors.Is(err, errReleased) {
		return err
	}
	return nil
}

// ErrNotLeading is returned by HandOver on a node that does not lead.
var ErrNotLeading = errors.New("ship: another node leads")

// errReleased is what Apply returns after HandOver.
var errReleased = fmt.Errorf("%w, as this node was asked to let it", store.ErrFenced)

// leaveTime is how long a node that is closed waits to release the log.
const leaveTime = time.Second

// leave releases the log, if that takes no longer than leaveTime.
func (s *Store) leave(t *term) {
	t.release()
	select {
	case <-t.done:
	case <-time.After(leaveTime):
	}
}

// identity is the first object of a log.
type identity struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
}

// identify returns the identity of the log on an engine, and gives it one if it has none.
func identify(ctx context.Context, e Engine, tell func(error)) (id string, err error) {
	var fresh [16]byte
	rand.Read(fresh[:])
	data, _ := json.Marshal(identity{Version: version, ID: hex.EncodeToString(fresh[:])})
	there, err := get(ctx, e, identityName, tell)
	if errors.Is(err, store.ErrNotFound) {
		err = create(ctx, e, identityName, data, tell)
		taken, ok := errors.AsType[*takenError](err)
		switch {
		case err == nil:
			there = data
		case ok:
			there, err = taken.data, nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("ship: which log this is: %w", err)
	}
	var found identity
	if err := json.Unmarshal(there, &found); err != nil || found.ID == "" {
		return "", damaged(identityName, "got %q, want the identity of a log", there[:min(len(there), 100)])
	}
	if found.Version != version {
		return "", damaged(identityName, "got version %d, want %d: try a newer release", found.Version, version)
	}
	return found.ID, nil
}

// numberOf returns the number in a name.
func numberOf(prefix, name string) (uint64, error) {
	digits, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "/")
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, damaged(name, "got a name without a number, want one after %s", prefix)
	}
	return n, nil
}
