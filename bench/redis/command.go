// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package redis measures sets of the clients of Redis: uproar serve --resp beside the server of
// Redis, by the same client and by redis-benchmark.
package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

type redisCommand struct {
	All       int               `default:"2000000" placeholder:"N" help:"Members in all, of a set that has every one (${default})."`
	Members   []int             `default:"10,10000,1000000" placeholder:"N,…" help:"Sizes of the two sets that are combined; their members lie scattered among all (${default})."`
	New       int               `default:"200000" placeholder:"N" help:"New members of each usual shape, which are added as well (${default})."`
	Requests  int               `default:"100000" placeholder:"N" help:"Requests of each line of redis-benchmark (${default})."`
	Program   string            `default:"redis-server" placeholder:"PROGRAM" help:"The program of Redis; none: it is left out (${default})."`
	Benchmark string            `default:"redis-benchmark" placeholder:"PROGRAM" help:"Its program that measures; none: it is left out (${default})."`
	Memory    terminal.ByteSize `default:"256MiB" placeholder:"SIZE" help:"What uproar serve is given as --memory (${default})."`
	Time      time.Duration     `default:"1s" placeholder:"TIME" help:"How long each question is measured (${default})."`
	Chart     string            `placeholder:"NAME" help:"Also write the figures as NAME.json, and draw them as NAME.svg."`
	Serve     string            `hidden:"" help:"Be the server of this folder."`
}

// Help returns what the help of the command says beside its flags.
func (*redisCommand) Help() string {
	return `Adds all members to one set, 100 a command, over eight connections; then to two sets of each size, half of whose
members are common, drawn from all. Combines them, and adds new members of usual shapes to other sets. Then it lets
redis-benchmark ask, each request by itself and 16 at a time, over 50 connections; stops the server and starts it again;
and at last kills it while clients add members, and counts those that it had acknowledged and has lost. Each server
syncs every write (appendfsync always). All answers are compared.

Example: go run . redis --all 100000 --members 10,10000`
}

// Validate is called when the command line is parsed.
func (c *redisCommand) Validate() error {
	switch {
	case len(c.Members) == 0 || slices.Min(c.Members) < 2:
		return fmt.Errorf("--members: got %v, want sizes of 2 or more", c.Members)
	case c.All < slices.Max(c.Members)*3/2 || c.All >= membersPrime:
		return fmt.Errorf("--all: got %d, want at least half more than the largest of --members, and less than %d", c.All,
			membersPrime)
	case c.New < addTogether || c.New%addTogether != 0:
		return fmt.Errorf("--new: got %d, want a multiple of %d", c.New, addTogether)
	case c.Requests < 1:
		return fmt.Errorf("--requests: got %d, want 1 or more", c.Requests)
	case c.Time <= 0:
		return fmt.Errorf("--time: got %v, want more", c.Time)
	case c.Memory < command.LeastMemory:
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, command.LeastMemory)
	}
	return nil
}

// Command runs bench redis.
func Command(args []string, stdout, stderr io.Writer) error {
	return command.Run("redis", new(redisCommand), args, stdout, stderr)
}

// Run measures.
func (c *redisCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.Serve != "" {
		return serve(ctx, con.Out, c.Serve, c.Memory)
	}
	dir, err := os.MkdirTemp("", "bench-redis-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	names, all := []string{"Uproar"}, []*figures{nil}
	if all[0], err = c.measure(ctx, filepath.Join(dir, "uproar"), c.startUproar); err != nil {
		return err
	}
	if c.Program != "none" {
		f, err := c.measure(ctx, filepath.Join(dir, "redis"), c.startRedis)
		if err != nil {
			return err
		}
		if !slices.Equal(f.answers, all[0].answers) {
			return fmt.Errorf("answers differ: got %v, and of Redis %v", all[0].answers, f.answers)
		}
		names, all = append(names, "Redis"), append(all, f)
	}
	fmt.Fprintf(con.Out, "| | %s |\n|---|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	for i, what := range all[0].what {
		fmt.Fprintf(con.Out, "| %s ", what)
		for _, f := range all {
			fmt.Fprintf(con.Out, "| %s ", f.value[i])
		}
		fmt.Fprintln(con.Out, "|")
	}
	if len(all) < 2 {
		return nil
	}
	picture := chart.New("Sets beside Redis, each write synced", "bench redis")
	for i, what := range all[0].what {
		if all[0].unit[i] == "" {
			continue
		}
		name, of, ok := strings.Cut(what, ", ")
		if !ok {
			name, of = "the server", what
		}
		picture.Add(name, chart.Bar{Text: of, Peer: "Redis", Unit: all[0].unit[i],
			More: all[0].unit[i] == perSecond}, all[0].figure[i], all[1].figure[i])
	}
	return picture.WriteIf(c.Chart)
}

// figures are the lines of one server.
type figures struct {
	what, value, unit []string
	figure            []float64
	answers           []int64
}

// Units of figures.
const (
	perSecond    = "a second"
	microseconds = "µs"
	mebibytes    = "MiB"
)

// say adds what is no figure to draw.
func (f *figures) say(what, text string) {
	f.what, f.value = append(f.what, what), append(f.value, text)
	f.figure, f.unit = append(f.figure, 0), append(f.unit, "")
}

func (f *figures) add(what string, x float64, unit string) {
	text := fmt.Sprintf("%.0f", x)
	switch unit {
	case microseconds:
		text = time.Duration(x * float64(time.Microsecond)).Round(100 * time.Nanosecond).String()
	case mebibytes:
		text += " MiB"
	}
	f.what, f.value = append(f.what, what), append(f.value, text)
	f.figure, f.unit = append(f.figure, x), append(f.unit, unit)
}

func (c *redisCommand) startUproar(dir string) (*drive.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(self, "redis", "--serve", dir, "--memory", c.Memory.String())
	command.Stderr = os.Stderr // why it ended, or ended a connection
	return drive.Start("Uproar", "", command)
}

func (c *redisCommand) startRedis(dir string) (*drive.Process, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := ln.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	if err := ln.Close(); err != nil {
		return nil, err
	}
	return drive.Start("Redis", addr, exec.Command(c.Program, "--bind", "127.0.0.1", "--port", port, "--dir", dir,
		"--save", "", "--appendonly", "yes", "--appendfsync", "always", "--logfile", filepath.Join(dir, "log")))
}

var ratePattern = regexp.MustCompile(`([0-9.]+) requests per second`)

// rate runs redis-benchmark.
func (c *redisCommand) rate(ctx context.Context, port, pipeline string, words []string) (float64, error) {
	out, err := exec.CommandContext(ctx, c.Benchmark, append([]string{"-p", port, "-n", strconv.Itoa(c.Requests), "-P",
		pipeline, "-c", "50", "-r", "1000000", "-q"}, words...)...).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", c.Benchmark, err, out)
	}
	found := ratePattern.FindAllSubmatch(out, -1)
	if len(found) == 0 {
		return 0, fmt.Errorf("%s: got %q, want a rate", c.Benchmark, out)
	}
	return strconv.ParseFloat(string(found[len(found)-1][1]), 64)
}

// sizeOf returns the bytes of all files of a folder.
func sizeOf(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return nil // a file may be gone
	})
	return n, err
}
