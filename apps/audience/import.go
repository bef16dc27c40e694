// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/tolerance"
	"github.com/uproar-db/uproar/internal/value"
)

// Format is how a table is written.
type Format string

const (
	CSV    Format = "csv"    // separated values with a header (RFC 4180); blanks around unquoted values are left out
	TSV    Format = "tsv"    // the same with tabs
	NDJSON Format = "ndjson" // one JSON object a line; an array is several values, null none

	Parquet Format = "parquet" // which only package apps/audience/parquet reads
)

// ValueError is a value, the key of a line, or a whole line that could not be imported.
type ValueError struct {
	Line   int64  // from 1
	Row    bool   // the table has rows, not lines, and Line is the row's number
	Column string // "": the line is malformed, and Err matches ErrTable
	Value  string
	Err    error
}

// Error implements error.
func (e *ValueError) Error() string {
	what := "line"
	if e.Row {
		what = "row"
	}
	if e.Column == "" {
		return fmt.Sprintf("%s %d: %s", what, e.Line, strings.TrimPrefix(e.Err.Error(), ErrTable.Error()+": "))
	}
	return fmt.Sprintf("%s %d, column %s: %s", what, e.Line, e.Column,
		strings.TrimPrefix(e.Err.Error(), uproar.ErrInvalid.Error()+": "))
}

// Unwrap returns what is wrong with the value.
func (e *ValueError) Unwrap() error { return e.Err }

// Options sets up an import. The zero value means the defaults.
type Options struct {
	Strict bool               // a bad value or line ends the import. Default: it is told of and left out
	Exact  bool               // a bad value ends the import, a bad line does not
	Known  []string           // members of NDJSON; a value of another one ends the import. nil: there may be any
	Bad    func(*ValueError)  // told of every bad value and malformed line
	Unique bool               // a key that two rows have ends the import, see RepeatedKeyError
	Key    func(string) error // fails for what cannot be the key of a record. nil: an index says so itself
	// share of lines, values and those of a column that may be bad. Default: DefaultMaxBad;
	// negative: none
	MaxBad      float64
	MemoryBytes int64 // of the load. Default: the database's
	Separator   rune  // between values of CSV: ',', ';', '\t' or '|'. Default: the one that the header has
	Progress    func(Progress)
}

// DefaultMaxBad is the share of lines, or of the values of a column, that may be bad. If nearly
// everything is bad, the table or column was meant otherwise: its name, its type or its format.
const DefaultMaxBad = 0.9

// Progress says how far an import is.
type Progress struct {
	Bytes   int64 // read, compressed if they are
	Records int64
	Values  int64
	Bad     int64 // values and malformed lines that were left out

	Repeated int64 // records whose key an earlier row has; known at the end

	Done, Total int64 // the second part, when pages are written; Total is 0 before
}

// Import is an import of tables. Each row is a record, whether it has values or not; a row whose
// key is missing or cannot be is left out. All of it becomes visible with Commit, or nothing. Not
// for concurrent use.
type Import struct {
	schema  Schema
	columns []column // of schema
	opts    Options
	db      *uproar.DB
	load    *uproar.Loader
	ctx     context.Context
	names   *numbering // of records without keys; nil: they have keys
	repeats *repeats   // of keys; nil: records have none
	state   Progress
	line    int64
	rows    bool            // the tables have rows, and not lines
	tally   tolerance.Tally // of the lines
}

// column is a column of the schema, and what its values were.
type column struct {
	*Column
	tally tolerance.Tally
}

// Begin begins an import into the index of a name. If there is none, Commit makes it, with the
// fields of the schema: an import that fails leaves no index. ctx ends the import.
//
// Errors: ErrSchema, *uproar.FieldConflictError, or those of uproar.DB.LoadIndex and
// uproar.Index.Load.
func Begin(ctx context.Context, db *uproar.DB, name string, schema Schema, opts Options) (*Import, error) {
	if err := schema.Check(); err != nil {
		return nil, err
	}
	switch {
	case opts.MaxBad == 0:
		opts.MaxBad = DefaultMaxBad
	case opts.MaxBad < 0:
		opts.MaxBad = 0
	}
	im := &Import{schema: schema, opts: opts, db: db, ctx: ctx}
	for i := range schema.Columns {
		im.columns = append(im.columns, column{Column: &schema.Columns[i]})
	}
	if err := im.begin(name); err != nil {
		return im, err
	}
	if im.names == nil {
		im.repeats = newRepeats(opts.Unique)
	}
	return im, nil
}

