// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package records measures records that are written over HTTP, read back by their keys, read in
// pages by an order, and exported; beside Redis, where it has the like.
package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

type recordsCommand struct {
	People int               `default:"100000" placeholder:"N" help:"Records that are written over each number of connections (${default})."`
	Batch  int               `default:"1000" placeholder:"N" help:"Records of a write (${default})."`
	Redis  string            `default:"redis-server" placeholder:"PROGRAM" help:"The program of Redis; none: it is left out (${default})."`
	Memory terminal.ByteSize `default:"256MiB" placeholder:"SIZE" help:"Memory of Uproar's database (${default})."`
	Time   time.Duration     `default:"3s" placeholder:"TIME" help:"How long each line of reads is measured (${default})."`
	Serve  string            `hidden:"" help:"Be the server of this folder."`
}

// Help returns what the help of the command says beside its flags.
func (*recordsCommand) Help() string {
	return `Writes people of ten fields in batches, over one connection and over four, to a server of Uproar (POST /v1/records/write,
synced) and to Redis (HSET and SADD, pipelined) with two settings of its log. Reads 100 by their keys, compares them,
reads sorted pages, exports all in each format, and compares that. Each server has the machine to itself.

Example: go run . records --people 20000`
}

// Validate is called when the command line is parsed.
func (c *recordsCommand) Validate() error {
	switch {
	case c.Batch < 1 || c.Batch > 10_000:
		return fmt.Errorf("--batch: got %d, want 1 to 10000", c.Batch)
	case c.People < c.Batch || c.People%c.Batch != 0:
		return fmt.Errorf("--people: got %d, want a multiple of --batch, %d", c.People, c.Batch)
	case c.Memory < command.LeastMemory:
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, command.LeastMemory)
	}
	return nil
}

// Run measures.
func (c *recordsCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.Serve != "" {
		return serve(ctx, con.Out, c.Serve, int64(c.Memory))
	}
	dir, err := os.MkdirTemp("", "bench-records-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ours, others, err := c.ours(ctx, filepath.Join(dir, "uproar"))
	if err != nil {
		return err
	}
	all := []figures{ours}
	if c.Redis != "none" {
		for _, fsync := range []string{"always", "everysec"} {
			f, err := c.redis(ctx, filepath.Join(dir, fsync), fsync)
			if err != nil {
				return err
			}
			all = append(all, f)
		}
	}
	return c.print(con.Out, all, others)
}

// line is a figure that only we have.
type line struct{ what, figure string }

// ours measures a server of Uproar.
func (c *recordsCommand) ours(ctx context.Context, dir string) (f figures, others []line, err error) {
	program, err := os.Executable()
	if err != nil {
		return f, nil, err
	}
	cmd := exec.Command(program, "records", "--serve", dir, "--memory", c.Memory.String())
	cmd.Stderr = os.Stderr
	p, err := drive.Start("Uproar", "", cmd)
	if err != nil {
		return f, nil, err
	}
	defer p.Stop()
	u, err := client.New("http://"+p.Addr, nil)
	if err != nil {
		return f, nil, err
	}
	defer u.Close()
	if _, err := u.Indexes().Create(ctx, indexName, fields...); err != nil {
		return f, nil, err
	}
	if f, err = c.measure(ctx, p.Name, func() (peer, error) {
		u, err := client.New("http://"+p.Addr, nil)
		return served{u}, err
	}); err != nil {
		return f, nil, err
	}
	others, err = c.alone(ctx, served{u}, "http://"+p.Addr)
	return f, others, err
}

// alone measures what Redis has not.
func (c *recordsCommand) alone(ctx context.Context, u served, url string) (lines []line, err error) {
	var first, later []time.Duration
	for begin, cursor := time.Now(), ""; len(first) < 5 || time.Since(begin) < c.Time; {
		was, start := cursor, time.Now()
		if cursor, err = u.page(ctx, was); err != nil {
			return nil, err
		}
		if took := time.Since(start); was == "" {
			first = append(first, took)
		} else {
			later = append(later, took)
		}
		if len(later) >= 20*len(first) {
			cursor = ""
		}
	}
	for _, x := range []struct {
		what string
		took []time.Duration
	}{{"first page of 100, sorted", first}, {"a later one", later}} {
		if len(x.took) == 0 {
			continue // of few people there is one page
		}
		slices.Sort(x.took)
		lines = append(lines, line{x.what + ", p50", milliseconds(x.took[len(x.took)/2])})
	}
	for _, media := range []string{mediaCSV, mediaNDJSON, mediaParquet, mediaArrow} {
		start := time.Now()
		n, err := export(ctx, url, media)
		if err != nil {
			return nil, err
		}
		took := time.Since(start).Seconds()
		if err := compare(ctx, url, media, c.People*len(connections)); err != nil {
			return nil, err
		}
		lines = append(lines, line{"export as " + media, fmt.Sprintf("%.1f MB/s, %s records/s",
			float64(n)/1e6/took, terminal.Count(int(float64(c.People*len(connections))/took)))})
	}
	return lines, nil
}

// redis measures a server of Redis.
func (c *recordsCommand) redis(ctx context.Context, dir, fsync string) (f figures, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return f, err
	}
	p, err := startRedis(c.Redis, dir, fsync)
	if err != nil {
		return f, fmt.Errorf("%w; install it, or give --redis", err)
	}
	defer p.Stop()
	return c.measure(ctx, p.Name, func() (peer, error) { return dialRedis(ctx, p.Addr) })
}

func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds()*1e3, 'f', 2, 64) + " ms"
}

// print prints the figures of all servers, and those that only we have.
func (c *recordsCommand) print(w io.Writer, all []figures, others []line) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s people of %d fields over each number of connections, %d a write; all reads and exports compared\n",
		terminal.Count(c.People), len(fields), c.Batch)
	head := []string{"server"}
	for _, n := range connections {
		head = append(head, terminal.Plural(n, "connection")+", records/s")
	}
	rows := [][]string{append(head, "100 by key, p50")}
	for _, f := range all {
		row := []string{f.name}
		for _, rate := range f.writes {
			row = append(row, terminal.Count(int(rate)))
		}
		rows = append(rows, append(row, milliseconds(f.read)))
	}
	terminal.Table(out, rows, 1)
	for _, l := range others {
		fmt.Fprintf(out, "%-50s %s\n", l.what, l.figure)
	}
	return out.Flush()
}

// Command runs "bench records".
func Command(args []string, stdout, stderr io.Writer) error {
	return command.Run("records", new(recordsCommand), args, stdout, stderr)
}
