// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package graphd asks GraphD and Uproar the same questions over HTTP, in turns. Beside them it asks
// a server that sends a constant of the same size.
package graphd

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/bench/socialgraph"
)

// settings are the flags of the command.
type settings struct {
	graphd, uproar      []string // programs
	csv, dir, memory    string
	network             socialgraph.Network
	connections, rounds int
	time, patience      time.Duration
	driver              string
	made                bool // GraphD's database is made, not loaded
	only                *regexp.Regexp
	chart               string
	logs                io.Writer // what the servers and imports say

	constant int // of a child: how many bytes it answers with; below 0: it is no child
}

// Command measures, and writes a table to stdout. The error is one of flags, or says that two
// answers differ.
func Command(args []string, stdout, stderr io.Writer) error {
	s := settings{only: regexp.MustCompile(""), logs: stderr}
	size := "S"
	f := flag.NewFlagSet("graphd", flag.ContinueOnError)
	f.SetOutput(stderr)
	program := func(list *[]string) func(string) error {
		return func(name string) error { *list = append(*list, name); return nil }
	}
	f.Func("graphd", "program of GraphD; of several, by several flags, the better one counts in each line",
		program(&s.graphd))
	f.Func("uproar", "program of Uproar; of several, the first one counts (made from the source)", program(&s.uproar))
	f.StringVar(&s.csv, "csv", "", "the network, written by bench graph --csv-only")
	f.StringVar(&size, "size", size, "its size: S or L")
	f.IntVar(&s.network.Accounts, "accounts", 0, "its accounts (those of -size)")
	f.Int64Var(&s.network.Follows, "follows", 0, "its follows (those of -size)")
	f.StringVar(&s.dir, "dir", "",
		"folder of the databases, which are kept and not loaded again (a temporary one, removed at the end)")
	f.BoolVar(&s.made, "made", false,
		"make the database that GraphD would have after loading the network, which takes minutes where it takes an "+
			"hour for L")
	f.StringVar(&s.memory, "memory", "2GiB", "memory of Uproar")
	f.IntVar(&s.connections, "connections", 20, "connections that ask without a pause")
	f.IntVar(&s.rounds, "rounds", 3, "how many times each server is measured, in turn")
	f.DurationVar(&s.time, "time", time.Second, "how long each line is measured in a round")
	f.DurationVar(&s.patience, "patience", time.Hour, "how long GraphD may take to load the network")
	f.StringVar(&s.driver, "driver", "detect",
		"who asks: wrk; own, a program of ours; or detect, wrk if it is installed")
	f.Func("only", "regular expression of the lines that are measured", func(text string) (err error) {
		s.only, err = regexp.Compile(text)
		return err
	})
	f.StringVar(&s.chart, "chart", "", "also write the requests a second as `NAME`.json, and draw them as NAME.svg")
	f.IntVar(&s.constant, "constant", -1, "be a server that answers with so many bytes (used by the command itself)")
	if err := f.Parse(args); err != nil {
		return err
	}
	if s.constant >= 0 {
		return drive.ServeConstant(stdout, s.constant)
	}
	preset, known := map[string]socialgraph.Network{"S": socialgraph.Small, "L": socialgraph.Large}[size]
	if s.network.Accounts == 0 {
		s.network.Accounts = preset.Accounts
	}
	if s.network.Follows == 0 {
		s.network.Follows = preset.Follows
	}
	s.network.Seed = preset.Seed
	err := s.network.Check()
	if f.NArg() > 0 || !known || s.csv == "" || s.connections < 1 || s.rounds < 1 || s.time < time.Second ||
		s.driver != "detect" && s.driver != "wrk" && s.driver != "own" {
		err = errors.New("got arguments, no -csv, or flags that cannot be")
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		f.Usage()
		return err
	}
	return s.run(stdout)
}

// run starts the servers, compares their answers, and measures them in turn.
func (s *settings) run(stdout io.Writer) (err error) {
	scratch, err := os.MkdirTemp("", "bench-graphd-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if s.dir == "" {
		s.dir = scratch
	}
	if len(s.uproar) == 0 {
		made, err := s.makeUproar(scratch)
		if err != nil {
			return err
		}
		s.uproar = []string{made}
	}
	if err := s.absolute(); err != nil {
		return err
	}
	var servers []*server
	for i, program := range s.uproar {
		p, err := s.startUproar(i, program)
		if err != nil {
			return err
		}
		defer p.Stop()
		servers = append(servers, p)
	}
	for i, program := range s.graphd {
		p, err := s.startGraphD(i, program)
		if err != nil {
			return err
		}
		defer p.Stop()
		servers = append(servers, p)
	}
	asked := s.network.Asked()
	for _, p := range servers {
		if err := s.ready(p, servers[0], asked); err != nil {
			return err
		}
	}
	var lines []*line
	for _, a := range asked {
		if !s.only.MatchString(a.Name) {
			continue
		}
		l, name, err := s.measure(scratch, a, servers)
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		if len(lines) == 0 {
			fmt.Fprintf(stdout, "%d accounts, %d follows, %d connections, driven by %s; medians of %d rounds of %v\n",
				s.network.Accounts, s.network.Follows, s.connections, name, s.rounds, s.time)
		}
		lines = append(lines, l)
	}
	if err := s.report(stdout, lines, servers); err != nil || s.chart == "" {
		return err
	}
	return s.draw(lines, servers).Write(s.chart)
}

// absolute makes all names of files absolute, because GraphD runs in its own folder.
func (s *settings) absolute() (err error) {
	names := []*string{&s.csv, &s.dir}
	for i := range s.graphd {
		names = append(names, &s.graphd[i])
	}
	for i := range s.uproar {
		names = append(names, &s.uproar[i])
	}
	for _, name := range names {
		if *name, err = filepath.Abs(*name); err != nil {
			return err
		}
	}
	return nil
}
