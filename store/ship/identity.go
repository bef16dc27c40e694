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
	there, err := r.get(ctx, identityName)
	if errors.Is(err, store.ErrNotFound) {
		err = r.create(ctx, identityName, data)
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
