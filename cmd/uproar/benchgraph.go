// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/benchgraph"
)

// benchGraphCommand measures a graph of follows.
type benchGraphCommand struct {
	Size        string  `enum:"S,L" default:"S" help:"Size of the network: S, 550 000 accounts and 16 400 000 follows; or L, ten times that (${default})."`
	Accounts    int     `placeholder:"N" help:"Accounts of the network. Default: those of --size."`
	Follows     int64   `placeholder:"N" help:"Follows of the network. Default: those of --size."`
	Communities int     `placeholder:"N" help:"Groups that accounts fall into. Default: none."`
	Inside      float64 `placeholder:"SHARE" help:"Share of the follows that stay in their group, from 0 to 1. Default: 0."`
	Seed        uint64  `default:"1" placeholder:"N" help:"The same seed makes the same network (${default})."`
	CSVOnly     string  `name:"csv-only" placeholder:"FILE" help:"Write the network to FILE as CSV, - for the standard output, print its checksum, and end."`
}

// Help returns what the help of the command says beside its flags.
func (*benchGraphCommand) Help() string {
	return `Makes a synthetic network of follows, the same for the same numbers on every machine.

Example: uproar bench graph --size S --csv-only follows.csv`
}

// Validate is called when the command line is parsed.
func (c *benchGraphCommand) Validate() error {
	n := c.network()
	return n.Check()
}

func (c *benchGraphCommand) network() benchgraph.Network {
	n := benchgraph.Small
	if c.Size == "L" {
		n = benchgraph.Large
	}
	n.Accounts, n.Follows, n.Seed = cmp.Or(c.Accounts, n.Accounts), cmp.Or(c.Follows, n.Follows), c.Seed
	n.Communities, n.Inside = c.Communities, c.Inside
	return n
}

// Run measures.
func (c *benchGraphCommand) Run(ctx context.Context, con *console) error {
	if c.CSVOnly != "" {
		return c.writeCSV(ctx, con)
	}
	return errors.New("bench graph: want --csv-only")
}

// writeCSV writes the network to a file.
func (c *benchGraphCommand) writeCSV(ctx context.Context, con *console) (err error) {
	out := con.out
	if c.CSVOnly != "-" {
		f, failed := os.Create(c.CSVOnly)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		out = f
	}
	n := c.network()
	start, shown := time.Now(), con.progress("writing", n.Follows)
	buffered := bufio.NewWriterSize(out, 1<<20)
	sum, err := n.WriteCSV(ctx, buffered, func(follows int64) { shown.update(follows, n.Follows, formatPlural(follows, "follow")) })
	shown.finish()
	if err = errors.Join(err, buffered.Flush()); err != nil {
		return err
	}
	to := io.Writer(con.out)
	if c.CSVOnly == "-" {
		to = con.err
	}
	_, err = fmt.Fprintf(to, "%s and %s in %s\nsha256 %s\n", formatPlural(int64(n.Accounts), "account"), formatPlural(n.Follows, "follow"), formatTook(time.Since(start)), sum)
	return err
}
