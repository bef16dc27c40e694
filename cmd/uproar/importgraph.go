// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/likes"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/tolerance"
)

// importCommand is the commands that import.
type importCommand struct {
	Graph    importGraphCommand    `cmd:"" help:"Import follows from edge lists."`
	Audience importAudienceCommand `cmd:"" help:"Import records of any fields from tables."`
	Catalog  importCatalogCommand  `cmd:"" help:"Import the records of a catalog from tables."`
	Likes    likes.Import          `cmd:"" help:"Import likes from lines."`
}

// importGraphCommand imports edge lists, all of them or nothing.
type importGraphCommand struct {
	importTarget
	Strict    bool            `help:"Stop at the first bad line, and import nothing but, with --keys, what is written already. Default: leave bad lines out."`
	ShowBad   int             `default:"20" placeholder:"N" help:"Print at most N bad lines and values (${default})."`
	Bad       tolerance.Share `default:"90%" placeholder:"SHARE" help:"Beyond this share of bad lines fail, as with --strict (${default})."`
	Separator string          `enum:"detect,comma,semicolon,tab,pipe,spaces,json" default:"detect" help:"Between columns: detect, comma, semicolon, tab, pipe or spaces; json: lines are objects (${default})."`
	Header    string          `enum:"detect,yes,no" default:"detect" help:"Whether the first line names columns: detect, yes or no (${default})."`
	Cluster   bool            `help:"Number accounts by community, not by first appearance: large lists get smaller, the import takes twice as long."`
	Keys      bool            `help:"Import the keys of records, from a column rkey, into a new graph or one with keys."`
	Resume    bool            `help:"Go on with an import with --keys that did not end: want the same files."`
	Files     []string        `arg:"" name:"file" help:"Edge lists: CSV, TSV, with spaces or NDJSON, plain, gzip, zstd or bzip2; - is the standard input."`
}

// Help returns what the help of the command says beside its flags.
func (*importGraphCommand) Help() string {
	return `Each line is a follow: the account, and the account that it follows; or a JSON object, such as
{"actor_did":"a","target_did":"b"}. Lines that begin with # and empty lines are left out.

A first line is no follow if it names both columns (user_id and friend_id, follower and followee, source and target,
src and dst, u and v and more pairs, in any order and case), if it is the only one without numbers, or if it has the
sizes of a file of Matrix Market. With more than two columns it has to name them. If it may be either, the import
stops and asks for --header.

All becomes visible at once, or nothing if the import fails or is interrupted. Follows that exist stay, so an import
may be repeated. With --keys, lines are account, rkey, target, or name these columns. They are written while they are
read. An import that fails or is killed leaves a mark and what stands before, and goes on with --resume.

With --cluster, accounts that follow the same ones get IDs next to each other. Accounts that exist keep theirs. 25 bytes of memory each. What does not fit goes to temporary files (TMPDIR: 7 bytes a follow, 40 a new account); but
--cluster needs memory for all names.

Example: uproar import graph --dir network follows.csv more.tsv.gz
         uproar import graph --to http://127.0.0.1:7070 follows.csv`
}

var separators = map[string]graph.Separator{"detect": graph.Detect, "comma": graph.Comma, "semicolon": graph.Semicolon,
	"tab": graph.Tab, "pipe": graph.Pipe, "spaces": graph.Spaces, "json": graph.Objects}

var headers = map[string]graph.HeaderUse{"detect": graph.DetectHeader, "yes": graph.WithHeader, "no": graph.NoHeader}

// Validate is called when the command line is parsed.
func (c *importGraphCommand) Validate() error {
	if c.Keys && (c.To != "" || c.Cluster) || c.Resume && !c.Keys {
		return errors.New("--keys goes with --dir, and without --cluster; --resume goes with --keys")
	}
	return c.check()
}

