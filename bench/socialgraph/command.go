// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// graphCommand measures a graph of follows.
type graphCommand struct {
	Size        string  `enum:"S,L,XL,XXL" default:"S" help:"Size of the network: S, 550 000 accounts and 16 400 000 follows; L, ten times that; XL, 25 million and 1.41 billion; or XXL, 43 million and 3 billion, with an account that 35 million follow (${default})."`
	Accounts    int     `placeholder:"N" help:"Accounts of the network. Default: those of --size."`
	Follows     int64   `placeholder:"N" help:"Follows of the network. Default: those of --size."`
	Communities int     `placeholder:"N" help:"Groups that accounts fall into. Default: none."`
	Inside      float64 `placeholder:"SHARE" help:"Share of the follows that stay in their group, from 0 to 1. Default: 0."`
	Seed        uint64  `default:"1" placeholder:"N" help:"The same seed makes the same network (${default})."`
	CSVOnly     string  `name:"csv-only" placeholder:"FILE" help:"Write the network to FILE as CSV, - for the standard output, print its checksum, and end."`

	CSV          string            `name:"csv" placeholder:"FILE" help:"Load the network from the FILE that --csv-only has written; it may be compressed with gzip. Default: it is made while it is loaded."`
	Dir          string            `placeholder:"DIR" help:"Folder of the database, which is kept. Default: a temporary one, removed at the end."`
	Reuse        bool              `help:"The network is in --dir from an earlier run: do not load it."`
	Cluster      bool              `help:"Number accounts by community when the network is loaded, as import graph --cluster does."`
	Memory       terminal.ByteSize `default:"512MiB" placeholder:"SIZE" help:"Memory of the whole process (${default})."`
	Time         time.Duration     `default:"2s" placeholder:"TIME" help:"How long each line is measured; 0s: nothing is (${default})."`
	Queries      int               `default:"1000000" placeholder:"N" help:"Random questions after which the memory is looked at (${default})."`
	Connections  int               `default:"20" placeholder:"N" help:"Connections over HTTP; 0: HTTP is not measured (${default})."`
	Cold         int               `default:"0" placeholder:"N" help:"Ask N questions of each line, every one of a database that was just opened and of which the system has nothing in memory (${default}; Linux only)."`
	Check        int               `default:"0" placeholder:"N" help:"Compare the answers to N random questions of each kind with a plain computation (${default})."`
	Changes      int64             `default:"0" placeholder:"N" help:"Write N follows and unfollows after that, and compare again (${default})."`
	Live         time.Duration     `default:"0s" placeholder:"TIME" help:"Ask questions for so long beside events, after a twelfth of it without; 0s: do not (${default})."`
	EventRate    int               `default:"200" placeholder:"N" help:"Events a second with --live (${default})."`
	QuestionRate int               `default:"200" placeholder:"N" help:"Questions a second with --live (${default})."`
	JSON         bool              `name:"json" help:"Print one JSON object instead of tables."`
	command.Engine
}

// Help returns what the help of the command says beside its flags.
func (*graphCommand) Help() string {
	return `Makes a synthetic network of follows, the same for the same numbers on every machine; imports it, opens the database again, asks it in process and over HTTP,
and on demand compares its answers with a plain computation over the network.

Example: go run . graph --size S --check 10000`
}

// Validate is called when the command line is parsed.
func (c *graphCommand) Validate() error {
	if c.Reuse && c.Dir == "" {
		return errors.New("--reuse is about a network in a folder: want --dir=DIR")
	}
	if c.Memory < command.LeastMemory {
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, command.LeastMemory)
	}
	n := c.network()
	return n.Check()
}

func (c *graphCommand) network() Network {
	n := Sizes[c.Size]
	n.Accounts, n.Follows, n.Seed = cmp.Or(c.Accounts, n.Accounts), cmp.Or(c.Follows, n.Follows), c.Seed
	n.Communities, n.Inside = c.Communities, c.Inside
	return n
}

// Run measures.
func (c *graphCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.CSVOnly != "" {
		return c.writeCSV(ctx, con)
	}
	opts := Options{Network: c.network(), Dir: c.Dir, Open: c.OpenStore, Loaded: c.Reuse, CSV: c.CSV,
		Cluster: c.Cluster, Memory: int64(c.Memory), Time: c.Time, Queries: c.Queries,
		Connections: c.Connections, Cold: c.Cold, Check: c.Check, Changes: c.Changes, Live: c.Live,
		EventRate: c.EventRate, QuestionRate: c.QuestionRate}
	shown, done, err := folder(con, &opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	r, err := Run(ctx, opts)
	shown.Finish()
	if r == nil {
		return err
	}
	return errors.Join(err, terminal.Report(con.Out, c.JSON, r, printGraph))
}

// writeCSV writes the network to a file.
func (c *graphCommand) writeCSV(ctx context.Context, con *terminal.Console) (err error) {
	out := con.Out
	if c.CSVOnly != "-" {
		f, failed := os.Create(c.CSVOnly)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		out = f
	}
	n := c.network()
	start, shown := time.Now(), con.Progress("writing", n.Follows)
	buffered := bufio.NewWriterSize(out, 1<<20)
	sum, err := n.WriteCSV(ctx, buffered, func(follows int64) {
		shown.Update(follows, n.Follows, terminal.Plural(follows, "follow"))
	})
	shown.Finish()
	if err = errors.Join(err, buffered.Flush()); err != nil {
		return err
	}
	to := io.Writer(con.Out)
	if c.CSVOnly == "-" {
		to = con.Err
	}
	_, err = fmt.Fprintf(to, "%s and %s in %s\nsha256 %s\n", terminal.Plural(int64(n.Accounts), "account"),
		terminal.Plural(n.Follows, "follow"), terminal.Took(time.Since(start)), sum)
	return err
}

// GraphCommand runs "bench graph".
func GraphCommand(args []string, stdout, stderr io.Writer) error {
	return command.Run("graph", new(graphCommand), args, stdout, stderr)
}
