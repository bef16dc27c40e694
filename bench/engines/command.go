// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// disk stands among the engines for the disk alone.
const disk = "disk"

var engines = []string{"badger", "bbolt", "pebble", disk}

// sizes say how much is measured.
type sizes struct {
	Time      time.Duration // for each rate
	Idle      time.Duration
	Memory    int64 // of the database; the process is held to twice as much
	Accounts  int   // of the graph that is written
	Follows   int
	Graph     int // accounts of the graph that is asked; it has 30 times as many follows
	Large     int // accounts of a larger one
	People    int
	Offerings int // of the catalog, of pricelist.PerOffering prices each
	Pages     int
	PageBytes int
	Gets      int // pages that are read cold; warm 100 times as many
	Sorted    int64
	Random    int64
}

var (
	full = sizes{Time: 12 * time.Second, Idle: 30 * time.Second, Memory: 256 << 20, Accounts: 550_000,
		Follows: 16_400_000, Graph: 550_000, Large: 5_500_000, People: 1_000_000, Offerings: 50, Pages: 16384,
		PageBytes: 32 << 10, Gets: 1000, Sorted: 20_000_000, Random: 5_000_000}
	small = sizes{Time: time.Second, Idle: 2 * time.Second, Memory: 64 << 20, Accounts: 20_000,
		Follows: 400_000, Graph: 20_000, Large: 50_000, People: 10_000, Offerings: 2, Pages: 1024,
		PageBytes: 32 << 10, Gets: 100, Sorted: 200_000, Random: 100_000}
)

// settings are the flags of the command.
type settings struct {
	sizes
	dir     string
	rounds  int
	engines string
	only    *regexp.Regexp
	json    bool
}

// job is what one process measures.
type job struct {
	Measurement, Engine string
	Dir                 string // of the engine in this round: measurements find what others have left
	Sizes               sizes
}

// childFlag begins the command line of a process that measures; then there is a job.
const childFlag = "-measure"

