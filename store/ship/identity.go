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
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

// identity is the first object of a log.
type identity struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
}

// identify returns the identity of the log on an engine, and gives it one if it has none.
func (r *remote) identify(ctx context.Context) (id string, err error) {
	var fresh [16]byte
	rand.Read(fresh[:])
	data, _ := json.Marshal(identity{Version: version, ID: hex.EncodeToString(fresh[:])})
	id, err = r.identity(ctx)
	if !errors.Is(err, store.ErrNotFound) {
		return id, err
	}
	objects, err := r.names(ctx, logPrefix, "", 1)
	if err == nil && len(objects) == 0 {
		err = r.create(ctx, identityName, data)
	}
	if _, taken := errors.AsType[*takenError](err); err != nil && !taken {
		return "", fmt.Errorf("ship: which log this is: %w", err)
	}
	id, err = r.identity(ctx)
	if errors.Is(err, store.ErrNotFound) && len(objects) > 0 {
		err = damaged(identityName, "got no such object, and %s; want a whole log, or an empty place", objects[0])
	}
	return id, err
}

// identity returns the identity of the log on an engine. Errors: store.ErrNotFound when it has
// none, *DamagedError, ctx's, or the engine's.
func (r *remote) identity(ctx context.Context) (id string, err error) {
	there, err := r.get(ctx, identityName)
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

// tryWhole is what to try when a log is not what nodes have of it.
const tryWhole = "try to stop all nodes, and begin the log anew at another place with the folder of the node that has " +
	"come furthest"

// checkReach returns an error if the log has lost the object after a position, of which a node is
// about to make another: some node has had it. Errors: *DamagedError, ctx's, or *claimError.
func (r *remote) checkReach(ctx context.Context, at *position) error {
	nodes, err := r.sightings(ctx)
	if _, damaged := errors.AsType[*DamagedError](err); damaged {
		return nil // what a node says is not the log
	}
	next := numbered(logPrefix, at.Object+1)
	for _, n := range nodes {
		if err == nil && n.Object > at.Object {
			if _, err = r.get(ctx, next); errors.Is(err, store.ErrNotFound) {
				return damaged(next, "got no such object, and node %s has come to object %d; %s", n.ID, n.Object, tryWhole)
			}
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		return &claimError{err}
	}
	return err
}

// watchLog looks from time to time whether the log still has what a node has had of it, until ctx
// ends. If not, it stores why in lost: the log was removed, or is again as it was before, and
// others that begin would make another history.
func (r *remote) watchLog(ctx context.Context, every time.Duration, look func() position,
	lost *atomic.Pointer[error]) {
	for at, missed := look(), false; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		err := r.checkLog(ctx, &at)
		switch _, ok := errors.AsType[*DamagedError](err); {
		case err == nil:
			at, missed = look(), false
		case !ok: // it cannot be asked
		case !missed:
			missed = true // lists may tell later what was collected
		default:
			lost.Store(&err)
			return
		}
	}
}

// checkLog returns an error if the log is no longer the one of a position, or has lost the object
// there, or has another. Errors: *DamagedError, ctx's, or the engine's.
func (r *remote) checkLog(ctx context.Context, at *position) error {
	id, err := r.identity(ctx)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return damaged(identityName, "got no such object, want that of log %s; %s", at.Log, tryWhole)
	case err == nil && id != at.Log:
		return damaged(identityName, "got log %s, want %s; %s", id, at.Log, tryWhole)
	case err != nil || at.Object == 0:
		return err
	}
	name := numbered(logPrefix, at.Object)
	data, err := r.get(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		if h, err := r.horizon(ctx); err != nil || h > at.Object {
			return err
		}
		return damaged(name, "got no such object, want what this node has of it; %s", tryWhole)
	}
	if err != nil {
		return err
	}
	o, err := decodeObject(name, data)
	if err == nil && (o.epoch > at.Epoch || o.epoch == at.Epoch && o.nonce != at.Nonce) {
		err = damaged(name, "got epoch %d and nonce %x, want what this node has, of epoch %d and nonce %x; %s", o.epoch,
			o.nonce, at.Epoch, at.Nonce, tryWhole)
	}
	return err
}
