// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"time"

	"github.com/uproar-db/uproar/apps/graph"
)

// held returns the accounts whose records came anew when the last connection ended, and where the
// next one begins.
func (f *Follower) held(ctx context.Context, position int64) (accounts []string, from int64, err error) {
	if f.rules.acks {
		return nil, position, nil
	}
	name := heldList(f.source.Name())
	if accounts, err = f.sink.Targets(ctx, graph.Members, name, 0); err != nil || len(accounts) == 0 {
		return nil, position, err
	}
	floor, ok, err := f.sink.Position(name)
	if !ok || err != nil {
		return accounts, position, err
	}
	f.floor = floor
	return accounts, min(floor, position), nil
}

// floorEvery is how often the position is written of the first #sync whose records still come.
const floorEvery = 10 * time.Second

// writeFloor writes the position of the first #sync whose records still come, if it is due: before
// the first account is held in the graph, and now and then. A lower one than need be does no harm.
func (f *Follower) writeFloor(ctx context.Context, due bool) error {
	if !due || len(f.rules.held) == 0 || f.rules.resuming != nil {
		return nil
	}
	floor := f.rules.floor()
	if floor == f.floor {
		return nil
	}
	c := graph.Changes{Stream: heldList(f.source.Name()), Position: floor}
	if _, err := f.sink.Write(ctx, c); err != nil {
		return &sinkError{err}
	}
	f.floor, f.floorAt = floor, time.Now()
	return nil
}
