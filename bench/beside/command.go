// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package beside measures how long questions take while others write: of the embedded database, and
// of roaring bitmaps behind a lock.
package beside

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// graph is who takes part: a store of follows among accounts 0 to n-1. Its methods but load are
// called by many goroutines at a time.
type graph interface {
	load(follows []follow) error
	write(events []follow) error                      // as one
	common(account, target int) (n uint64, err error) // how many whom account follows follow target
	finish() error                                    // until nothing is left to be done for what was written
	close() error
}

// follow says that an account follows another.
type follow struct{ account, target int }

// settings are the flags of the command.
type settings struct {
	accounts, follows, batch, writers, readers int
	delta                                      int64
	composed                                   bool
	time                                       time.Duration
}

// Command measures, and writes a table to stdout. The error is one of flags, or says that two
// answers differ.
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("beside", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&s.accounts, "accounts", 550_000, "accounts of the graph")
	f.IntVar(&s.follows, "follows", 16_400_000, "follows of the graph")
	f.IntVar(&s.batch, "batch", 100, "follows that are written as one")
	f.IntVar(&s.writers, "writers", 1, "goroutines that write without a pause")
	f.IntVar(&s.readers, "readers", 1, "goroutines that ask without a pause")
	f.Int64Var(&s.delta, "delta", 0,
		"bytes of writes that the database keeps before it flushes them; 0: what it does by itself")
	f.BoolVar(&s.composed, "query", false, "ask the database by queries that are made for each question, which "+
		"leaves work for the collector, and not by CountAnd, which allocates nothing")
	f.DurationVar(&s.time, "time", 5*time.Second,
		"how long each is measured beside writers, and alone, before and after")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.accounts < 2 || s.follows < 0 || s.batch < 1 || s.writers < 1 || s.readers < 1 ||
		s.delta < 0 || s.time <= 0 {
		err := errors.New("got arguments, or numbers that are too small")
		fmt.Fprintln(stderr, err)
		f.Usage()
		return err
	}
	return s.run(stdout)
}

// run measures all who take part on the same graph and events, and compares their answers.
func (s *settings) run(stdout io.Writer) error {
	draw := newDraw(s.accounts)
	loaded := make([]follow, s.follows)
	for i := range loaded {
		loaded[i] = draw.follow(uint64(i))
	}
	uproar, err := newUproar(s.accounts, s.delta, s.composed)
	if err != nil {
		return err
	}
	contestants := []struct {
		name string
		graph
	}{{"Uproar", uproar}, {"roaring behind sync.RWMutex", newLocked(s.accounts)}}
	fmt.Fprintf(stdout, "%-28s %12s %12s %12s %12s %12s %9s %14s\n", "", "alone, p50", "p99", "beside, p50", "p99",
		"p99.9", "p99 ratio", "events/s")
	var answers [][]uint64
	for _, c := range contestants {
		answer, err := s.measure(stdout, c.name, c.graph, loaded, draw)
		if err = errors.Join(err, c.close()); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		answers = append(answers, answer)
	}
	if !slices.Equal(answers[0], answers[1]) {
		return fmt.Errorf("the answers differ: %v and %v", answers[0], answers[1])
	}
	return nil
}

// measure loads the graph, compares, and asks alone, beside writers, and alone again: the graph
// grows by what they write, and machines drift, so that what is compared with is the questions
// before and after together. The answers are those before writing.
func (s *settings) measure(stdout io.Writer, name string, g graph, loaded []follow, draw *draw) (answers []uint64,
	err error) {
	if err := g.load(loaded); err != nil {
		return nil, err
	}
	for i := range 100 {
		q := draw.follow(uint64(1<<40 + i))
		n, err := g.common(q.account, q.target)
		if err != nil {
			return nil, err
		}
		answers = append(answers, n)
	}
	alone, err := s.askAlone(g, draw)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.time)
	defer cancel()
	var writers sync.WaitGroup
	var next atomic.Uint64
	next.Store(uint64(len(loaded)))
	failures := make([]error, s.writers)
	for w := range s.writers {
		writers.Go(func() {
			events := make([]follow, s.batch)
			for ctx.Err() == nil {
				first := next.Add(uint64(s.batch)) - uint64(s.batch)
				for i := range events {
					events[i] = draw.follow(first + uint64(i))
				}
				if failures[w] = g.write(events); failures[w] != nil {
					return
				}
			}
		})
	}
	beside, err := s.ask(ctx, g, draw)
	writers.Wait()
	if err = errors.Join(append(failures, err)...); err != nil {
		return nil, err
	}
	again, err := s.askAlone(g, draw)
	if err != nil {
		return nil, err
	}
	alone = append(alone, again...)
	slices.Sort(alone)
	written := float64(next.Load()-uint64(len(loaded))) / s.time.Seconds()
	p99 := quantile(beside, 0.99)
	_, err = fmt.Fprintf(stdout, "%-28s %12v %12v %12v %12v %12v %8.1f× %14.0f\n", name, quantile(alone, 0.5),
		quantile(alone, 0.99), quantile(beside, 0.5), p99,
		quantile(beside, 0.999), float64(p99)/float64(quantile(alone, 0.99)), written)
	return answers, err
}

// askAlone has the readers ask while nothing else is done.
func (s *settings) askAlone(g graph, draw *draw) ([]time.Duration, error) {
	if err := g.finish(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.time)
	defer cancel()
	return s.ask(ctx, g, draw)
}

// ask has the readers ask until ctx ends, and returns how long each question took, ascending.
func (s *settings) ask(ctx context.Context, g graph, draw *draw) (took []time.Duration, err error) {
	var readers sync.WaitGroup
	var mu sync.Mutex
	for r := range s.readers {
		readers.Go(func() {
			var mine []time.Duration
			var failure error
			for i := uint64(r) << 32; ctx.Err() == nil && failure == nil; i++ {
				q := draw.follow(1<<50 + i)
				start := time.Now()
				_, failure = g.common(q.account, q.target)
				mine = append(mine, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			took, err = append(took, mine...), errors.Join(err, failure)
		})
	}
	readers.Wait()
	slices.Sort(took)
	return took, err
}

// quantile returns what the share q of ascending durations is at most.
func quantile(took []time.Duration, q float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	return took[min(len(took)-1, int(q*float64(len(took))))]
}