// begin begins the load of the index, or of a new one.
func (im *Import) begin(name string) error {
	opts := &uproar.LoadOptions{MemoryBytes: im.opts.MemoryBytes, Progress: func(done, total int64) {
		im.state.Done, im.state.Total = done, total
		im.tell()
	}}
	index, err := im.db.Index(name)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		var note []byte
		if im.schema.Key == "" {
			note, im.names = numberedNote, new(numbering)
		}
		im.load, err = im.db.LoadIndex(im.ctx, name, im.schema.fields(), note, opts)
		return err
	}
	if err != nil {
		return err
	}
	if note := index.Note(); index.Name() == Definitions || len(note) > 0 && !bytes.Equal(note, numberedNote) {
		return fmt.Errorf("%w: the records of index %q belong to a catalog, or to saved audiences, which alone write "+
			"them; import into another index", ErrSchema, name)
	}
	if err := im.schema.Fits(index); err != nil {
		return err
	}
	if im.names, err = beginNumbering(index, im.schema.Key); err != nil {
		return err
	}
	im.load, err = index.Load(im.ctx, opts)
	if err != nil {
		im.names.end()
	}
	return err
}

// Index returns the index that the import goes into. Before Commit a new one is seen by nobody
// else.
func (im *Import) Index() *uproar.Index { return im.load.Index() }

// Read reads a table, plain or compressed with gzip, zstd or bzip2. It returns how far the import
// is. Errors: *ValueError, if the import is strict; ErrTable; or those of r and of the load, after
// which the import can only be aborted.
func (im *Import) Read(r io.Reader, format Format) (Progress, error) {
	im.repeats.begin()
	rows, err := im.open(&progressing{r, &im.state.Bytes}, format)
	if err == nil {
		err = im.readTable(rows)
	} else {
		err = fmt.Errorf("%w: %w", ErrTable, err)
	}
	return im.state, err
}

// open begins a table.
func (im *Import) open(r io.Reader, format Format) (table.Reader, error) {
	switch format {
	case CSV:
		return table.NewCSV(r, table.Separator(im.opts.Separator))
	case TSV:
		return table.NewCSV(r, table.Tab)
	case NDJSON:
		rows, err := table.NewNDJSON(r)
		if err == nil {
			rows.Known = im.opts.Known
		}
		return rows, err
	}
	return nil, fmt.Errorf("got format %q, want %q, %q or %q", format, CSV, TSV, NDJSON)
}

// progressing is a reader that adds up how many bytes it reads.
type progressing struct {
	r     io.Reader
	bytes *int64
}

// Read implements io.Reader.
func (p *progressing) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	*p.bytes += int64(n)
	return n, err
}

// ErrTable is matched when a table cannot be read.
var ErrTable = errors.New("audience: table")

// ErrTooManyBad is matched when more of an import is bad than Options.MaxBad allows.
var ErrTooManyBad = errors.New("audience: too many bad lines or values")

// Commit makes the import visible. It has ended then, whatever Commit returns; after an error
// nothing of it is visible. Errors: as of Check, or those of uproar.Loader.Commit.
func (im *Import) Commit() error {
	defer im.Abort()
	if err := im.Check(); err != nil {
		return err
	}
	if err := im.names.mark(im.ctx, im.db, im.load.Index(), numberedNote); err != nil {
		return err
	}
	err := im.load.Commit()
	if err != nil {
		err = errors.Join(err, im.names.mark(context.WithoutCancel(im.ctx), im.db, im.load.Index(), nil))
	}
	return err
}

// fewestBad is how many values of a column have to be bad before they say something about the
// column.
const fewestBad = 10

// Check fails if more is bad than the options allow: of the lines, the values, or those of a
// column; and for keys that are there twice, if they may not be. Commit does so, too. Errors:
// ErrTooManyBad, *RepeatedKeyError, the context's, or those of temporary files.
func (im *Import) Check() error {
	if err := im.check(); err != nil {
		return fmt.Errorf("%w: %w", ErrTooManyBad, err)
	}
	if im.repeats == nil {
		return nil
	}
	if err := im.repeats.count(im.ctx, im.tell); err != nil {
		return err
	}
	im.state.Repeated = im.repeats.n
	if repeated := im.repeats.first; repeated != nil && im.opts.Unique {
		repeated.Column, repeated.Row = im.schema.Key, im.rows
		return repeated
	}
	return nil
}

