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
	"github.com/uproar-db/uproar/query"
)

const (
	// pause is the least time between two rounds of an index, and pauseShare how many times as long
	// as a round asks it is, up to longestPause: what keeping takes of the processor is bounded
	// (BenchmarkWritesBesideQueries). Waiting for the disk, while results are written, leaves the
	// processor to writers: a pause for that would leave the keeper behind them.
	pause        = 5 * time.Millisecond
	pauseShare   = 3
	longestPause = 2 * time.Second

	// tick is how often queries about the time are asked again.
	tick = 30 * time.Second

	// retry is how long a keeper waits after an error.
	retry = time.Second

	// look is how often a keeper looks for the first standing query.
	look = 100 * time.Millisecond

	// dropLook is how often a keeper looks for results of indexes that are gone.
	dropLook = 10 * time.Second
)

// Keep keeps the standing queries of a database current until ctx ends, which comes before the
// database is closed. If another Keep does so, it waits, and takes over when that one ends. What
// goes wrong is logged, and tried again.
func Keep(ctx context.Context, db *uproar.DB, log *slog.Logger) {
	giveBack, ok := keeping.take(ctx, db)
	if !ok {
		return
	}
	defer giveBack()
	ctx, cancel := context.WithCancel(ctx)
	var keepers sync.WaitGroup
	defer keepers.Wait()
	defer cancel()
	kept := new(sync.Map) // indexes that a goroutine keeps, by name
	for ctx.Err() == nil {
		dropLeft(ctx, db, log)
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
		for row, unread := range s.Rows(ctx, ofField) {
			if err = unread; err != nil {
				break
			}
			if _, is := kept.LoadOrStore(row.Key, true); !is {
				keepers.Go(func() {
					defer kept.Delete(row.Key)
					keepIndex(ctx, db, definitions, row.Key, log)
				})
			}
		}
		s.Close()
		if err == nil {
			waiting, stop := context.WithTimeout(ctx, dropLook)
			if err = definitions.Wait(waiting, sequence); waiting.Err() != nil {
				err = nil
			}
			stop()
		} else if ctx.Err() == nil {
			log.Warn("not all standing queries are kept", "error", err)
		}
		if err != nil {
			sleep(ctx, retry)
		}
	}
}

// dropLeft drops the results of queries of indexes that are gone.
func dropLeft(ctx context.Context, db *uproar.DB, log *slog.Logger) {
	for _, name := range db.Indexes() {
		if !IsLeft(db, name) {
			continue
		}
		if err := db.DropIndex(ctx, name); err != nil && ctx.Err() == nil && !errors.Is(err, uproar.ErrUnknownIndex) {
			log.Warn("the results of standing queries of an index that is gone are left", "index", name, "error", err)
		}
	}
}

// end ends the standing queries of an index that is gone, with their results. It reports false if
// the index is there again.
func end(ctx context.Context, db *uproar.DB, definitions *uproar.Index, index string) (gone bool, err error) {
	_, err = definitions.Update(ctx, func(s uproar.Snapshot, b *uproar.Batch) error {
		if _, err := db.Index(index); !errors.Is(err, uproar.ErrUnknownIndex) {
			gone = false
			return err
		}
		gone = true
		keys, err := s.Keys(ctx, query.Equal{Field: ofField, Value: index}, uproar.Page{})
		for _, key := range keys.Keys {
			b.DeleteRecord(key)
		}
		return err
	})
	return gone, err
}

// keepIndex keeps the standing queries of one index, until it is gone.
func keepIndex(ctx context.Context, db *uproar.DB, definitions *uproar.Index, index string, log *slog.Logger) {
	for ctx.Err() == nil {
		err := func() error {
			k, err := newRounds(ctx, db, definitions, index, log)
			if k != nil {
				defer k.close()
			}
			for err == nil {
				if err = k.round(ctx); err == nil {
					sleep(ctx, min(max(pause, pauseShare*k.asking), longestPause))
					err = k.wait(ctx)
				}
			}
			return err
		}()
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errMoved) {
			continue
		}
		if errors.Is(err, uproar.ErrUnknownIndex) || errors.Is(err, uproar.ErrClosed) {
			var gone bool
			if gone, err = end(ctx, db, definitions, index); err == nil && gone {
				dropLeft(ctx, db, log)
				return
			}
			if err == nil { // it was closed, and is another one now
				sleep(ctx, look)
				continue
			}
		}
		if ctx.Err() == nil && !errors.Is(err, uproar.ErrClosed) {
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
