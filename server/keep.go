// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"log/slog"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/standing"
)

// keep keeps the standing queries of a database for as long as it takes writes, until ctx ends.
func keep(ctx context.Context, db *uproar.DB, log *slog.Logger) {
	for ctx.Err() == nil {
		if db.ReadOnly() {
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
			continue
		}
		keeping, stop := context.WithCancel(ctx)
		kept := make(chan struct{})
		go func() {
			defer close(kept)
			standing.Keep(keeping, db, log)
		}()
		for ctx.Err() == nil && !db.ReadOnly() {
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
		stop()
		<-kept
	}
}
