// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/parquet"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/tolerance"
)

// importAudienceCommand imports tables, all of them or nothing.
type importAudienceCommand struct {
	Dir       string            `required:"" placeholder:"DIR" help:"Folder of the database, made if need be."`
	Index     string            `default:"people" placeholder:"NAME" help:"Index of the records, made if need be (${default})."`
	Key       string            `placeholder:"COLUMN" help:"Column of the keys. Default: records are numbered, after those of the index."`
	Column    []string          `required:"" sep:"none" placeholder:"NAME:TYPE" help:"A column to import, of type set, single, integer, date, time or decimal. May be repeated. Further parts, after colons: field=NAME; split=TEXT, between values of a set; scale=N, digits of a decimal after the point; column=fast or column=small, also keep the values of each record together."`
	Null      []string          `sep:"none" placeholder:"TEXT" help:"A text that stands for no value, beside the empty one. May be repeated."`
	Format    string            `enum:"detect,csv,tsv,ndjson,parquet" default:"detect" help:"Format of the tables: csv, tsv, ndjson, parquet, or detect: by the file names (${default})."`
	Separator string            `enum:"detect,comma,semicolon,tab,pipe" default:"detect" help:"In CSV: comma, semicolon, tab, pipe, or detect: that of the header (${default})."`
	Strict    bool              `help:"Stop at the first bad value or malformed line, and import nothing. Default: leave them out."`
	ShowBad   int               `default:"20" placeholder:"N" help:"Print at most N bad lines and values (${default})."`
	Bad       tolerance.Share   `default:"90%" placeholder:"SHARE" help:"Beyond this bad share of the lines, the values, or those of a column import nothing (${default})."`
	Memory    terminal.ByteSize `default:"512MiB" placeholder:"SIZE" help:"Memory of the whole import (${default})."`
	database.EngineFlag
	Files []string `arg:"" name:"file" help:"Tables: CSV or TSV with a header, a JSON object a line, or Parquet; plain, gzip, zstd or bzip2; - is the standard input, not for Parquet."`
}

// Help returns what the help of the command says beside its flags.
func (*importAudienceCommand) Help() string {
	return `Each line is a record, also without values. A row without a key is left out. A value that its field cannot take is
left out, and its record stays. All becomes visible at once, or nothing if the import fails or is interrupted.

Example: uproar import audience --dir people --key id --column 'likes:set:split=|:column=fast' --column city:single people.csv.gz
         uproar import audience --dir people --key id --column city:single --format ndjson -`
}

// Validate is called when the command line is parsed.
func (c *importAudienceCommand) Validate() error {
	if c.Memory < leastMemory {
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, leastMemory)
	}
	_, err := c.schema()
	return err
}

// schema returns what the command line says of the columns.
func (c *importAudienceCommand) schema() (audience.Schema, error) {
	s := audience.Schema{Key: c.Key, Null: c.Null}
	for _, text := range c.Column {
		column, err := audience.ParseColumn(text)
		if err != nil {
			return s, errors.New("--column: " + database.Public(err.Error()))
		}
		s.Columns = append(s.Columns, column)
	}
	if len(s.Columns) == 0 {
		return s, nil // which the parser finds itself
	}
	if err := s.Check(); err != nil {
		return s, errors.New("--column: " + database.Public(err.Error()))
	}
	return s, nil
}

// parquetFormat is read by a package of its own.
const parquetFormat audience.Format = "parquet"

// formatOf returns the format of a file.
func (c *importAudienceCommand) formatOf(name string) audience.Format {
	if c.Format != "detect" {
		return audience.Format(c.Format)
	}
	name = strings.ToLower(name)
	for _, compressed := range []string{".gz", ".zst", ".bz2"} {
		name = strings.TrimSuffix(name, compressed)
	}
	if c.Separator == "detect" && (strings.HasSuffix(name, ".tsv") || strings.HasSuffix(name, ".tab")) {
		return audience.TSV
	}
	for suffix, format := range map[string]audience.Format{".ndjson": audience.NDJSON, ".jsonl": audience.NDJSON,
		".json": audience.NDJSON, ".parquet": parquetFormat, ".pq": parquetFormat} {
		if strings.HasSuffix(name, suffix) {
			return format
		}
	}
	return audience.CSV
}

