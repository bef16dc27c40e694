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
	f.DurationVar(&s.time, "time", 50*time.Millisecond, "how long each question is asked in each state")
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

// stages returns the states in the order in which they are reached. The first one is what the
// others are compared with.
func (s *settings) stages() []stage {
	write := func(n int) func(context.Context, *world) error {
		return func(ctx context.Context, w *world) error { return w.write(ctx, n) }
	}
	return []stage{
		{"flushed", func(ctx context.Context, w *world) error { return w.flush(ctx) }},
		{"1 write", write(1)},
		{fmt.Sprintf("%d writes", s.writes/100), write(s.writes / 100)},
		{fmt.Sprintf("%d writes", s.writes), write(s.writes)},
		{"restart", func(ctx context.Context, w *world) error { return w.restart(ctx) }},
		{"flushed again", func(ctx context.Context, w *world) error { return w.flush(ctx) }},
		{"1 deletion", func(ctx context.Context, w *world) error { return w.remove(ctx) }},
	}
}

// run measures every question in every state. Writes change what a question finds, so it is
// compared with the mean of the flushed states before and after them.
func (s *settings) run(ctx context.Context, stdout io.Writer) error {
	w, err := newWorld(ctx, s.records)
	if err != nil {
		return err
	}
	defer w.close()
	questions := slices.DeleteFunc(allQuestions(), func(q question) bool { return !strings.Contains(q.name, s.only) })
	stages := s.stages()
	took := make([][]time.Duration, len(questions))
	for _, st := range stages {
		if err := st.reach(ctx, w); err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
		runtime.GC()
		for i, q := range questions {
			median, err := s.ask(ctx, w, q)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", st.name, q.name, err)
			}
			took[i] = append(took[i], median)
		}
	}
	return s.print(stdout, questions, stages, took)
}

// warm is how often a question is asked before it is measured: the first readers of a state merge
// what those after them share.
const warm = 12

// ask returns the median time of a question.
func (s *settings) ask(ctx context.Context, w *world, q question) (time.Duration, error) {
	for range warm {
		if err := q.ask(ctx, w); err != nil {
			return 0, err
		}
	}
	var all []time.Duration
	for begin := time.Now(); len(all) < 5 || time.Since(begin) < s.time; {
		start := time.Now()
		if err := q.ask(ctx, w); err != nil {
			return 0, err
		}
		all = append(all, time.Since(start))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

// flushedAgain is the place of the second flushed state among the stages.
const flushedAgain = 5

// print writes a line for each question.
func (s *settings) print(stdout io.Writer, questions []question, stages []stage, took [][]time.Duration) error {
	fmt.Fprintf(stdout, "| question |")
	for _, st := range stages {
		fmt.Fprintf(stdout, " %s |", st.name)
	}
	fmt.Fprintf(stdout, "\n|---|%s\n", strings.Repeat("---:|", len(stages)))
	for i, q := range questions {
		before, after := took[i][0], took[i][flushedAgain]
		fmt.Fprintf(stdout, "| %s |", q.name)
		for at, t := range took[i] {
			switch at {
			case 0, flushedAgain:
				fmt.Fprintf(stdout, " %s |", short(t))
			default:
				flushed := (before + after) / 2
				if at > flushedAgain {
					flushed = after
				}
				fmt.Fprintf(stdout, " %s, %.2f× |", short(t), float64(t)/float64(flushed))
			}
		}
		fmt.Fprintln(stdout)
	}
	return nil
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
