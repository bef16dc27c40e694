// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/adult"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/epinions"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server"
)

// demoCommand shows a newcomer what Uproar does, with real data.
type demoCommand struct {
	Once bool   `help:"End after the sample questions, instead of serving on."`
	Addr string `placeholder:"HOST:PORT" help:"Address to listen on. Default: ${addr}, or a free port if that one is taken."`
	Dir  string `placeholder:"DIR" help:"Folder for the database, kept for the next demo. Default: a temporary one, removed at the end."`
	database.EngineFlag
	Of string `arg:"" optional:"" enum:"graph,audience,catalog" default:"graph" help:"What to show: graph, audience or catalog (${default})."`
}

// Help returns what the help of the command says beside its flags.
func (*demoCommand) Help() string {
	return `Prints each question as a curl line with its answer and time, and serves until Ctrl-C. "graph" is the trust network of
Epinions (Stanford SNAP, soc-Epinions1), "audience" the Adult data set (UCI, CC BY 4.0): people of the census of the
United States of 1994. "catalog" makes synthetic prices. The console, whose address comes first, has all three; on a
desktop it is opened.

Example: uproar demo
         uproar demo audience --once`
}

// Run runs the demo.
func (c *demoCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	ln, err := c.listen(ctx, con) // first: an address that cannot be had must not cost an import
	if err != nil {
		return err
	}
	defer ln.Close()
	dir := c.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "uproar-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	db, err := database.Open(ctx, dir, c.Store, true, new(uproar.Options))
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	g, err := graph.Open(ctx, db)
	if err != nil {
		return err
	}
	if err := c.fillAll(ctx, con, db, g); err != nil {
		return err
	}
	stats, err := db.Stats()
	if err != nil {
		return err
	}
	fmt.Fprintf(con.Out, "on disk  %s in %s\n", terminal.Bytes(stats.Store.Total()), dir)
	return c.serve(ctx, con, ln, db)
}

// fillAll imports what the demo is of, then the data of the other two, because the console shows
// all three. With Once nobody sees those. A database that has other data under their names keeps
// them.
func (c *demoCommand) fillAll(ctx context.Context, con *terminal.Console, db *uproar.DB, g *graph.Graph) error {
	jobs := []struct {
		of, about string
		fill      func() error
	}{
		{"graph", fmt.Sprintf("Epinions trust network (%s)", epinions.Source),
			func() error { return c.fill(ctx, con, g) }},
		{"audience", fmt.Sprintf("Adult data set (%s)", adult.Source),
			func() error { return c.fillPeople(ctx, con, db) }},
		{"catalog", "Synthetic prices, of the shape of those that bitmap-usage searches",
			func() error { return c.fillPrices(ctx, con, db) }},
	}
	for _, own := range []bool{true, false} {
		for _, job := range jobs {
			if (job.of == c.Of) != own || !own && c.Once {
				continue
			}
			fmt.Fprintln(con.Out, job.about)
			err := job.fill()
			if _, others := errors.AsType[*terminal.AdviceError](err); others && !own {
				fmt.Fprintf(con.Out, "left     as it is: %v\n", err)
				continue
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fill imports the network, unless it is there from an earlier demo.
func (c *demoCommand) fill(ctx context.Context, con *terminal.Console, g *graph.Graph) error {
	stats, err := g.Index().Stats()
	if err != nil {
		return err
	}
	if stats.Records > 0 {
		if err := checkDemo(g); err != nil {
			return terminal.Advise("uproar serve --dir "+c.Dir, "%s holds another graph than the demo's: %w", c.Dir,
				err)
		}
		fmt.Fprintf(con.Out, "kept     %s, imported by an earlier demo\n", terminal.Plural(stats.Records, "account"))
		return nil
	}
	start, size, writing := time.Now(), epinions.Open().Size(), false
	shown := con.Progress("reading", size)
	defer func() { shown.Finish() }()
	done, err := g.Import(ctx, epinions.Open(), graph.ImportOptions{Strict: true,
		Progress: func(p graph.ImportProgress) {
			switch {
			case p.Total == 0:
				shown.Update(p.BytesRead, size, terminal.Plural(p.Follows, "follow"))
			case !writing:
				writing = true
				shown.Finish()
				shown = con.Progress("writing", p.Total)
				fallthrough
			default:
				shown.Update(p.Done, p.Total, terminal.Plural(p.Done, "value"))
			}
		}})
	if err != nil {
		return err
	}
	// Time and room are to be those of all that was imported; by itself the flush would come a
	// little later.
	if err := g.Index().Flush(ctx); err != nil {
		return err
	}
	shown.Finish()
	took := time.Since(start)
	if stats, err = g.Index().Stats(); err != nil {
		return err
	}
	fmt.Fprintf(con.Out, "imported %s and %s in %s (%s follows a second)\n", terminal.Plural(stats.Records, "account"),
		terminal.Plural(done.Follows, "follow"),
		terminal.Took(took), terminal.Count(int64(float64(done.Follows)/took.Seconds())))
	return nil
}

// serve serves the database, asks the sample questions, and goes on serving unless once.
func (c *demoCommand) serve(ctx context.Context, con *terminal.Console, ln net.Listener, db *uproar.DB) error {
	opts := &server.Options{Logger: slog.New(slog.NewTextHandler(con.Err, nil))}
	if c.Of == "catalog" {
		opts.Paths.Prices = demoPrices
	}
	s, err := server.New(db, opts)
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() { served <- s.Serve(serving, ln) }()

	if !c.Once {
		opened := ""
		if con.Browse(ctx, os.Getenv, urlOf(ln)+"/") {
			opened = ", opened in your browser"
		}
		fmt.Fprintf(con.Out, "console  %s/%s\n", urlOf(ln), opened)
	}
	fmt.Fprintf(con.Out, "serving  %s\n\nSample questions; each curl line can be pasted into another terminal.\n",
		urlOf(ln))
	if c.Once {
		fmt.Fprintln(con.Out, "(While the demo runs without --once, that is.)")
	}
	of := samples
	switch c.Of {
	case "audience":
		of = peopleSamples
	case "catalog":
		of = priceSamples()
	}
	if err := askSamples(ctx, con.Out, urlOf(ln), of); err != nil {
		stop()
		if ctx.Err() != nil { // told to stop before the last question
			return <-served
		}
		return errors.Join(err, <-served)
	}
	if c.Once {
		stop()
		return <-served
	}
	fmt.Fprintf(con.Out, "\nServing %s until Ctrl-C.\n", urlOf(ln))
	err = <-served
	fmt.Fprintln(con.Err, "stopped")
	return err
}

// noSecrets is what the demo's server has: it is for this machine.
var noSecrets secretFlags

// listen listens on the address that was given, or else on the default one or a free port.
func (c *demoCommand) listen(ctx context.Context, con *terminal.Console) (net.Listener, error) {
	quiet := slog.New(slog.DiscardHandler)
	if c.Addr != "" {
		return listen(ctx, quiet, c.Addr, noSecrets.exposed(), false)
	}
	ln, err := listen(ctx, quiet, database.DefaultAddr, noSecrets.exposed(), false)
	if errors.Is(err, syscall.EADDRINUSE) {
		fmt.Fprintf(con.Out, "address  %s is taken, so this is a free port:\n", database.DefaultAddr)
		return listen(ctx, quiet, "127.0.0.1:0", noSecrets.exposed(), false)
	}
	return ln, err
}