// Run imports.
func (c *importGraphCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	sources, err := terminal.OpenInputs(ctx, c.Files, con.In)
	if err != nil {
		return err
	}
	defer sources.Close()
	if c.To != "" {
		return c.send(ctx, con, sources)
	}
	db, err := database.Open(ctx, c.Dir, c.Store, true, &uproar.Options{MemoryBytes: database.Memory(c.Memory)})
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	im, opts := edgeImport{command: c, con: con, start: time.Now()}, graph.Options{}
	if c.Keys {
		opts = graph.Records
	}
	g, err := graph.OpenWith(ctx, db, opts)
	if err != nil {
		return err
	}
	if err := im.run(ctx, g, sources); err != nil {
		im.tellHidden()
		return im.failed(err)
	}
	return im.summary(g.Index())
}

// send has a server import the sources.
func (c *importGraphCommand) send(ctx context.Context, con *terminal.Console, sources terminal.Inputs) error {
	query := url.Values{"separator": {c.Separator}, "header": {c.Header}, "strict": {strconv.FormatBool(c.Strict)},
		"bad": {c.Bad.String()}, "cluster": {strconv.FormatBool(c.Cluster)}}
	start := time.Now()
	var done api.ImportReply
	to := remoteImport{RemoteFlags: c.RemoteFlags, to: c.To, path: "/v1/graph/import", query: query, try: query}
	if err := to.send(ctx, con, sources, &done); err != nil {
		return err
	}
	for _, header := range done.Headers {
		fmt.Fprintf(con.Err, "names of columns in %s\n", header)
	}
	tellBad(con, done.BadLines, done.Bad, c.ShowBad)
	return c.tell(con, start, done.Follows, done.Lines, done.Bad, "")
}

// tell says what was imported, with more for people.
func (c *importGraphCommand) tell(con *terminal.Console, start time.Time, follows, lines, bad int64,
	more string) error {
	took := time.Since(start)
	return terminal.Tell(con.Out, c.JSON, struct {
		Index   string  `json:"index"`
		Follows int64   `json:"follows"`
		Lines   int64   `json:"lines"`
		Bad     int64   `json:"bad"`
		Seconds float64 `json:"seconds"`
	}{graph.IndexName, follows, lines, bad, took.Seconds()}, "imported %s from %s in %s (%s a second), %s left out\n%s",
		terminal.Plural(follows, "follow"), terminal.Plural(lines, "line"), terminal.Took(took),
		terminal.Count(terminal.PerSecond(follows, start)), terminal.Plural(bad, "bad line"), more)
}

// edgeImport is one import of several edge lists.
type edgeImport struct {
	command *importGraphCommand
	con     *terminal.Console
	start   time.Time
	shown   *terminal.Progress

	source  *terminal.Input // being read
	writing bool            // all are read

	follows int64
	lines   int64
	bad     int64
	short   bool // of memory
	load    *graph.Import
}

// left says what has become of an import that failed.
func (im *edgeImport) left() string {
	if im.load != nil && im.load.Stored() > 0 {
		return "import it again with --resume to go on"
	}
	return "nothing was imported"
}

// run loads all sources.
func (im *edgeImport) run(ctx context.Context, g *graph.Graph, sources terminal.Inputs) error {
	im.shown = im.con.Progress("reading", sources.Size())
	defer func() { im.shown.Finish() }()
	load, err := g.BeginImport(ctx, graph.ImportOptions{
		EdgeList: graph.EdgeListOptions{Separator: separators[im.command.Separator],
			Header: headers[im.command.Header], Keys: im.command.Keys},
		Strict: im.command.Strict, Resume: im.command.Resume,
		KeepBad:     -1,
		MaxBad:      im.command.Bad.OrNone(),
		Cluster:     im.command.Cluster,
		Bad:         im.badLine,
		MemoryBytes: int64(im.command.Memory) * 3 / 8, // three quarters of the database's, which has nothing else to do
		Progress:    func(p graph.ImportProgress) { im.progress(p, sources.Size()) },
	})
	if err != nil {
		return err
	}
	im.load = load
	defer load.Abort()
	for _, s := range sources {
		im.source = s
		report, err := load.Read(s)
		im.lines, im.follows = im.lines+report.Lines, im.follows+report.Follows
		if report.Header != "" {
			im.shown.Line(fmt.Sprintf("names of columns in %s: %s", s.Name, report.Header))
		}
		if bad := (*graph.LineError)(nil); errors.As(err, &bad) {
			return fmt.Errorf("%s: %s", s.Name, badLine(bad))
		}
		if errors.Is(err, graph.ErrHeader) {
			return terminal.Advise("--header yes or --header no", "%s: %s; %s", s.Name,
				database.Public(err.Error()), im.left())
		}
		if err != nil && (ctx.Err() != nil || errors.As(err, new(*graph.UnfinishedError))) {
			return cmp.Or(ctx.Err(), err)
		}
		if err != nil {
			im.short = errors.Is(err, uproar.ErrMemory)
			return fmt.Errorf("%s: %s", s.Name, database.Public(err.Error()))
		}
	}
	return load.Commit()
}

