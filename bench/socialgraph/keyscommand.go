// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// keysCommand measures keys of many accounts.
type keysCommand struct {
	Accounts int               `default:"10000000" placeholder:"N" help:"Accounts (${default})."`
	Seed     uint64            `default:"1" placeholder:"N" help:"The same seed makes the same keys (${default})."`
	Dir      string            `placeholder:"DIR" help:"Folder of the database, which is kept. Default: a temporary one, removed at the end."`
	Reuse    bool              `help:"The accounts are in --dir from an earlier run: do not load them."`
	Memory   terminal.ByteSize `default:"2GiB" placeholder:"SIZE" help:"Memory of the whole process (${default})."`
	Lookups  int               `default:"1000000" placeholder:"N" help:"Keys, and then IDs, that are looked up at random (${default})."`
	JSON     bool              `name:"json" help:"Print one JSON object instead of lines."`
}

// Help returns what the help of the command says beside its flags.
func (*keysCommand) Help() string {
	return `Imports a network in which each account follows one other, by popularity, so that there is little but keys; opens the database again, and looks up random keys and IDs.

Example: go run . keys --accounts 100000000`
}

// Validate is called when the command line is parsed.
func (c *keysCommand) Validate() error {
	switch {
	case c.Reuse && c.Dir == "":
		return errors.New("--reuse is about accounts in a folder: want --dir=DIR")
	case c.Memory < command.LeastMemory:
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, command.LeastMemory)
	case c.Accounts < 2 || c.Accounts > math.MaxInt32 || c.Lookups < 1:
		return fmt.Errorf("got %d accounts and %d lookups, want 2 to %d accounts, and a lookup", c.Accounts, c.Lookups,
			math.MaxInt32)
	}
	return nil
}

// Run measures.
func (c *keysCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	opts := Options{Network: Network{Accounts: c.Accounts, Seed: c.Seed}, Dir: c.Dir,
		Loaded: c.Reuse, Memory: int64(c.Memory), Queries: c.Lookups}
	shown, done, err := folder(con, &opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	r, err := RunKeys(ctx, opts)
	shown.Finish()
	if r == nil {
		return err
	}
	return errors.Join(err, terminal.Report(con.Out, c.JSON, r, printKeys))
}

// printKeys prints what was measured of keys.
func printKeys(w io.Writer, r *KeysReport) error {
	out := bufio.NewWriter(w)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(out, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("accounts", "%s", terminal.Count(int64(r.Accounts)))
	if r.Load > 0 {
		line("load", "%s (%s accounts a second), processor %s, anonymous memory at most %s", terminal.Seconds(r.Load),
			terminal.Count(int64(float64(r.Accounts)/r.Load)),
			terminal.Seconds(r.LoadWork), terminal.BytesOrUnknown(r.LoadMost))
	}
	line("on disk", "%s; keys %s: %.1f bytes each, both ways", terminal.Bytes(r.Disk), terminal.Bytes(r.Keys),
		float64(r.Keys)/float64(r.Accounts))
	line("open", "%s", terminal.Seconds(r.Open))
	line("key to ID", "%s a second, %s each", terminal.Count(int64(r.IDs)), terminal.Short(1/r.IDs))
	line("ID to key", "%s a second, %s each", terminal.Count(int64(r.Texts)), terminal.Short(1/r.Texts))
	line("asked", "%s and as many IDs, all of them right; anonymous memory %s",
		terminal.Plural(int64(r.Lookups), "key"),
		terminal.BytesOrUnknown(r.Asked))
	return out.Flush()
}

// KeysCommand runs "bench keys".
func KeysCommand(args []string, stdout, stderr io.Writer) error {
	return command.Run("keys", new(keysCommand), args, stdout, stderr)
}
