// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/uproar-db/uproar"
)

const (
	// pause is the least time between two rounds of an index, and pauseShare how many times the
	// time of a round it is: what keeping takes of the processor is bounded.
	pause      = 5 * time.Millisecond
	pauseShare = 3

	// tick is how often queries about the time are asked again.
	tick = 30 * time.Second

	// retry is how long a keeper waits after an error.
	retry = time.Second

	// look is how often a keeper looks for the first standing query.
	look = 100 * time.Millisecond
)

// Keep keeps the standing queries of a database current until ctx ends, which comes before the
// database is closed. One process has one keeper. What goes wrong is logged, and tried again.
func Keep(ctx context.Context, db *uproar.DB, log *slog.Logger) {
	ctx, cancel := context.WithCancel(ctx)
	var keepers sync.WaitGroup
	defer keepers.Wait()
	defer cancel()
	kept := make(map[string]bool)
	for ctx.Err() == nil {
		definitions, err := open(ctx, db, Definitions, definitionFields, false)
		if errors.Is(err, uproar.ErrUnknownIndex) {
			sleep(ctx, look)
			continue
		}
		if err != nil {
			log.Warn("standing queries are not kept", "error", err)
			sleep(ctx, retry)
			continue
		}
		s := definitions.Snapshot()
		sequence := s.Sequence()
		for row, err := range s.Rows(ctx, ofField) {
			if err == nil && !kept[row.Key] {
				kept[row.Key] = true
				keepers.Go(func() { keepIndex(ctx, db, definitions, row.Key, log) })
			}
		}
		s.Close()
		if err := definitions.Wait(ctx, sequence); err != nil {
			sleep(ctx, retry)
		}
	}
}

// keepIndex keeps the standing queries of one index.
func keepIndex(ctx context.Context, db *uproar.DB, definitions *uproar.Index, index string, log *slog.Logger) {
	for ctx.Err() == nil {
		err := func() error {
			k, err := newRounds(ctx, db, definitions, index, log)
			for err == nil {
				began := time.Now()
				if err = k.round(ctx); err == nil {
					sleep(ctx, max(pause, pauseShare*time.Since(began)))
					err = k.wait(ctx)
				}
			}
			return err
		}()
		if ctx.Err() != nil {
			return
		}
		if !errors.Is(err, uproar.ErrUnknownIndex) && !errors.Is(err, uproar.ErrClosed) { // it may come again
			log.Warn("standing queries wait", "index", index, "error", err)
		}
		sleep(ctx, retry)
	}
}

// sleep waits for some time, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
