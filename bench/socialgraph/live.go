// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/procfs"
)

const (
	// livePeriods is how many periods of events are reported, after one as long without events.
	livePeriods = 12

	// liveWriters is how many writers share the events: at a low rate, each commit of one waits for
	// a sync of its own.
	liveWriters = 4
)

// Period is a part of the time in which questions are asked, and events written.
type Period struct {
	Seconds   float64 `json:"seconds"`
	Events    int64   `json:"events"` // single commits, each synced
	Questions int     `json:"questions"`
	P50       float64 `json:"p50"` // of a question
	P99       float64 `json:"p99"`
	Memory    int64   `json:"memory"` // anonymous, at most
	Disk      int64   `json:"disk"`   // at its end
}

// live asks questions for a while, and then while events are written.
func (b *bench) live(ctx context.Context) error {
	if b.opts.Live == 0 {
		return nil
	}
	b.opts.Phase("asking beside events")
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	each := b.opts.Live / livePeriods
	var next atomic.Uint64 // event
	var failed error
	var fail sync.Once
	var writers sync.WaitGroup
	defer writers.Wait()
	defer stop()
	c := b.opts.Network.chooser(5)
	rng := rand.New(rand.NewPCG(1, 5))
	for i := range 1 + livePeriods {
		if i == 1 && b.opts.EventRate > 0 {
			start := time.Now()
			for range liveWriters {
				writers.Go(func() {
					if err := b.writeEvents(ctx, start, &next); err != nil && ctx.Err() == nil {
						fail.Do(func() { failed = err })
						stop()
					}
				})
			}
		}
		before := next.Load()
		p, err := b.livePeriod(ctx, each, c, rng)
		if err != nil {
			stop()
			writers.Wait()
			if failed != nil {
				err = failed
			}
			return err
		}
		p.Events = int64(next.Load() - before)
		b.report.Live = append(b.report.Live, p)
		b.opts.Progress(int64(i)+1, 1+livePeriods)
	}
	return nil
}

// livePeriod asks random questions at the rate of the options.
func (b *bench) livePeriod(ctx context.Context, length time.Duration, c *chooser, rng *rand.Rand) (p Period,
	err error) {
	var times []float64
	start, tick := time.Now(), time.Second/time.Duration(max(1, b.opts.QuestionRate))
	looked := time.Time{}
	for time.Since(start) < length || len(times) == 0 {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		q := c.question(kind(rng.IntN(int(kinds))))
		at := time.Now()
		snap := b.graph.Index().Snapshot()
		if q.kind == doesFollow {
			_, err = snap.Has(graph.FollowsField, b.opts.Network.Key(q.of[0]), b.opts.Network.Key(q.of[1]))
		} else {
			_, err = snap.Keys(ctx, q.expr(&b.opts.Network), uproar.Page{Limit: 100})
		}
		snap.Close()
		if err != nil {
			return p, err
		}
		times = append(times, time.Since(at).Seconds())
		if time.Since(looked) > time.Second {
			looked = time.Now()
			p.Memory = max(p.Memory, procfs.Anonymous())
		}
		time.Sleep(time.Until(start.Add(time.Duration(len(times)) * tick)))
	}
	stats, err := b.db.Stats()
	slices.Sort(times)
	p.Seconds, p.Questions, p.Disk = time.Since(start).Seconds(), len(times), stats.Store.Total()
	p.P50, p.P99 = times[len(times)/2], times[len(times)*99/100]
	return p, err
}

// writeEvents writes every event whose turn has come, one by one, until ctx ends.
func (b *bench) writeEvents(ctx context.Context, start time.Time, next *atomic.Uint64) error {
	c := b.opts.Network.chooser(6)
	for {
		i := next.Load()
		due := start.Add(time.Duration(float64(i) / float64(b.opts.EventRate) * float64(time.Second)))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(due)):
		}
		if !next.CompareAndSwap(i, i+1) {
			continue
		}
		e := c.event(i, nil)
		var batch uproar.Batch
		if e.follow {
			batch.Set(graph.FollowsField, c.Key(e.account), c.Key(e.target))
		} else {
			batch.Clear(graph.FollowsField, c.Key(e.account), c.Key(e.target))
		}
		if _, err := b.graph.Index().Write(ctx, &batch); err != nil {
			return err
		}
	}
}
