// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package people

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/bench/population"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// peopleCommand measures what is asked of audiences.
type peopleCommand struct {
	People  int               `default:"1000000" placeholder:"N" help:"People of the population (${default})."`
	Column  string            `enum:"fast,small,none" default:"fast" help:"How the terms of each person are kept beside the people of each term: fast, small or none (${default})."`
	Dir     string            `placeholder:"DIR" help:"Folder for the database, which is kept, and measured again by the next run. Default: a temporary one, removed at the end."`
	Memory  terminal.ByteSize `default:"1GiB" placeholder:"SIZE" help:"Memory of the database (${default})."`
	Time    time.Duration     `default:"300ms" placeholder:"TIME" help:"How long each line is measured (${default})."`
	Parquet string            `placeholder:"FILE" help:"Write the population as a Parquet file, for 'uproar import audience', and end."`
	Check   bool              `help:"Compare the counts of all values with a plain computation."`
	Seed    uint64            `default:"1" placeholder:"N" help:"The same seed makes the same population (${default})."`
	JSON    bool              `name:"json" help:"Print one JSON object instead of tables."`
	command.Engine
}

// Help returns what the help of the command says beside its flags.
func (*peopleCommand) Help() string {
	return `Makes a synthetic population, the same for the same numbers on every machine: 32 of 100 000 terms a person, a postal code, a city and six demographic fields. Loads it, and
asks five audiences, from 0.06 to 73 % of the people, for their size, word cloud, postal codes, cities and demographics, in one thread and in two.

Example: go run . people --people 100000 --check`
}

// Validate is called when the command line is parsed.
func (c *peopleCommand) Validate() error {
	switch {
	case c.People < 1000 || c.People > 1<<31:
		return fmt.Errorf("--people: got %d, want 1000 to %d", c.People, 1<<31)
	case c.Memory < command.LeastMemory:
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, command.LeastMemory)
	case c.Time < 0:
		return errors.New("--time: want 0 or more")
	}
	return nil
}

// Run measures.
func (c *peopleCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.Parquet != "" {
		update, finish := con.Phases()
		defer finish()
		return writeFile(c.Parquet, population.NewPopulation(c.People, c.Seed), func(done, total int64) {
			update("writing", done, total)
		})
	}
	dir := c.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "uproar-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	db, err := c.Open(ctx, dir, &uproar.Options{MemoryBytes: int64(c.Memory)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	column := uproar.Column(c.Column)
	if c.Column == "none" {
		column = uproar.NoColumn
	}
	update, finish := con.Phases()
	r, err := Run(ctx, db, &Options{People: c.People, Seed: c.Seed, Column: column,
		MemoryBytes: int64(c.Memory), Threads: []int{1, 2}, Time: c.Time,
		Check: c.Check, Progress: update})
	finish()
	if err != nil {
		return err
	}
	return terminal.Report(con.Out, c.JSON, r, printAudiences)
}

// printAudiences prints what was measured, a table for each audience.
func printAudiences(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	if r.Load > 0 {
		fmt.Fprintf(out, "load      %s people in %s\n", terminal.Count(r.People), terminal.Seconds(r.Load))
	}
	fmt.Fprintf(out, "on disk   %s; lists %s, value columns %s\n", terminal.Bytes(r.Disk),
		terminal.Bytes(r.ListBytes),
		terminal.Bytes(r.ColumnBytes))
	if r.Checked > 0 {
		fmt.Fprintf(out, "compared  %s, all equal to a plain computation\n",
			terminal.Plural(int64(r.Checked), "answer"))
	}
	for _, a := range r.Audiences {
		rows := [][]string{{a.Name + ", " + terminal.Count(a.Size) + " people", "threads", "ms", "processor ms",
			"allocations", "bytes"}}
		for _, l := range a.Lines {
			processor := "unknown"
			if l.Processor >= 0 {
				processor = fmt.Sprintf("%.3f", l.Processor*1e3)
			}
			rows = append(rows, []string{l.Name, fmt.Sprint(l.Threads), fmt.Sprintf("%.3f", l.Seconds*1e3), processor,
				fmt.Sprintf("%.0f", l.Allocs), fmt.Sprintf("%.0f", l.Bytes)})
		}
		fmt.Fprintln(out)
		terminal.Table(out, rows, 1)
	}
	return out.Flush()
}

// Command runs "bench people".
func Command(args []string, stdout, stderr io.Writer) error {
	return command.Run("people", new(peopleCommand), args, stdout, stderr)
}
