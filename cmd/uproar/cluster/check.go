// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/check"
)

// CheckStorage races creators for the same names.
type CheckStorage struct {
	URL       string `arg:"" help:"s3://bucket/prefix?region=…, gs://, azblob://, file:///folder, or cql://host/keyspace/prefix."`
	Processes int    `default:"4" placeholder:"N" help:"Processes that race (${default})."`
	Names     int    `default:"300" placeholder:"N" help:"Objects that each of them tries to create (${default})."`
	JSON      bool   `name:"json" help:"Print the report as JSON."`
	Race      bool   `hidden:""` // this is one of the processes
}

// Help returns what the help of the command says beside its flags.
func (*CheckStorage) Help() string {
	return `Exits with 1 if two processes could create one object, or one was not there at once, changed or lost: writers would
lose what they acknowledged. No writer starts where the check has not passed. It leaves the object "checked".

Example: uproar check-storage s3://bucket/prefix?region=eu-central-1`
}

// Run checks the storage, or is one process of the race.
func (c *CheckStorage) Run(ctx context.Context, con *terminal.Console) (err error) {
	open := func(ctx context.Context) (ship.Engine, error) { return Open(ctx, c.URL) }
	if c.Race {
		return check.Race(ctx, open, con.In, con.Out)
	}
	if c.Processes < 2 || c.Processes > check.MaxProcesses || c.Names < 1 || c.Names > check.MaxNames {
		return &terminal.UsageError{Err: fmt.Errorf("got --processes %d and --names %d, want from 2 to %d and from 1 to %d",
			c.Processes, c.Names, check.MaxProcesses, check.MaxNames)}
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	e, err := open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	p := con.Progress("check", int64(c.Names))
	r, err := check.Run(ctx, e, check.Options{Processes: c.Processes, Names: c.Names,
		Command: func(ctx context.Context) *exec.Cmd {
			return exec.CommandContext(ctx, self, "check-storage", "--race", c.URL)
		},
		Progress: func(done, total int) { p.Update(int64(done), int64(total), "objects") }})
	p.Finish()
	if err != nil {
		return err
	}
	if err := terminal.Report(con.Out, c.JSON, r, printReport); err != nil || r.Passed {
		return err
	}
	return &terminal.AdviceError{Err: errors.New("this storage does not keep what a writer needs; no writer starts on it"),
		Try: "a newer version of it, other storage, or a folder on a disk"}
}

// printReport prints a report for people.
func printReport(w io.Writer, r *check.Report) error {
	out := bufio.NewWriter(w)
	ms := func(x float64) string { return fmt.Sprintf("%.1f", x) }
	rows := [][]string{{"ms", "median", "p99", "max"}}
	for _, line := range []struct {
		name string
		of   check.Timing
	}{{"create", r.Latencies.Create}, {"get", r.Latencies.Get}, {"list", r.Latencies.List}} {
		rows = append(rows, []string{line.name, ms(line.of.Median), ms(line.of.P99), ms(line.of.Max)})
	}
	fmt.Fprintf(out, "%d processes raced for %s: %d created, %d refused, %d without an answer\n\n", r.Processes,
		terminal.Plural(r.Names, "object"), r.Created, r.Existed, r.Unknown)
	terminal.Table(out, rows, 1)
	out.WriteByte('\n')
	if r.Passed {
		out.WriteString("passed: each object was created once, and was there at once\n")
		return out.Flush()
	}
	for _, f := range r.Faults {
		fmt.Fprintf(out, "%s\n  object %s\n  got    %s\n  want   %s\n", f.What, f.Name, f.Got, f.Want)
	}
	if r.More > 0 {
		fmt.Fprintf(out, "and %d more\n", r.More)
	}
	return out.Flush()
}