// progress shows how far the import is.
func (im *edgeImport) progress(p graph.ImportProgress, size int64) {
	if p.Total == 0 {
		each := terminal.PerSecond(p.Follows, im.start)
		im.shown.Update(p.BytesRead, size, terminal.Plural(p.Follows, "follow")+", "+terminal.Count(each)+"/s")
		return
	}
	if !im.writing {
		im.writing = true
		im.shown.Finish()
		im.shown = im.con.Progress("writing", p.Total)
	}
	im.shown.Update(p.Done, p.Total, terminal.Plural(p.Done, "value"))
}

// badLine counts a bad line, and prints it if not too many have been.
func (im *edgeImport) badLine(bad *graph.LineError) {
	if im.bad++; !im.command.Strict && im.bad <= int64(im.command.ShowBad) {
		im.shown.Line(im.source.Name + ": " + badLine(bad))
	}
}

// badLine returns what is wrong with a line, without the package that found it.
func badLine(bad *graph.LineError) string { return database.Public(bad.Error()) }

// failed returns an error that says what has become of the import.
func (im *edgeImport) failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted after %s: %s", terminal.Plural(im.lines, "line"), im.left())
	}
	if part := (*graph.UnfinishedError)(nil); errors.As(err, &part) {
		return terminal.Advise("--keys --resume with the same files to go on, or a new --dir to begin again", "an import "+
			"with --keys has not ended, of which %s are stored; got %s", terminal.Plural(part.Follows, "follow"), part.Got)
	}
	if im.command.Strict && im.bad > 0 {
		return terminal.Advise("without --strict, to leave bad lines out", "%w; %s", err, im.left())
	}
	if errors.As(err, new(*terminal.AdviceError)) {
		return err
	}
	if errors.Is(err, graph.ErrTooManyBad) {
		return terminal.Advise("--separator or --header, or --bad SHARE to leave more of it out", "%s; %s",
			database.Public(err.Error()), im.left())
	}
	if im.short || errors.Is(err, uproar.ErrMemory) {
		return terminal.Advise("a larger --memory", "%w; %s", err, im.left())
	}
	return fmt.Errorf("%w; %s", err, im.left())
}

// tellHidden says how many bad lines were not printed.
func (im *edgeImport) tellHidden() {
	if hidden := im.bad - int64(im.command.ShowBad); hidden > 0 && !im.command.Strict {
		fmt.Fprintf(im.con.Err, "and %s more; --show-bad %d shows them all\n", terminal.Plural(hidden, "bad line"),
			im.bad)
	}
}

// summary says what was imported, and what there is now.
func (im *edgeImport) summary(index *uproar.Index) error {
	im.tellHidden()
	stats, err := index.Stats()
	if err != nil {
		return err
	}
	return im.command.tell(im.con, im.start, im.follows, im.lines, im.bad, fmt.Sprintf("index %s has %s\n",
		index.Name(), terminal.Plural(stats.Records, "account")))
}
