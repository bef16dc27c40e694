// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

// Options are how a Follower works. The zero value is for use.
type Options struct {
	Window  time.Duration // the longest that an event waits for others of its commit; 0: 10 ms
	Group   int           // the most events of a commit; 0: 5000
	Queue   int           // events that may wait; then the source waits; 0: 8192
	Backoff time.Duration // the longest wait before connecting again; 0: 30 s
	Logger  *slog.Logger  // nil: nothing is said
	FromNow bool          // the first connection does not go on where the graph is

	// SyncQuiet says after how long without another record those that come after a #sync are all
	// there. Where none comes at all, it takes ten times as long. 0: 1 minute.
	SyncQuiet time.Duration

	// Repairs fetch accounts anew of which a source may have lost deletions.
	Repairs     int           // so many at a time; 0: 64
	PerHost     int           // of them, of one host; 0: 8
	RepairQueue int           // accounts that wait in memory, others in the graph; 0: 8192, the most 10 000
	RepairBytes int64         // that they take meanwhile, all; 0: 512 MiB. Then the largest one fails
	Quiet       time.Duration // nothing has come of an account so long before one begins; 0: 3 s
	Patience    time.Duration // a repair for which nothing is fetched so long has failed; 0: 10 minutes
}

// Follower writes the events of a source to a sink.
type Follower struct {
	sink    Sink
	source  Source
	opts    Options
	rules   *rules
	figures figures
	answers chan repaired
	asking  sync.WaitGroup
	wrote   time.Time
	floor   int64 // of the #syncs whose records still come, as it stands in the graph
	floorAt time.Time
}

// New returns a follower. Run starts it.
func New(sink Sink, source Source, opts Options) *Follower {
	opts.Window = cmp.Or(opts.Window, 10*time.Millisecond)
	opts.Group = cmp.Or(opts.Group, 5000)
	opts.Queue = cmp.Or(opts.Queue, 8192)
	opts.Quiet = cmp.Or(opts.Quiet, 3*time.Second)
	opts.SyncQuiet = cmp.Or(opts.SyncQuiet, time.Minute)
	opts.Repairs = cmp.Or(opts.Repairs, 64)
	opts.PerHost = cmp.Or(opts.PerHost, 8)
	opts.RepairQueue = min(cmp.Or(opts.RepairQueue, 8192), 10_000) // a page of a server's
	opts.RepairBytes = cmp.Or(opts.RepairBytes, 512<<20)
	opts.Patience = cmp.Or(opts.Patience, 10*time.Minute)
	opts.Backoff = cmp.Or(opts.Backoff, 30*time.Second)
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	f := &Follower{sink: sink, source: source, opts: opts, answers: make(chan repaired, opts.Repairs)}
	f.rules = newRules(sink, source, &f.opts, &f.figures)
	return f
}

// Figures returns what was done so far. Safe for concurrent use.
func (f *Follower) Figures() Figures { return f.figures.read() }

// Run follows the source until ctx is done, and then returns ctx's error. It connects again after
// errors that another attempt may mend. The others are *GapError, *FatalError, and those of the
// sink. It is called once.
func (f *Follower) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer f.asking.Wait()
	defer cancel()
	const shortest = 50 * time.Millisecond
	wait := shortest
	for {
		before := f.figures.events.Load()
		err := f.connect(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if sink := (*sinkError)(nil); errors.As(err, &sink) {
			return sink.error
		}
		if errors.As(err, new(*GapError)) || errors.As(err, new(*FatalError)) {
			return err
		}
		if f.figures.events.Load() > before {
			wait = shortest
		}
		f.opts.Logger.Warn("the connection ended", "source", f.source.Name(), "error", err, "again", wait)
		select {
		case <-ctx.Done():
		case <-time.After(wait/2 + rand.N(wait/2)):
		}
		wait = min(2*wait, max(f.opts.Backoff, shortest))
	}
}

// sinkError is an error of the sink, which ends Run.
type sinkError struct{ error }

func (e *sinkError) Unwrap() error { return e.error }

// connect follows one connection to its end.
func (f *Follower) connect(ctx context.Context) error {
	position, ok, err := f.sink.Position(f.source.Name())
	if err != nil {
		return &sinkError{err}
	}
	f.figures.position.Store(position)
	held, from, err := f.held(ctx, position)
	if err != nil {
		return &sinkError{err}
	}
	resume := ok && (!f.opts.FromNow || f.figures.connections.Load() > 0)
	s, err := f.source.Connect(ctx, from, resume)
	if err != nil {
		return err
	}
	f.figures.connections.Add(1)
	f.opts.Logger.Info("connected", "source", f.source.Name(), "position", position)
	ctx, cancel := context.WithCancel(ctx)
	n := newReceiver(s, f.opts.Queue)
	var reading sync.WaitGroup
	reading.Go(func() { n.read(ctx) })
	defer reading.Wait()
	defer s.Close()
	defer cancel()
	f.rules.begin()
	if f.rules.resume(held, position); !resume {
		f.rules.resumed()
	}
	return f.follow(ctx, s, n)
}

