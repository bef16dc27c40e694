// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/table"
)

// Format is how a table is written.
type Format string

const (
	CSV    Format = "csv"    // separated values with a header (RFC 4180); blanks around unquoted values are left out
	TSV    Format = "tsv"    // the same with tabs
	NDJSON Format = "ndjson" // one JSON object a line; an array is several values, null none
)

// ValueError is a value, the key of a line, or a whole line that could not be imported.
type ValueError struct {
	Line   int64  // from 1
	Row    bool   // of a table that has rows and not lines, of which Line is the number
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
	return fmt.Sprintf("%s %d, column %s: %s", what, e.Line, e.Column, strings.TrimPrefix(e.Err.Error(), uproar.ErrInvalid.Error()+": "))
}

// Unwrap returns what is wrong with the value.
func (e *ValueError) Unwrap() error { return e.Err }

// Options sets up an import. The zero value means the defaults.
type Options struct {
	Strict      bool              // a bad value or line ends the import. Default: it is told of and left out
	Bad         func(*ValueError) // told of every bad value and malformed line
	MemoryBytes int64             // of the load. Default: the database's
	Separator   rune              // between values of CSV: ',', ';', '\t' or '|'. Default: the one that the header has
	Progress    func(Progress)
}

// Progress says how far an import is.
type Progress struct {
	Bytes   int64 // read, compressed if they are
	Records int64
	Values  int64
	Bad     int64 // values and malformed lines that were left out

	Done, Total int64 // the second part, when pages are written; Total is 0 before
}

// Import is an import of tables, all of which become visible with Commit. Not for concurrent use.
type Import struct {
	schema Schema
	opts   Options
	load   *uproar.Loader
	ctx    context.Context
	state  Progress
	line   int64
}

// Begin begins an import into an index that Schema.Open has returned. ctx ends it. Errors: ErrSchema, or those of uproar.Index.Load.
func Begin(ctx context.Context, index *uproar.Index, schema Schema, opts Options) (*Import, error) {
	if err := schema.Check(); err != nil {
		return nil, err
	}
	im := &Import{schema: schema, opts: opts, ctx: ctx}
	load, err := index.Load(ctx, &uproar.LoadOptions{MemoryBytes: opts.MemoryBytes, Progress: func(done, total int64) {
		im.state.Done, im.state.Total = done, total
		im.tell()
	}})
	im.load = load
	return im, err
}

// Read reads a table, plain or compressed with gzip, zstd or bzip2. It returns how far the import is.
// Errors: *ValueError, if the import is strict; ErrTable; or those of r and of the load, after which
// the import can only be aborted.
func (im *Import) Read(r io.Reader, format Format) (Progress, error) {
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
		return table.NewNDJSON(r)
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

// Commit makes the import visible. It has ended then, whatever Commit returns.
func (im *Import) Commit() error { return im.load.Commit() }

// Abort ends an import without effect. After Commit it does nothing, so that it can be deferred.
func (im *Import) Abort() { im.load.Abort() }

// recordsPerLook is how many records are read between two looks at the context and reports of progress.
const recordsPerLook = 1 << 10

// record begins a record, and returns its key; not ok if it has none and is left out.
func (im *Import) record(key string) (string, bool, error) {
	if im.state.Records%recordsPerLook == 0 {
		if err := im.ctx.Err(); err != nil {
			return "", false, err
		}
		im.tell()
	}
	im.state.Records++
	switch {
	case im.schema.Key == "":
		return strconv.FormatInt(im.state.Records, 10), true, nil
	case key == "":
		im.state.Records--
		return "", false, im.bad(im.schema.Key, key, errNoKey)
	}
	return key, true, nil
}

var errNoKey = errors.New("got nothing, want the key of a record")

// values sets the values of a text in a column, which may have several.
func (im *Import) values(record string, c *Column, text string) error {
	if c.Split == "" {
		return im.value(record, c, text)
	}
	for part := range strings.SplitSeq(text, c.Split) {
		if err := im.value(record, c, strings.TrimSpace(part)); err != nil {
			return err
		}
	}
	return nil
}

// value sets one value.
func (im *Import) value(record string, c *Column, text string) error {
	if text == "" || slices.Contains(im.schema.Null, text) {
		return nil
	}
	value, err := c.value(text)
	if err == nil {
		err = im.load.Set(c.Field.Name, record, value)
	}
	if errors.Is(err, uproar.ErrInvalid) {
		return im.bad(c.Name, text, err)
	}
	im.state.Values++
	return err
}

// bad tells of a value that is left out, or ends a strict import.
func (im *Import) bad(column, text string, err error) error {
	return im.tellBad(&ValueError{Line: im.line, Column: column, Value: text, Err: err})
}

// malformed tells of a line that is left out as a whole.
func (im *Import) malformed(err error) error {
	if im.ctx.Err() != nil { // a file of nothing else is not read to its end
		return im.ctx.Err()
	}
	return im.bad("", "", fmt.Errorf("%w: %w", ErrTable, err))
}

func (im *Import) tellBad(bad *ValueError) error {
	im.state.Bad++
	if im.opts.Bad != nil {
		im.opts.Bad(bad)
	}
	if im.opts.Strict {
		return bad
	}
	return nil
}

func (im *Import) tell() {
	if im.opts.Progress != nil {
		im.opts.Progress(im.state)
	}
}
