// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groups

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/uproar-db/uproar/internal/processor"
)

// settings are the flags of the command.
type settings struct {
	records, many int
	memory        int64
	repeat        int
	only          string
	python        string
	cpu           bool
}

// Command measures, and writes a table to stdout. The error is one of flags, or says that two
// answers differ. Without DuckDB our figures stand alone.
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("groups", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&s.records, "records", 500_000, "records of the first index")
	f.IntVar(&s.many, "many", 4_000_000, "records of the second index, of which nearly each is a group")
	f.Int64Var(&s.memory, "memory", 256<<20, "memory of each database, in bytes")
	f.IntVar(&s.repeat, "repeat", 5, "how often everything is asked, in turn; the median counts")
	f.StringVar(&s.only, "only", "", "only questions whose name matches this regular `expression`")
	f.StringVar(&s.python, "python", cmp.Or(os.Getenv("UPROAR_PYTHON"), "python3"),
		"`interpreter` that has the packages duckdb and numpy")
	f.BoolVar(&s.cpu, "cpu", false,
		"time by the processor time of the process, of all its threads, instead of the wall: for a machine that is busy")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.records < 1 || s.many < 1 || s.memory < 16<<20 || s.repeat < 1 {
		return fmt.Errorf("groups: want flags only, at least one record, 16 MiB of memory and one repetition; got %q",
			args)
	}
	return s.run(stdout, stderr)
}

func (s *settings) run(stdout, stderr io.Writer) (err error) {
	only, err := regexp.Compile(s.only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-groups-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	rng := rand.New(rand.NewPCG(1, 30))
	small, large := newFew(s.records, rng), newMany(s.many, rng)
	err = errors.Join(write(dir, "few.bin", small.a, small.c, small.e, small.age, small.joined, small.tags[0],
		small.tags[1], small.tags[2]),
		write(dir, "many.bin", large.x, large.y))
	if err != nil {
		return err
	}
	us, err := openOurs(dir, s.memory, small, large)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, us.close()) }()
	small, large = nil, nil
	them, err := openDuck(s.python, dir, s.memory)
	switch {
	case errors.Is(err, errMissing):
		fmt.Fprintln(stderr, err)
		them = nil
	case err != nil:
		return err
	default:
		defer func() { err = errors.Join(err, them.close()) }()
	}
	b := board{out: stdout, us: us, them: them, repeat: s.repeat, cpu: s.cpu}
	b.head(s)
	for i := range questions {
		if q := &questions[i]; only.MatchString(q.name) {
			if err := errors.Join(b.measure(q, false), b.measure(q, true)); err != nil {
				return err
			}
		}
	}
	return nil
}

// board measures, and writes lines of a table.
type board struct {
	out    io.Writer
	us     *ours
	them   *duck
	repeat int
	cpu    bool
}

func (b *board) head(s *settings) {
	version := "not installed"
	if b.them != nil {
		version = b.them.version
	}
	fmt.Fprintf(b.out, "%d and %d records, %d MiB of memory each, %d threads each, medians of %d; %s, DuckDB %s\n\n",
		s.records, s.many, s.memory>>20,
		runtime.GOMAXPROCS(0), s.repeat, runtime.Version(), version)
	fmt.Fprintln(b.out,
		"| groups by | answer | Uproar, ms | DuckDB, ms | Uproar / DuckDB | memory of Uproar, MiB | of DuckDB |")
	fmt.Fprintln(b.out, "|---|---|--:|--:|--:|--:|--:|")
}

// measure asks one question of both, in turn.
func (b *board) measure(q *question, all bool) error {
	var times [2][]time.Duration
	var answers [2]answer
	var memory [2]int64
	for range b.repeat {
		runtime.GC()
		watch := watchMemory(os.Getpid())
		used := processor.Time()
		answers[0] = b.us.ask(q, all)
		if b.cpu {
			answers[0].took = processor.Time() - used
		}
		memory[0] = max(memory[0], watch())
		if b.them != nil {
			watch = watchMemory(b.them.command.Process.Pid)
			answers[1] = b.them.ask(q.sql(), all, runtime.GOMAXPROCS(0), b.cpu)
			memory[1] = max(memory[1], watch())
		}
		for i, a := range answers {
			if a.err != nil {
				return fmt.Errorf("%s: %w", q.name, a.err)
			}
			times[i] = append(times[i], a.took)
		}
	}
	if b.them != nil && !agree(answers[0], answers[1]) {
		return fmt.Errorf("%s: got %d groups, first %v; want %d, first %v", q.name, answers[0].count,
			first(answers[0].rows), answers[1].count, first(answers[1].rows))
	}
	asked := fmt.Sprintf("the largest %d", answers[0].count)
	if all {
		asked = fmt.Sprintf("all %d", answers[0].count)
	}
	us, them := median(times[0]), median(times[1])
	theirs, ratio := "–", "–"
	if b.them != nil {
		theirs, ratio = fmt.Sprintf("%.1f", them), fmt.Sprintf("%.2f", us/them)
	}
	_, err := fmt.Fprintf(b.out, "| %s | %s | %.1f | %s | %s | %d | %d |\n", q.name, asked, us, theirs, ratio,
		memory[0]>>20, memory[1]>>20)
	return err
}

// median returns the middle time, in milliseconds.
func median(times []time.Duration) float64 {
	slices.Sort(times)
	return times[len(times)/2].Seconds() * 1e3
}

// agree reports whether two answers are equal. Of the groups of the least count there may be
// others.
func agree(a, b answer) bool {
	if a.count != b.count || len(a.rows) != len(b.rows) {
		return false
	}
	if len(a.rows) == 0 {
		return true
	}
	count := func(row []string) string { return row[len(row)-1] }
	least := count(a.rows[len(a.rows)-1])
	want := map[string]bool{}
	for _, row := range b.rows {
		want[fmt.Sprint(row)] = true
	}
	for i, row := range a.rows {
		if count(row) != count(b.rows[i]) || count(row) != least && !want[fmt.Sprint(row)] {
			return false
		}
	}
	return true
}

func first(rows [][]string) []string {
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
}