// follow commits what a connection delivers, until it ends.
func (f *Follower) follow(ctx context.Context, s Stream, n *receiver) error {
	tick := time.NewTicker(min(f.opts.Quiet/4, f.opts.SyncQuiet/4, time.Second))
	defer tick.Stop()
	for {
		var err error
		ended, due := false, false
		select {
		case <-ctx.Done():
			return ctx.Err()
		case first, ok := <-n.queue:
			if ended = !ok; ok {
				ended, err = f.gather(ctx, n, first)
			}
		case a := <-f.answers:
			err = f.rules.repaired(ctx, a, n.clock())
			due = a.about == where
		case <-tick.C:
			err = f.rules.releaseQuiet(ctx, n.clock())
			due = true
		}
		if err != nil {
			return &sinkError{err}
		}
		if err := f.commit(ctx, s, n); err != nil {
			return err
		}
		if ended {
			return n.err
		}
		if due { // after the commit: what is to be fetched stands in the graph before it is
			err = f.repair(ctx, n)
		}
		if err != nil {
			return &sinkError{err}
		}
	}
}

// gather takes events for one commit. It reports whether they are the last of the connection.
func (f *Follower) gather(ctx context.Context, n *receiver, first received) (ended bool, err error) {
	over := time.NewTimer(f.opts.Window)
	defer over.Stop()
	next := first
	for count := 1; ; count++ {
		f.figures.events.Add(1)
		if err := f.rules.add(ctx, &next.event, next.at); err != nil {
			return false, err
		}
		if !next.event.Time.IsZero() {
			n.latest = next.event.Time
		}
		n.now = next.at
		if count == f.opts.Group {
			return false, nil
		}
		var ok bool
		select {
		case next, ok = <-n.queue:
			if !ok {
				return true, nil
			}
		case <-over.C:
			return false, nil
		case <-ctx.Done():
			return false, nil
		}
	}
}

// positionEvery is how often a position is written that has no changes with it.
const positionEvery = time.Second

// commit writes the changes that were gathered, and acknowledges their events.
func (f *Follower) commit(ctx context.Context, s Stream, n *receiver) error {
	moved := f.rules.position != 0 && f.rules.position != f.figures.position.Load()
	if len(f.rules.changes) > 0 || moved && time.Since(f.wrote) >= positionEvery {
		if err := f.writeFloor(ctx, f.rules.inGraph == 0); err != nil {
			return err
		}
		c, ids := f.rules.take()
		if _, err := f.sink.Write(ctx, c); err != nil {
			return &sinkError{err}
		}
		f.rules.committed()
		if err := f.writeFloor(ctx, time.Since(f.floorAt) >= floorEvery); err != nil {
			return err
		}
		f.wrote = time.Now()
		f.figures.commits.Add(1)
		f.figures.changes.Add(int64(len(c.List)))
		if c.Stream != "" {
			f.figures.position.Store(c.Position)
		}
		f.rules.ids = ids
	}
	if !n.latest.IsZero() {
		f.figures.lag.Store(int64(time.Since(n.latest)))
		n.latest = time.Time{} // a source that is quiet is not behind
	}
	ids := f.rules.ids
	f.rules.ids = nil
	if len(ids) == 0 {
		return nil
	}
	return s.Ack(ctx, ids)
}

// repair has the source asked about accounts that are to be fetched anew.
func (f *Follower) repair(ctx context.Context, n *receiver) error {
	source, ok := f.source.(Refetcher)
	if !ok {
		return nil
	}
	if err := f.rules.fillQueue(ctx); err != nil {
		return err
	}
	f.rules.repair(n.clock(), func(p *repair, account string, about question) {
		f.asking.Go(func() {
			a := repaired{account: account, of: p, about: about}
			switch about {
			case where:
				a.host, a.err = source.Host(ctx, account)
			case fetch:
				a.err = source.Refetch(ctx, account)
			case howFar:
				a.fetched, a.err = source.Fetched(ctx, account)
			}
			f.answers <- a
		})
	})
	return nil
}

// received is an event, and when it came.
type received struct {
	event Event
	at    time.Duration
}
