// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/tolerance"
)

// importCatalogCommand imports tables as a catalog, all of them or nothing.
type importCatalogCommand struct {
	importTarget
	Name      string          `default:"catalog" placeholder:"NAME" help:"Name of the catalog (${default})."`
	Schema    string          `placeholder:"FILE" help:"The schema, as JSON. With --to a catalog may keep the one that it has."`
	Separator string          `enum:"detect,comma,semicolon,tab,pipe" default:"detect" help:"Between values: comma, semicolon, tab, pipe, or detect: that of the header (${default})."`
	Strict    bool            `help:"Stop at the first bad line, and import nothing. Default: tell of every one; see --bad."`
	ShowBad   int             `default:"20" placeholder:"N" help:"Print at most N bad lines and values (${default})."`
	Bad       tolerance.Share `default:"0%" placeholder:"SHARE" help:"Beyond this share of bad lines import nothing (${default})."`
	Empty     bool            `help:"Tables without a record may replace the catalog."`
	Files     []string        `arg:"" name:"file" help:"CSV with a header, plain, gzip, zstd or bzip2; - is the standard input."`
}

// Help returns what the help of the command says beside its flags.
func (*importCatalogCommand) Help() string {
	return `Each line is a record. All replaces the records of the catalog at once, or nothing does if the import fails or is
interrupted. docs/catalog.md describes schemas, and the conditions of rules.

Example: uproar import catalog --dir shop --name prices --schema prices.json prices.csv.gz
         uproar import catalog --to http://127.0.0.1:7070 --name prices prices.csv.gz`
}

// Validate is called when the command line is parsed.
func (c *importCatalogCommand) Validate() error {
	if c.Dir != "" && c.Schema == "" {
		return errors.New("missing flags: --schema=FILE")
	}
	return c.check()
}

// readSchema reads the schema of a catalog from a file.
func readSchema(name string) (*catalog.Schema, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--schema: %w", err)
	}
	schema, err := catalog.ParseSchema(text)
	if err != nil {
		return nil, fmt.Errorf("--schema: %s: %w", name, err)
	}
	return schema, nil
}

// Run imports.
func (c *importCatalogCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	var schema *catalog.Schema
	if c.Schema != "" {
		if schema, err = readSchema(c.Schema); err != nil {
			return err
		}
	}
	sources, err := terminal.OpenInputs(ctx, c.Files, con.In)
	if err != nil {
		return err
	}
	defer sources.Close()
	if c.To != "" {
		return c.send(ctx, con, schema, sources)
	}
	separator, err := table.ParseSeparator(c.Separator)
	if err != nil {
		return err
	}
	db, err := database.Open(ctx, c.Dir, c.Store, true, &uproar.Options{MemoryBytes: database.Memory(c.Memory)})
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	im := catalogImport{con: con, start: time.Now(), size: sources.Size(), separator: separator, strict: c.Strict,
		showBad: int64(c.ShowBad)}
	opts := catalog.ReplaceOptions{MemoryBytes: int64(c.Memory) / 4, MaxBad: float64(c.Bad), Empty: c.Empty}
	err = im.run(ctx, db, c.Name, schema, opts, sources)
	if hidden := im.bad - im.showBad; hidden > 0 {
		fmt.Fprintf(con.Err, "and %s more; --show-bad %d shows them all\n", terminal.Plural(hidden, "bad line"), im.bad)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted after %s: nothing was imported", terminal.Plural(im.records, "record"))
	case errors.Is(err, catalog.ErrTooManyBad):
		return terminal.Advise("--bad SHARE, to leave bad lines out", "%s; nothing was imported",
			database.Public(err.Error()))
	case errors.Is(err, catalog.ErrEmpty):
		return terminal.Advise("--empty, if that is meant", "%s; nothing was imported",
			database.Public(err.Error()))
	case err != nil:
		return fmt.Errorf("%w; nothing was imported", err)
	}
	return c.tell(con, im.start, im.records, im.bad)
}

// tell says what was imported.
func (c *importCatalogCommand) tell(con *terminal.Console, start time.Time, records, bad int64) error {
	took := time.Since(start)
	return terminal.Tell(con.Out, c.JSON, struct {
		Catalog string  `json:"catalog"`
		Records int64   `json:"records"`
		Bad     int64   `json:"bad"`
		Seconds float64 `json:"seconds"`
	}{c.Name, records, bad, took.Seconds()}, "imported %s in %s, %s left out\n", terminal.Plural(records, "record"),
		terminal.Took(took), terminal.Plural(bad, "bad line"))
}

// send has a server import the sources.
func (c *importCatalogCommand) send(ctx context.Context, con *terminal.Console, schema *catalog.Schema,
	sources terminal.Inputs) error {
	query := url.Values{
		"catalog": {c.Name}, "separator": {c.Separator}, "strict": {strconv.FormatBool(c.Strict)},
		"bad": {c.Bad.String()}, "empty": {strconv.FormatBool(c.Empty)},
	}
	to := remoteImport{RemoteFlags: c.RemoteFlags, to: c.To, path: "/v1/catalog/import", query: query,
		try: url.Values{"catalog": {c.Name}, "check": {"true"}}}
	if schema != nil {
		text, err := json.Marshal(schema)
		if err != nil {
			return err
		}
		to.schema = text
	}
	start := time.Now()
	var done api.CatalogImportReply
	if err := to.send(ctx, con, sources, &done); err != nil {
		return err
	}
	tellBad(con, done.BadLines, done.Bad, c.ShowBad)
	return c.tell(con, start, done.Records, done.Bad)
}

// catalogImport is one import of several tables.
type catalogImport struct {
	con       *terminal.Console
	start     time.Time
	size      int64
	separator table.Separator
	strict    bool
	showBad   int64
	shown     *terminal.Progress
	records   int64
	bad       int64
}

// run reads all sources into the place of what the catalog has.
func (im *catalogImport) run(ctx context.Context, db *uproar.DB, name string, schema *catalog.Schema,
	opts catalog.ReplaceOptions, sources terminal.Inputs) error {
	im.shown = im.con.Progress("reading", im.size)
	defer func() { im.shown.Finish() }()
	writing := false
	opts.Progress = func(done, total int64) {
		if !writing {
			writing = true
			im.shown.Finish()
			im.shown = im.con.Progress("writing", total)
		}
		im.shown.Update(done, total, terminal.Plural(done, "value"))
	}
	if err := dependents.CheckName(db, name); err != nil {
		return err
	}
	r, err := catalog.Replace(ctx, db, name, schema, opts)
	if err != nil {
		return err
	}
	defer r.Abort()
	read := int64(0)
	for _, s := range sources {
		records, bad, last := im.records, im.bad, int64(0)
		text := catalog.Table{
			Separator: rune(im.separator),
			Bad:       func(e *catalog.LineError) error { return im.wrong(s.Name, e) },
			Progress: func(bytes, more, _ int64) {
				last = bytes
				im.shown.Update(read+bytes, im.size, terminal.Plural(records+more,
					"record")+", "+terminal.Count(terminal.PerSecond(records+more, im.start))+"/s")
			},
		}
		more, wrong, err := r.Read(ctx, text, s)
		im.records, im.bad, read = records+more, bad+wrong, read+last
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return r.Commit(ctx)
}

// wrong prints a line that is left out, if not too many have been, or ends a strict import.
func (im *catalogImport) wrong(source string, e *catalog.LineError) error {
	if im.strict {
		return e
	}
	if im.bad++; im.bad <= im.showBad {
		im.shown.Line(source + ": " + database.Public(e.Error()))
	}
	return nil
}
