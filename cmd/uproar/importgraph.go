// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

// importCommand is the commands that import.
type importCommand struct {
	Graph importGraphCommand `cmd:"" help:"Import follows from edge lists."`
}

// importGraphCommand imports edge lists, all of them or nothing.
type importGraphCommand struct {
	Dir       string   `required:"" placeholder:"DIR" help:"Folder of the database. It is made if need be."`
	Strict    bool     `help:"Stop at the first bad line, and import nothing. Default: leave bad lines out."`
	ShowBad   int      `default:"20" placeholder:"N" help:"Print at most N bad lines (${default})."`
	Separator string   `enum:"detect,comma,tab,spaces" default:"detect" help:"What stands between columns: detect, comma, tab or spaces (${default})."`
	Header    string   `enum:"detect,yes,no" default:"detect" help:"Whether the first line names the columns: detect, yes or no (${default})."`
	Memory    byteSize `default:"512MiB" placeholder:"SIZE" help:"Memory of the whole import (${default})."`
	engineFlag
	Files []string `arg:"" name:"file" help:"Edge lists: CSV, TSV or with spaces, plain or gzip; - is the standard input."`
}

// Help returns what the help of the command says beside its flags.
func (*importGraphCommand) Help() string {
	return `Each line is a follow: the account, and the account that it follows. Lines that begin with # and empty lines are left out.
The files are one import: all of it becomes visible at once at the end, or nothing of it if it fails or is interrupted.

Example: uproar import graph --dir network follows.csv more.tsv.gz`
}

var separators = map[string]graph.Separator{"detect": graph.Detect, "comma": graph.Comma, "tab": graph.Tab, "spaces": graph.Spaces}

var headers = map[string]graph.HeaderUse{"detect": graph.DetectHeader, "yes": graph.WithHeader, "no": graph.NoHeader}

// Validate is called when the command line is parsed.
func (c *importGraphCommand) Validate() error {
	if c.Memory < leastMemory {
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, leastMemory)
	}
	return nil
}

// Run imports.
func (c *importGraphCommand) Run(ctx context.Context, con *console) (err error) {
	sources, err := openSources(ctx, c.Files, con.in)
	if err != nil {
		return err
	}
	defer sources.close()
	db, err := openDatabase(ctx, c.Dir, c.Store, true, &uproar.Options{MemoryBytes: databaseMemory(c.Memory)})
	if err != nil {
		return err
	}
	defer closing(db, &err)
	g, err := graph.Open(ctx, db)
	if err != nil {
		return err
	}
	im := edgeImport{command: c, con: con, start: time.Now()}
	if err := im.run(ctx, g.Index(), sources); err != nil {
		return im.failed(err)
	}
	return im.summary(g.Index())
}

// edgeImport is one import of several edge lists.
type edgeImport struct {
	command *importGraphCommand
	con     *console
	start   time.Time
	shown   *progress

	read    int64 // bytes, of the sources before the present one
	follows int64
	lines   int64
	bad     int64
}

// progressLines is after how many lines progress is shown.
const progressLines = 1 << 14

// run loads all sources.
func (im *edgeImport) run(ctx context.Context, index *uproar.Index, sources sourceList) error {
	var total int64
	im.shown = im.con.progress("reading", sources.size())
	defer func() { im.shown.finish() }()
	load, err := index.Load(ctx, &uproar.LoadOptions{
		MemoryBytes: int64(im.command.Memory) / 4, // half of the database's
		Progress: func(done, of int64) {
			if total != of {
				total = of
				im.shown.finish()
				im.shown = im.con.progress("writing", of)
			}
			im.shown.update(done, of, formatPlural(done, "value"))
		},
	})
	if err != nil {
		return err
	}
	defer load.Abort()
	for _, s := range sources {
		if err := im.source(ctx, load, s, sources.size()); err != nil {
			return err
		}
	}
	if im.follows == 0 && im.bad > 0 {
		return errors.New("no line is a follow")
	}
	return load.Commit()
}

// source loads one source.
func (im *edgeImport) source(ctx context.Context, load *uproar.Loader, s *source, total int64) error {
	list := graph.NewEdgeList(s, &graph.EdgeListOptions{Separator: separators[im.command.Separator], Header: headers[im.command.Header]})
	defer func() { im.lines, im.read = im.lines+list.Lines(), im.read+list.BytesRead() }()
	n := 0
	for f, err := range list.Follows() {
		if n++; n%progressLines == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			im.shown.update(im.read+list.BytesRead(), total, formatPlural(im.follows, "follow")+", "+formatCount(im.rate())+"/s")
		}
		var bad *graph.LineError
		switch {
		case err == nil:
			if err := load.Set(graph.FollowsField, f.Account, f.Target); err != nil {
				return fmt.Errorf("%s: line %d: %w", s.name, list.Lines(), err)
			}
			im.follows++
		case errors.As(err, &bad):
			im.bad++
			if im.command.Strict {
				return fmt.Errorf("%s: %s", s.name, badLine(bad))
			}
			im.report(s, bad)
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			return fmt.Errorf("%s: %s", s.name, trimPackage(err.Error()))
		}
	}
	return ctx.Err()
}

// report prints a bad line, if not too many have been.
func (im *edgeImport) report(s *source, bad *graph.LineError) {
	if im.bad <= int64(im.command.ShowBad) {
		im.shown.line(s.name + ": " + badLine(bad))
	}
}

// badLine returns what is wrong with a line, without the package that found it.
func badLine(bad *graph.LineError) string { return trimPackage(bad.Error()) }

// rate returns the follows a second until now.
func (im *edgeImport) rate() int64 {
	return int64(float64(im.follows) / max(time.Since(im.start).Seconds(), 1e-6))
}

// failed returns an error that says what has become of the import.
func (im *edgeImport) failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted after %s: nothing was imported", formatPlural(im.lines, "line"))
	}
	if im.command.Strict && im.bad > 0 {
		return advise("without --strict, to leave bad lines out", "%w; nothing was imported", err)
	}
	return fmt.Errorf("%w; nothing was imported", err)
}

// summary says what was imported, and what there is now.
func (im *edgeImport) summary(index *uproar.Index) error {
	took := time.Since(im.start)
	if hidden := im.bad - int64(im.command.ShowBad); hidden > 0 {
		fmt.Fprintf(im.con.err, "and %s more; --show-bad %d shows them all\n", formatPlural(hidden, "bad line"), im.bad)
	}
	stats, err := index.Stats()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(im.con.out, "imported %s from %s in %s (%s a second), %s left out\nindex %s has %s\n",
		formatPlural(im.follows, "follow"), formatPlural(im.lines, "line"), formatTook(took), formatCount(im.rate()), formatPlural(im.bad, "bad line"),
		index.Name(), formatPlural(stats.Records, "account"))
	return err
}
