// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package records

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// peer is what is measured: a connection to a server.
type peer interface {
	write(ctx context.Context, list []person) error
	read(ctx context.Context, keys []string) ([]map[string]string, error)
	close() error
}

// figures are what was measured of a server.
type figures struct {
	name   string
	writes []float64     // records a second, by number of connections
	read   time.Duration // the median of reading 100 records by their keys
}

// connections are how many write at a time, each in a measurement of its own.
var connections = []int{1, 4}

// measure writes as many people over each number of connections, reads some of them, and compares
// these.
func (c *recordsCommand) measure(ctx context.Context, name string, dial func() (peer, error)) (f figures, err error) {
	f.name = name
	from := 0
	for _, n := range connections {
		took, err := c.write(ctx, dial, n, from)
		if err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
		f.writes = append(f.writes, float64(c.People)/took.Seconds())
		from += c.People
	}
	p, err := dial()
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	rng := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	for begin := time.Now(); len(took) < 20 || time.Since(begin) < c.Time; {
		numbers, keys := make([]int, readAtOnce), make([]string, readAtOnce)
		for i := range keys {
			numbers[i] = rng.IntN(from)
			keys[i] = draw(numbers[i]).key
		}
		start := time.Now()
		got, err := p.read(ctx, keys)
		took = append(took, time.Since(start))
		if err == nil {
			err = equal(numbers, got)
		}
		if err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
	}
	slices.Sort(took)
	f.read = took[len(took)/2]
	return f, nil
}

const readAtOnce = 100

// write writes people over n connections at a time, and returns how long it took.
func (c *recordsCommand) write(ctx context.Context, dial func() (peer, error), n, from int) (time.Duration, error) {
	peers := make([]peer, n)
	batches := make(chan []person, c.People/c.Batch)
	for at := from; at+c.Batch <= from+c.People; at += c.Batch { // drawn before the clock starts
		batches <- people(at, c.Batch)
	}
	close(batches)
	for i := range peers {
		var err error
		if peers[i], err = dial(); err != nil {
			return 0, err
		}
		defer peers[i].close()
	}
	failed := make([]error, n)
	var all sync.WaitGroup
	start := time.Now()
	for i, p := range peers {
		all.Go(func() {
			for list := range batches {
				if failed[i] = p.write(ctx, list); failed[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(start), errors.Join(failed...)
}

// equal compares people that were read with those that were drawn.
func equal(numbers []int, got []map[string]string) error {
	if len(got) != len(numbers) {
		return fmt.Errorf("got %d records, want %d", len(got), len(numbers))
	}
	for i, n := range numbers {
		want := draw(n)
		for k, f := range fields {
			a, b := got[i][f.Name], want.values[k]
			if k == likesAt {
				a, b = sorted(a), sorted(b)
			}
			if a != b {
				return fmt.Errorf("%s of %s: got %q, want %q", f.Name, want.key, a, b)
			}
		}
	}
	return nil
}

// sorted returns texts with | between them in order, each once.
func sorted(text string) string {
	list := strings.Split(text, "|")
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "|")
}
