// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package unflushed measures what writes that are not in pages yet cost the questions that are
// asked after them.
package unflushed

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// settings are the flags of the command.
type settings struct {
	records int
	writes  int
	time    time.Duration
	only    string
}

// Command measures, and writes a table to stdout. The error is one of flags or of a question.
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("unflushed", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&s.records, "records", 200_000, "records of each index, at least 40 000")
	f.IntVar(&s.writes, "writes", 20_000,
		"the largest number of writes to each index; a hundredth of it is measured as well")
	f.DurationVar(&s.time, "time", 50*time.Millisecond, "how long each question is asked in each state, flushed and not")
	f.StringVar(&s.only, "only", "", "measure only the questions whose names contain this")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.records < 40_000 || s.writes < 100 || s.time <= 0 {
		err := errors.New("got arguments, too few records or writes, or no time")
		fmt.Fprintln(stderr, err)
		f.Usage()
		return err
	}
	return s.run(context.Background(), stdout)
}

// stage is a state of the database: its name, and what brings it about.
type stage struct {
	name  string
	reach func(context.Context, *world) error
}

// stages returns the states in the order in which they are reached.
func (s *settings) stages() []stage {
	write := func(n int) func(context.Context, *world) error {
		return func(ctx context.Context, w *world) error { return w.write(ctx, n) }
	}
	return []stage{
		{"1 write", write(1)},
		{fmt.Sprintf("%d writes", s.writes/100), write(s.writes / 100)},
		{fmt.Sprintf("%d writes", s.writes), write(s.writes)},
		{"restart", func(ctx context.Context, w *world) error { return w.restart(ctx) }},
		{"1 deletion, all else flushed", func(ctx context.Context, w *world) error {
			return errors.Join(w.flush(ctx), w.remove(ctx))
		}},
	}
}

// run measures every question in every state, beside a second database that has the same writes,
// flushed.
func (s *settings) run(ctx context.Context, stdout io.Writer) error {
	w, err := newWorld(ctx, s.records)
	if err != nil {
		return err
	}
	defer w.close()
	flushed, err := newWorld(ctx, s.records)
	if err != nil {
		return err
	}
	defer flushed.close()
	if err := errors.Join(w.flush(ctx), flushed.flush(ctx)); err != nil {
		return err
	}
	questions := slices.DeleteFunc(allQuestions(), func(q question) bool { return !strings.Contains(q.name, s.only) })
	stages := s.stages()
	costs := make([][]cost, len(questions))
	for _, st := range stages {
		if err := errors.Join(st.reach(ctx, w), st.reach(ctx, flushed), flushed.flush(ctx)); err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
		runtime.GC()
		for i, q := range questions {
			c, err := s.compare(ctx, q, w, flushed)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", st.name, q.name, err)
			}
			costs[i] = append(costs[i], c)
		}
	}
	printTable(stdout, questions, stages, costs)
	return nil
}

// cost is what a question takes: flushed, and how many times that with writes that are not.
type cost struct {
	flushed time.Duration
	ratio   float64
}

// turns is how often each of two databases is asked in turn. A processor's clock may wander by
// half within seconds; the two of a turn see the same.
const turns = 9

// compare returns the medians over turns.
func (s *settings) compare(ctx context.Context, q question, w, flushed *world) (cost, error) {
	// The first readers of a state merge what those after them share.
	for range 12 {
		if err := errors.Join(q.ask(ctx, w), q.ask(ctx, flushed)); err != nil {
			return cost{}, err
		}
	}
	var times []time.Duration
	var ratios []float64
	for range turns {
		a, err := s.ask(ctx, w, q)
		if err != nil {
			return cost{}, err
		}
		b, err := s.ask(ctx, flushed, q)
		if err != nil {
			return cost{}, err
		}
		times, ratios = append(times, b), append(ratios, float64(a)/float64(b))
	}
	slices.Sort(times)
	slices.Sort(ratios)
	return cost{times[turns/2], ratios[turns/2]}, nil
}

// ask returns the median time of a question in one turn.
func (s *settings) ask(ctx context.Context, w *world, q question) (time.Duration, error) {
	var all []time.Duration
	for begin := time.Now(); len(all) < 3 || time.Since(begin) < s.time/turns; {
		start := time.Now()
		if err := q.ask(ctx, w); err != nil {
			return 0, err
		}
		all = append(all, time.Since(start))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

// printTable writes a line for each question, with the time that it takes flushed at first.
func printTable(stdout io.Writer, questions []question, stages []stage, costs [][]cost) {
	fmt.Fprintf(stdout, "| question | flushed |")
	for _, st := range stages {
		fmt.Fprintf(stdout, " %s |", st.name)
	}
	fmt.Fprintf(stdout, "\n|---|---:|%s\n", strings.Repeat("---:|", len(stages)))
	for i, q := range questions {
		fmt.Fprintf(stdout, "| %s | %s |", q.name, short(costs[i][0].flushed))
		for _, c := range costs[i] {
			fmt.Fprintf(stdout, " %.2f× |", c.ratio)
		}
		fmt.Fprintln(stdout)
	}
}

// short returns a time with three digits.
func short(t time.Duration) string {
	us := float64(t) / 1e3
	switch {
	case us < 10:
		return fmt.Sprintf("%.2f µs", us)
	case us < 100:
		return fmt.Sprintf("%.1f µs", us)
	case us < 10_000:
		return fmt.Sprintf("%.0f µs", us)
	}
	return fmt.Sprintf("%.1f ms", us/1e3)
}