// Repeated returns how many rows had a key that an earlier one has, once Check or Commit has
// counted them. Such a row replaces the single values and integers of the one before, and adds to
// its sets.
func (im *Import) Repeated() int64 { return im.state.Repeated }

func (im *Import) check() error {
	if err := im.tally.Check(im.opts.MaxBad, "line"); err != nil {
		return err
	}
	var all tolerance.Tally
	for i := range im.columns {
		all.Add(&im.columns[i].tally)
	}
	if err := all.Check(im.opts.MaxBad, "value"); err != nil {
		return err
	}
	for i := range im.columns {
		c := &im.columns[i]
		if err := c.tally.Check(im.opts.MaxBad, "value"); err != nil && c.tally.Bad >= fewestBad {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	return nil
}

// Abort ends an import without effect. After Commit it does nothing, so that it can be deferred.
func (im *Import) Abort() {
	im.load.Abort()
	im.names.end()
	im.repeats.end()
}

// recordsPerLook is how many records are read between two looks at the context and reports of
// progress.
const recordsPerLook = 1 << 10

// record makes the record of a row exist, and returns its key. It returns false if the row has no
// valid key; the row is then left out.
func (im *Import) record(key string) (string, bool, error) {
	if im.state.Records%recordsPerLook == 0 {
		if err := im.ctx.Err(); err != nil {
			return "", false, err
		}
		im.tell()
	}
	if im.names != nil {
		var err error
		if key, err = im.names.next(); err != nil {
			return "", false, err
		}
	} else if key == "" {
		return "", false, im.badLine(im.schema.Key, key, errNoKey)
	}
	if err := im.checkKey(key); err != nil {
		return "", false, im.badLine(im.schema.Key, key, err)
	}
	err := im.load.AddRecord(key)
	if errors.Is(err, uproar.ErrInvalid) {
		return "", false, im.badLine(im.schema.Key, key, err)
	}
	if err != nil {
		return "", false, err
	}
	im.state.Records++
	im.tally.Good++
	return key, true, im.repeats.add(key, im.line)
}

// checkKey fails for what cannot be a key by the options.
func (im *Import) checkKey(key string) error {
	if im.opts.Key == nil {
		return nil
	}
	return im.opts.Key(key)
}

var errNoKey = errors.New("got nothing, want the key of a record")

// values sets the values of a text in a column, which may have several.
func (im *Import) values(record string, c *column, text string) error {
	if c.Split == "" {
		return im.value(record, c, text)
	}
	for part := range value.SplitList(text, c.Split) {
		if err := im.value(record, c, part); err != nil {
			return err
		}
	}
	return nil
}

// value sets one value.
func (im *Import) value(record string, c *column, text string) error {
	if text == "" || slices.Contains(im.schema.Null, text) {
		return nil
	}
	err := im.set(record, c, text)
	if errors.Is(err, uproar.ErrInvalid) {
		return im.bad(c, text, err)
	}
	return err
}

// set sets a value, which it counts if it can be.
func (im *Import) set(record string, c *column, text string) error {
	text, err := c.value(text)
	if err == nil {
		err = im.load.Set(c.Field.Name, record, text)
	}
	if err == nil {
		im.state.Values++
		c.tally.Good++
	}
	return err
}

// bad tells of a value that is left out, or ends a strict import.
func (im *Import) bad(c *column, text string, err error) error {
	return im.tellBad(&ValueError{Line: im.line, Column: c.Name, Value: text, Err: err}, &c.tally)
}

// badLine tells of a line that is left out as a whole, or ends a strict import.
func (im *Import) badLine(column, text string, err error) error {
	return im.tellBad(&ValueError{Line: im.line, Column: column, Value: text, Err: err}, &im.tally)
}

// malformed tells of a line that is left out as a whole.
func (im *Import) malformed(err error) error {
	if im.ctx.Err() != nil { // a file of nothing else is not read to its end
		return im.ctx.Err()
	}
	return im.badLine("", "", fmt.Errorf("%w: %w", ErrTable, err))
}

func (im *Import) tellBad(bad *ValueError, of *tolerance.Tally) error {
	im.state.Bad++
	of.Reject(bad.Error())
	if im.opts.Bad != nil {
		im.opts.Bad(bad)
	}
	if im.opts.Strict || im.opts.Exact && of != &im.tally {
		return bad
	}
	return nil
}

func (im *Import) tell() {
	if im.opts.Progress != nil {
		im.opts.Progress(im.state)
	}
}
