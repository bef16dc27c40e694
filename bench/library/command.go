// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/uproar-db/uproar/bitmap"
)

// contestants returns everybody who takes part, ours first.
func contestants() []contestant {
	return append([]contestant{
		uproar("Fastest", bitmap.Fastest),
		uproar("Smallest", bitmap.Smallest),
		roaring32("roaring", false),
		roaring32("roaring, runs", true),
		roaring64bit("roaring64"),
		weaviate("weaviate/sroar"),
		dgraph("dgraph-io/sroar"),
	}, further...)
}

// further are contestants that a build tag adds.
var further []contestant

// sources returns the data sets, in order.
func sources(dir string) (list []source) {
	for _, name := range realNames {
		list = append(list, source{name, func() (*dataset, error) { return readZip(dir, name) }})
	}
	list = append(list, synthetic()...)
	return append(append(list, lopsided()...), dimensions()...)
}

// settings are the flags of the command.
type settings struct {
	dir, only, op, with, profile, chart string
	markdown, cpu                       bool
	slot                                time.Duration
	rounds                              int
	sources                             func(dir string) []source
}

// Command runs the comparison that the flags in args ask for. It writes its tables to stdout as
// they are done. The error is one of flags, of data, or a wrong answer of ours; peers that are
// wrong are reported in the tables.
func Command(args []string, stdout, stderr io.Writer) error {
	s := settings{sources: sources}
	f := flag.NewFlagSet("library", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.dir, "data", "../../shared/data/realdata",
		"`folder` with RoaringBitmap's real data sets, as zip files")
	f.StringVar(&s.only, "only", "", "only data sets whose name matches this regular `expression`")
	f.StringVar(&s.op, "op", "", "only operations whose name matches this regular `expression`")
	f.StringVar(&s.with, "with", "", "only contestants whose name matches this regular `expression`")
	f.DurationVar(&s.slot, "time", 100*time.Millisecond, "time of each contestant in each round of an operation")
	f.IntVar(&s.rounds, "rounds", 5, "number of rounds, whose median counts")
	f.BoolVar(&s.cpu, "cpu", false,
		"time by the thread's processor time instead of the wall (Linux): for a machine that is busy")
	f.BoolVar(&s.markdown, "markdown", false,
		"write the tables as Markdown, and besides those that have all data sets beside each other, as the guide does")
	f.StringVar(&s.chart, "chart", "", "also write the means against each peer as `NAME`.json, and draw them as NAME.svg")
	f.StringVar(&s.profile, "cpuprofile", "", "write a CPU profile to this `file`")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.slot <= 0 || s.rounds < 1 {
		return fmt.Errorf("library: want flags only, with a time and a number of rounds above 0; got %q", args)
	}
	if s.cpu && !hasThreadTime {
		return errors.New("library: -cpu works on Linux only")
	}
	return s.run(stdout, stderr)
}

func (s *settings) run(stdout, stderr io.Writer) (err error) {
	var chosen [3]*regexp.Regexp
	for i, text := range []string{s.only, s.op, s.with} {
		if chosen[i], err = regexp.Compile(text); err != nil {
			return err
		}
	}
	only, op, with := chosen[0], chosen[1], chosen[2]
	if s.profile != "" {
		file, err := os.Create(s.profile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	p := &plan{wanted: func(name operation) bool {
		return op.MatchString(string(name))
	}, slot: s.slot, rounds: s.rounds, cpu: s.cpu}
	for _, c := range contestants() {
		if with.MatchString(c.name()) {
			p.contestants = append(p.contestants, c)
		}
	}
	var results []*result
	for _, source := range s.sources(s.dir) {
		if !only.MatchString(source.name) {
			continue
		}
		start := time.Now()
		d, err := source.make()
		if err != nil {
			return err
		}
		r, err := p.measure(d)
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%s: %.0f s\n", source.name, time.Since(start).Seconds())
		if err := r.table(p).write(stdout, s.markdown); err != nil {
			return err
		}
		results = append(results, r)
		runtime.GC()
	}
	if len(results) == 0 || len(p.contestants) == 0 {
		return fmt.Errorf("library: nothing matches -only %q -with %q", s.only, s.with)
	}
	tables := p.summary(results)
	if s.chart != "" {
		if err := draw(tables[0]).Write(s.chart); err != nil {
			return err
		}
	}
	if s.markdown {
		tables = append(p.overviews(results), tables...)
	}
	for _, t := range tables {
		if err := t.write(stdout, s.markdown); err != nil {
			return err
		}
	}
	return nil
}