// Command measures, and writes a table to stdout. The error is one of flags, or of an engine.
func Command(args []string, stdout, stderr io.Writer) (err error) {
	if len(args) == 2 && args[0] == childFlag {
		return measureChild(args[1], stdout)
	}
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	parent := s.dir
	if s.dir, err = os.MkdirTemp(parent, "engines-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(s.dir)) }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	all := results{}
	for round := range s.rounds {
		if err = s.round(ctx, round, all, stderr); err != nil {
			break // what was measured before is shown
		}
	}
	if s.json {
		return errors.Join(err, json.NewEncoder(stdout).Encode(all))
	}
	return errors.Join(err, s.print(stdout, all))
}

func parse(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{sizes: full}
	if slices.Contains(args, "-small") || slices.Contains(args, "--small") {
		s.sizes = small
	}
	var only string
	f := flag.NewFlagSet("engines", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Bool("small", false, "measure small amounts, all in some minutes")
	f.StringVar(&s.dir, "dir", "", "folder on the disk to be measured; default: a temporary one")
	f.IntVar(&s.rounds, "rounds", 3, "how often all is measured; the table has the medians")
	f.StringVar(&s.engines, "engines", "", "which of badger, bbolt and pebble, as a regular expression; default: all")
	f.StringVar(&only, "only", "", "measure only what matches this regular expression: "+fmt.Sprint(names()))
	f.BoolVar(&s.json, "json", false, "print all figures of all rounds as JSON")
	f.DurationVar(&s.Time, "time", s.Time, "time of each rate")
	f.DurationVar(&s.Idle, "idle", s.Idle, "time without writes before the room is looked at again")
	f.Int64Var(&s.Memory, "memory", s.Memory, "bytes of the database, of which engines have their shares; "+
		"each process is held to twice as much")
	f.IntVar(&s.Accounts, "accounts", s.Accounts, "accounts of the graph that is written")
	f.IntVar(&s.Follows, "follows", s.Follows, "its follows")
	f.IntVar(&s.Graph, "graph", s.Graph, "accounts of the graph that is loaded and asked")
	f.IntVar(&s.Large, "large", s.Large, "accounts of a larger one")
	f.IntVar(&s.People, "people", s.People, "people of the audiences")
	f.IntVar(&s.Offerings, "offerings", s.Offerings, "offerings of the catalog, of "+
		fmt.Sprint(pricelist.PerOffering)+" prices each")
	f.IntVar(&s.Pages, "pages", s.Pages, "pages that are rewritten")
	f.IntVar(&s.PageBytes, "page", s.PageBytes, "bytes of a page")
	f.IntVar(&s.Gets, "gets", s.Gets, "pages that are read cold; warm a hundred times as many")
	f.Int64Var(&s.Sorted, "sorted", s.Sorted, "sorted entries that are written")
	f.Int64Var(&s.Random, "random", s.Random, "random entries that are written")
	err := f.Parse(args)
	if err != nil {
		return nil, err
	}
	s.only, err = regexp.Compile(only)
	if err == nil {
		_, err = regexp.Compile(s.engines)
	}
	if err == nil && (f.NArg() > 0 || s.rounds < 1 || s.Time <= 0 || s.Idle < 0 || s.Memory < 16<<20 ||
		min(s.Accounts, s.Follows, s.Graph, s.Large, s.Pages, s.PageBytes, s.Gets) < 2 || s.People < 1000 ||
		s.Offerings < 1 || s.Offerings > 1000 || min(s.Sorted, s.Random) < 1) {
		err = errors.New("got arguments or too small numbers")
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		f.Usage()
	}
	return s, err
}

// results are all figures: by measurement, engine and name, one of each round.
type results map[string]map[string]map[string][]float64

func (r results) add(measurement, engine string, figures map[string]float64) {
	if r[measurement] == nil {
		r[measurement] = map[string]map[string][]float64{}
	}
	if r[measurement][engine] == nil {
		r[measurement][engine] = map[string][]float64{}
	}
	for name, x := range figures {
		r[measurement][engine][name] = append(r[measurement][engine][name], x)
	}
}

// median returns the median of a figure; false when there is none.
func (r results) median(measurement, engine, name string) (float64, bool) {
	x := slices.Sorted(slices.Values(r[measurement][engine][name]))
	if len(x) == 0 {
		return 0, false
	}
	return x[len(x)/2], true
}

// round has all engines measured once: each measurement by one after the other, which begins with
// another engine in each round.
func (s *settings) round(ctx context.Context, round int, all results, stderr io.Writer) error {
	chosen := regexp.MustCompile(s.engines)
	for _, m := range measurements {
		if !s.only.MatchString(m.name) {
			continue
		}
		for i := range engines {
			engine := engines[(i+round)%len(engines)]
			if (engine == disk) != m.disk || engine != disk && !chosen.MatchString(engine) {
				continue
			}
			fmt.Fprintf(stderr, "round %d: %s, %s\n", round+1, m.name, engine)
			figures, err := run(ctx, job{m.name, engine, filepath.Join(s.dir, engine), s.sizes}, stderr)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", m.name, engine, err)
			}
			all.add(m.name, engine, figures)
		}
	}
	return s.clean()
}

// clean removes what a round has left.
func (s *settings) clean() error {
	for _, engine := range engines {
		if err := os.RemoveAll(filepath.Join(s.dir, engine)); err != nil {
			return err
		}
	}
	return nil
}

// run measures in a process of its own.
func run(ctx context.Context, j job, stderr io.Writer) (figures map[string]float64, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	child := exec.CommandContext(ctx, program, "engines", childFlag, string(text))
	child.Stdout, child.Stderr = &out, stderr
	if err := child.Run(); err != nil {
		return nil, err
	}
	return figures, json.Unmarshal(out.Bytes(), &figures)
}
