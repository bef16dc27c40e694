// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package unions measures questions of many values: "in" of a set field, a single-valued field, an
// integer field and a relation, and a disjunction as text. Beside it, RoaringBitmap/roaring makes
// the same unions of its bitmaps in memory.
package unions

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"
)

// settings are the flags of the command.
type settings struct {
	records, values, each int
	memory                int64
	rounds                int
}

// Command measures, and writes a table to stdout. The error is one of flags, or of a count that
// differs.
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("unions", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&s.records, "records", 200_000, "records")
	f.IntVar(&s.values, "values", 100_000, "values that each field has")
	f.IntVar(&s.each, "each", 8, "values of a record in the set field, and whom it follows")
	f.Int64Var(&s.memory, "memory", 256<<20, "memory of the database, in bytes")
	f.IntVar(&s.rounds, "rounds", 3, "how often each question is asked; the median counts")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.records < 1 || s.values < 1 || s.each < 1 || s.rounds < 1 || s.memory < 1<<20 {
		err := errors.New("got arguments, or numbers below 1")
		fmt.Fprintln(stderr, err)
		f.Usage()
		return err
	}
	ctx := context.Background()
	d, p, err := s.build(ctx)
	if err != nil {
		return err
	}
	defer d.db.Close()
	fmt.Fprintf(stdout, "%d records, %d values a field, %d processors, --memory %d MiB\n", s.records, s.values,
		runtime.GOMAXPROCS(0), s.memory>>20)
	const row = "%-34s %7v %8v %10v %11v %10v %11v %6v\n"
	fmt.Fprintf(stdout, row, "question", "values", "records", "time", "allocated", "roaring", "allocated", "ratio")
	for _, q := range questions {
		for n := 100; n <= min(s.values, 100_000); n *= 10 {
			values := pick(n, s.values)
			ours, count, err := s.measure(func() (uint64, error) { return q.ours(ctx, d, values) })
			if err != nil {
				return err
			}
			peers, want, err := s.measure(func() (uint64, error) { return q.peer(p, values), nil })
			if err != nil {
				return err
			}
			if count != want {
				return fmt.Errorf("%s: got %d records of %d values, roaring has %d", q.name, count, n, want)
			}
			ratio := fmt.Sprintf("%.2f", float64(ours.took)/float64(peers.took))
			fmt.Fprintf(stdout, row, q.name, n, count, round(ours.took), size(ours.bytes), round(peers.took),
				size(peers.bytes), ratio)
		}
	}
	return nil
}

// pick returns n of the values, spread evenly over all.
func pick(n, of int) []int {
	values := make([]int, n)
	for i := range values {
		values[i] = int(int64(i) * int64(of) / int64(n))
	}
	return values
}

// cost is what a question takes.
type cost struct {
	took  time.Duration // the median
	bytes uint64        // allocated, at least
}

// measure asks a question several times.
func (s *settings) measure(ask func() (uint64, error)) (c cost, count uint64, err error) {
	var took []time.Duration
	for i := range s.rounds + 1 {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		if count, err = ask(); err != nil {
			return c, 0, err
		}
		elapsed := time.Since(start)
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; i == 0 || bytes < c.bytes {
			c.bytes = bytes
		}
		if i > 0 { // the first one warms the cache
			took = append(took, elapsed)
		}
	}
	slices.Sort(took)
	c.took = took[len(took)/2]
	return c, count, nil
}

func round(d time.Duration) time.Duration {
	if d > time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(100 * time.Nanosecond)
}

func size(bytes uint64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }
