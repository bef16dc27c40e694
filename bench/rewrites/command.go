// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package rewrites

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// settings are the flags of the command.
type settings struct {
	dir         string
	pages, size int
	batch       int
	turn, time  time.Duration
}

// contestant writes batches of pages, each to be on the disk when write returns.
type contestant interface {
	name() string
	write(numbers []int, page func(i int) []byte) error
	// begin and end surround its turn.
	begin() error
	end() error
	close() error
}

// Command measures, and writes a table to stdout. The error is one of flags, or of who takes part.
func Command(args []string, stdout, stderr io.Writer) (err error) {
	var s settings
	f := flag.NewFlagSet("rewrites", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.dir, "dir", "", "folder on the disk to be measured; default: a temporary one")
	f.IntVar(&s.pages, "pages", 16384, "pages that are rewritten")
	f.IntVar(&s.size, "size", 32<<10, "bytes of a page")
	f.IntVar(&s.batch, "batch", 100, "pages that are written as one")
	f.DurationVar(&s.turn, "turn", 2*time.Second, "time of a turn")
	f.DurationVar(&s.time, "time", time.Minute, "time in all, without preparing")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.pages < 1 || s.size < 1 || s.size > poolBytes || s.batch < 1 || s.batch > fileBytes/s.size ||
		s.turn <= 0 || s.time <= 0 {
		// a mapped file has room for one more of these
		err := fmt.Errorf("got arguments, numbers below 1, pages above %d bytes, or batches above %d", poolBytes,
			fileBytes)
		fmt.Fprintln(stderr, err)
		f.Usage()
		return err
	}
	parent := s.dir
	if s.dir, err = os.MkdirTemp(parent, "rewrites-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(s.dir)) }()
	return s.run(stdout)
}

// result is what one of them did in a turn.
type result struct {
	perSecond float64 // pages
	processor time.Duration
	batches   []time.Duration
}

// run has all take turns, in the same order each round.
func (s *settings) run(stdout io.Writer) (err error) {
	ours, err := newOurs(filepath.Join(s.dir, "uproar"))
	if err != nil {
		return err
	}
	draw := newDraw(s)
	if err := ours.prepare(draw); err != nil {
		return errors.Join(err, ours.close())
	}
	all := []contestant{newAppended(s.dir), newMapped(s.dir), newBare(s.dir), ours}
	results := make([][]result, len(all))
	for start := time.Now(); time.Since(start) < s.time && err == nil; {
		for i, c := range all {
			var r result
			one := func() { r, err = s.take(c, draw) }
			if c == contestant(ours) {
				one()
			} else {
				ours.store.Undisturbed(one)
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", c.name(), err)
				break
			}
			results[i] = append(results[i], r)
		}
	}
	for _, c := range all {
		err = errors.Join(err, c.close())
	}
	if err != nil {
		return err
	}
	return s.print(stdout, all, results)
}

// take has one take its turn.
func (s *settings) take(c contestant, draw *draw) (r result, err error) {
	if err := c.begin(); err != nil {
		return r, err
	}
	start, worked := time.Now(), processor()
	for err == nil && (len(r.batches) == 0 || time.Since(start) < s.turn) {
		draw.next()
		began := time.Now()
		err = c.write(draw.numbers, draw.page)
		r.batches = append(r.batches, time.Since(began))
	}
	took, pages := time.Since(start), len(r.batches)*s.batch
	r.perSecond, r.processor = float64(pages)/took.Seconds(), (processor()-worked)/time.Duration(pages)
	return r, errors.Join(err, c.end())
}

// print writes the table: medians of the turns, shares of the first in the same round, and the
// times of all batches.
func (s *settings) print(w io.Writer, all []contestant, results [][]result) error {
	_, err := fmt.Fprintf(w, "%-52s %9s %8s %8s %10s %10s %12s\n", "", "pages/s", "MB/s", "of disk", "batch p50", "p99",
		"processor")
	for i, c := range all {
		var rates, shares []float64
		var batches, processors []time.Duration
		for round, r := range results[i] {
			rates, shares = append(rates, r.perSecond), append(shares, r.perSecond/results[0][round].perSecond)
			batches, processors = append(batches, r.batches...), append(processors, r.processor)
		}
		rate := quantile(rates, 0.5)
		_, failed := fmt.Fprintf(w, "%-52s %9.0f %8.1f %7.0f%% %10v %10v %12v\n", c.name(), rate,
			rate*float64(s.size)/1e6, 100*quantile(shares, 0.5),
			quantile(batches, 0.5).Round(10*time.Microsecond), quantile(batches, 0.99).Round(10*time.Microsecond),
			quantile(processors, 0.5).Round(100*time.Nanosecond))
		err = errors.Join(err, failed)
	}
	return err
}

// quantile returns what the share q of the values is at most. It sorts them.
func quantile[T ~int64 | ~float64](values []T, q float64) T {
	slices.Sort(values)
	return values[min(len(values)-1, int(q*float64(len(values))))]
}

// processor returns the time that the process has had of all processors.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// poolBytes is the length of the random bytes that pages are parts of.
const poolBytes = 8 << 20

// draw draws batches: which pages, and their bytes, which nothing can compress.
type draw struct {
	numbers []int
	pages   int
	size    int
	pool    []byte
	from    []int
	random  *rand.Rand
}

func newDraw(s *settings) *draw {
	random := rand.NewChaCha8([32]byte{1})
	d := &draw{numbers: make([]int, s.batch), from: make([]int, s.batch), pages: s.pages, size: s.size,
		pool: make([]byte, poolBytes+s.size), random: rand.New(random)}
	_, _ = random.Read(d.pool) // never fails, as documented
	return d
}

// next draws a batch.
func (d *draw) next() {
	for i := range d.numbers {
		d.numbers[i], d.from[i] = d.random.IntN(d.pages), d.random.IntN(poolBytes)
	}
}

// page returns the i-th page of the batch.
func (d *draw) page(i int) []byte { return d.pool[d.from[i]:][:d.size] }
