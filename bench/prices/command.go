// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

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
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// pricesCommand measures searches of prices.
type pricesCommand struct {
	Offerings int               `default:"50" placeholder:"N" help:"Offerings, of 9 744 prices each (${default})."`
	Shuffled  bool              `help:"Load the prices in random order, instead of offering by offering."`
	Memory    terminal.ByteSize `default:"512MiB" placeholder:"SIZE" help:"Memory of the database (${default})."`
	Time      time.Duration     `default:"500ms" placeholder:"TIME" help:"How long each line is measured (${default})."`
	Seed      uint64            `default:"1" placeholder:"N" help:"The same seed makes the same prices (${default})."`
	JSON      bool              `name:"json" help:"Print one JSON object instead of a table."`
	command.Engine
}

// Help returns what the help of the command says beside its flags.
func (*pricesCommand) Help() string {
	return `Makes a synthetic list of prices, the same for the same numbers on every machine, with eight attributes; loads it, and searches it with all conditions and with all subsets of them, beside
a scan over a map, a map with composite keys, and roaring bitmaps in memory; and with all conditions by two readers beside a writer that does not pause. Each answer is compared with the list.

Example: go run . prices --offerings 5 --shuffled`
}

// Validate is called when the command line is parsed.
func (c *pricesCommand) Validate() error {
	switch {
	case c.Offerings < 1 || c.Offerings > 1000:
		return fmt.Errorf("--offerings: got %d, want 1 to 1000", c.Offerings)
	case c.Memory < command.LeastMemory:
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, command.LeastMemory)
	case c.Time < 0:
		return errors.New("--time: want 0 or more")
	}
	return nil
}

// Run measures.
func (c *pricesCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	dir, err := os.MkdirTemp("", "uproar-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	db, err := c.Open(ctx, dir, &uproar.Options{MemoryBytes: int64(c.Memory)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	update, finish := con.Phases()
	r, err := Run(ctx, db, &Options{Offerings: c.Offerings, Shuffled: c.Shuffled,
		Seed: c.Seed, Memory: int64(c.Memory) / 4, Time: c.Time,
		Progress: update})
	finish()
	if err != nil {
		return err
	}
	return terminal.Report(con.Out, c.JSON, r, printCatalog)
}

// printCatalog prints what was measured.
func printCatalog(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	order := "offering by offering"
	if r.Shuffled {
		order = "in random order"
	}
	fmt.Fprintf(out, "loaded    %s prices, %s, in %s\n", terminal.Count(int64(r.Prices)), order,
		terminal.Seconds(r.Load))
	fmt.Fprintf(out, "on disk   %s\n\n", terminal.Bytes(r.Disk))
	rows := [][]string{{"way", "searches", "a second", "p50", "p99", "processor", "allocations", "memory"}}
	for _, l := range r.Lines {
		heap, processor, allocations := "", "unknown", ""
		if l.Heap >= 0 {
			heap = terminal.Bytes(l.Heap)
		}
		if l.Processor >= 0 {
			processor = terminal.Short(l.Processor)
		}
		if l.Allocs >= 0 {
			allocations = fmt.Sprintf("%.0f", l.Allocs)
		}
		rows = append(rows, []string{l.Way, l.Searches, terminal.Count(int64(l.PerSecond)), terminal.Short(l.P50),
			terminal.Short(l.P99), processor, allocations, heap})
	}
	terminal.Table(out, rows, 2)
	return out.Flush()
}

// Command runs "bench prices".
func Command(args []string, stdout, stderr io.Writer) error {
	return command.Run("prices", new(pricesCommand), args, stdout, stderr)
}
