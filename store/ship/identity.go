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