// Run imports.
func (c *importAudienceCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	schema, err := c.schema()
	if err != nil {
		return err
	}
	sources, err := openSources(ctx, c.Files, con.In)
	if err != nil {
		return err
	}
	defer sources.close()
	db, err := database.Open(ctx, c.Dir, c.Store, true, &uproar.Options{MemoryBytes: databaseMemory(c.Memory)})
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	im := tableImport{command: c, con: con, start: time.Now(), size: sources.size()}
	index, err := im.run(ctx, db, schema, sources)
	if hidden := im.state.Bad - int64(c.ShowBad); hidden > 0 && !c.Strict {
		fmt.Fprintf(con.Err, "and %s more; --show-bad %d shows them all\n", terminal.Plural(hidden, "bad value"),
			im.state.Bad)
	}
	if err != nil {
		return im.failed(err)
	}
	stats, err := index.Stats()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.Out, "imported %s of %s in %s, %s left out\nindex %s has %s\n",
		terminal.Plural(im.state.Values, "value"), terminal.Plural(im.state.Records, "record"),
		terminal.Took(time.Since(im.start)), terminal.Plural(im.state.Bad, "bad value"), index.Name(),
		terminal.Plural(stats.Records, "record"))
	return err
}

// tableImport is one import of several tables.
type tableImport struct {
	command *importAudienceCommand
	con     *terminal.Console
	start   time.Time
	size    int64
	shown   *terminal.Progress
	name    string // of the source that is read
	writing bool
	tooBad  bool
	state   audience.Progress
}

// failed returns an error that says what has become of the import, and what can be done.
func (im *tableImport) failed(err error) error {
	c := im.command
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted after %s: nothing was imported", terminal.Plural(im.state.Records, "record"))
	}
	conflict, differs := errors.AsType[*uproar.FieldConflictError](err)
	err = fmt.Errorf("%s; nothing was imported", database.Public(err.Error()))
	switch {
	case differs && conflict.Has.Name == "":
		return &terminal.AdviceError{Err: err, Try: "uproar fields --dir " + c.Dir + " --index " + c.Index + " --add " +
			conflict.Want.String()}

	case differs:
		return &terminal.AdviceError{Err: err,
			Try: "--column NAME:TYPE:field=NAME for another field, or uproar fields --dir " + c.Dir +
				" --index " + c.Index + " --drop " + conflict.Want.Name}

	case im.tooBad:
		return &terminal.AdviceError{Err: err,
			Try: "--column with the right types, or --bad SHARE to leave more of it out"}
	}
	return err
}

// run loads all sources.
func (im *tableImport) run(ctx context.Context, db *uproar.DB, schema audience.Schema,
	sources sourceList) (*uproar.Index, error) {
	im.shown = im.con.Progress("reading", im.size)
	defer func() { im.shown.Finish() }()
	separator, err := table.ParseSeparator(im.command.Separator)
	if err != nil {
		return nil, err
	}
	load, err := audience.Begin(ctx, db, im.command.Index, schema, audience.Options{
		Strict: im.command.Strict, Bad: im.bad, MaxBad: im.command.Bad.OrNone(), Separator: rune(separator),
		MemoryBytes: int64(im.command.Memory) / 4, Progress: im.progress,
	})
	if err != nil {
		return nil, err
	}
	defer load.Abort()
	bad := int64(0)
	for _, s := range sources {
		im.name, im.state.Bad = s.name, bad
		state, err := im.read(load, s)
		im.state, bad = state, state.Bad
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s", s.name, database.Public(err.Error()))
		}
	}
	err = load.Commit()
	im.tooBad = errors.Is(err, audience.ErrTooManyBad)
	return load.Index(), err
}

// read reads one source.
func (im *tableImport) read(load *audience.Import, s *source) (audience.Progress, error) {
	format := im.command.formatOf(s.name)
	if format != parquetFormat {
		return load.Read(s, format)
	}
	file, ok := s.Reader.(io.ReaderAt)
	if !ok || s.size == 0 {
		return im.state, errors.New("got a pipe or an empty file, want Parquet in a file on disk")
	}
	return parquet.Read(load, file, s.size)
}

// bad prints a value that is left out, if not too many have been.
func (im *tableImport) bad(e *audience.ValueError) {
	if im.state.Bad++; !im.command.Strict && im.state.Bad <= int64(im.command.ShowBad) {
		im.shown.Line(im.name + ": " + database.Public(e.Error()))
	}
}

// progress shows how far the import is.
func (im *tableImport) progress(p audience.Progress) {
	if p.Total == 0 {
		im.state.Records = p.Records
		im.shown.Update(p.Bytes, im.size, terminal.Plural(p.Records, "record")+", "+terminal.Count(perSecond(p.Records,
			im.start))+"/s")
		return
	}
	if !im.writing {
		im.writing = true
		im.shown.Finish()
		im.shown = im.con.Progress("writing", p.Total)
	}
	im.shown.Update(p.Done, p.Total, terminal.Plural(p.Done, "value"))
}
