// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/library"
	"github.com/uproar-db/uproar/bench/population"
)

// settings are the flags of the command.
type settings struct {
	people   int
	seed     uint64
	memory   int64
	warm     time.Duration
	slot     time.Duration
	with     string
	python   string
	markdown bool
	chart    string
	cpu      bool
}

// contestants returns everybody who takes part, ours first.
func (s *settings) contestants() []contestant {
	return []contestant{
		newOurs(uproar.FastColumn, s.memory),
		newOurs(uproar.SmallColumn, s.memory),
		&frozen{},
		&engine{label: "DuckDB", what: "duckdb", python: s.python, cpu: s.cpu},
		&engine{label: "ClickHouse", what: "clickhouse", python: s.python, cpu: s.cpu},
	}
}

// Command measures, and writes tables to stdout. The error is one of flags, or says that two
// answers differ. Peers that are not installed are said to be missing.
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("audience", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&s.people, "people", 1_000_000, "people of the population")
	f.Uint64Var(&s.seed, "seed", 1, "the same seed makes the same population")
	f.Int64Var(&s.memory, "memory", 1<<30, "memory of the database, in bytes")
	f.DurationVar(&s.warm, "warm", 5*time.Second,
		"how long each contestant is asked everything in turn before anything is measured")
	f.DurationVar(&s.slot, "time", 200*time.Millisecond,
		"how long each cell is measured, of which the median counts; at least three times")
	f.StringVar(&s.with, "with", "", "only contestants whose name matches this regular `expression`")
	f.StringVar(&s.python, "python", cmp.Or(os.Getenv("UPROAR_PYTHON"), "python3"),
		"`interpreter` that has the packages duckdb, numpy and chdb")
	f.BoolVar(&s.cpu, "cpu", false,
		"time what runs in one thread by processor time instead of the wall: for a machine that is busy")
	f.BoolVar(&s.markdown, "markdown", false, "write the tables as Markdown")
	f.StringVar(&s.chart, "chart", "", "also write the figures of one thread as `NAME`.json, and draw NAME.svg")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.people < 1000 || s.memory < 64<<20 || s.warm < 0 || s.slot < 0 {
		return fmt.Errorf(
			"audience: want flags only, at least 1000 people, 64 MiB of memory and no time below 0; got %q", args)
	}
	return s.run(stdout, stderr)
}

func (s *settings) run(stdout, stderr io.Writer) (err error) {
	with, err := regexp.Compile(s.with)
	if err != nil {
		return err
	}
	p := population.NewPopulation(s.people, s.seed)
	b := &board{markdown: s.markdown, answers: make(map[cell][]row)}
	for _, c := range s.contestants() {
		if !with.MatchString(c.name()) {
			continue
		}
		if err := s.measure(c, p, b, stderr); errors.Is(err, errMissing) {
			b.missing = append(b.missing, fmt.Sprintf("%s is missing: %v", c.name(), err))
		} else if err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
	}
	if err := b.write(stdout); err != nil || s.chart == "" {
		return err
	}
	return b.draw().Write(s.chart)
}

// measure loads the population and asks one contestant everything.
func (s *settings) measure(c contestant, p *population.Population, b *board, stderr io.Writer) (err error) {
	defer func() { err = errors.Join(err, c.close()) }()
	start := time.Now()
	if err := c.load(p); err != nil {
		return err
	}
	took := time.Since(start)
	if e, ok := c.(*engine); ok {
		took = time.Duration(e.took * float64(time.Second))
	}
	bytes, err := c.disk()
	if err != nil {
		return err
	}
	b.loads = append(b.loads, loaded{c.name(), took, bytes})
	for audience := range population.Audiences() {
		if err := c.keep(audience); err != nil {
			return err
		}
	}
	if err := s.warmUp(c); err != nil {
		return err
	}
	for audience := range population.Audiences() {
		for _, q := range questions {
			for _, whole := range []bool{false, true} {
				if whole && (q == size || q == postalCodes || q == cities) {
					continue
				}
				for _, threads := range c.threads() {
					if err := s.cell(c, cell{c.name(), threads, audience, q, whole}, b); err != nil {
						return err
					}
				}
			}
		}
	}
	fmt.Fprintf(stderr, "%s: %.0f s\n", c.name(), time.Since(start).Seconds())
	return nil
}

// warmUp asks a contestant everything in turn, as long as it is to: caches are full then, and what
// is done beside questions when they are, is done.
func (s *settings) warmUp(c contestant) error {
	for start := time.Now(); ; {
		for audience := range population.Audiences() {
			for _, q := range questions {
				if time.Since(start) >= s.warm {
					return nil
				}
				if _, _, err := c.ask(library.WallClock(), audience, q, 1, false); err != nil {
					return err
				}
			}
		}
	}
}

// cell measures one question, and compares the answer with those of the others.
func (s *settings) cell(c contestant, x cell, b *board) error {
	now := library.WallClock()
	if s.cpu && x.threads == 1 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		now = library.ThreadClock()
	}
	rows, _, err := c.ask(now, x.audience, x.question, x.threads, x.whole) // pages into caches
	if err != nil {
		return err
	}
	if err := b.compare(x, rows); err != nil {
		return err
	}
	var took []time.Duration
	for start := time.Now(); len(took) < 3 || time.Since(start) < s.slot; {
		_, t, err := c.ask(now, x.audience, x.question, x.threads, x.whole)
		if err != nil {
			return err
		}
		took = append(took, t)
	}
	b.put(x, took)
	return nil
}
