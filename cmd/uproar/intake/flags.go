// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package intake imports tables at the command line: it chooses their schema, shows it, asks, and
// loads them into a database or prepares them for a server.
package intake

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/audience/guess"
	"github.com/uproar-db/uproar/internal/tolerance"
)

// Flags are the flags about tables and their schema.
type Flags struct {
	Index     string          `default:"people" placeholder:"NAME" help:"Index of the records, made if need be (${default})."`
	Key       string          `placeholder:"COLUMN" help:"Column of the keys. Default with --column: records are numbered, after those of the index."`
	Column    []string        `sep:"none" placeholder:"NAME:TYPE" help:"A column to import, of type set, single, integer, date, time or decimal. May be repeated. After colons: field=NAME; split=TEXT, between values of a set; scale=N, digits after the point; round, numbers with more digits than that; column=fast or column=small. Default: all, with the types of the index, or guessed."`
	Schema    string          `placeholder:"FILE" help:"Key and columns as JSON, as --dry-run prints them."`
	Yes       bool            `help:"Import with guessed types without asking."`
	DryRun    bool            `help:"Print the schema, and import nothing."`
	Ignore    bool            `help:"Leave columns out that are no fields of the index."`
	Null      []string        `sep:"none" placeholder:"TEXT" help:"A text that stands for no value, beside the empty one. May be repeated."`
	Format    string          `enum:"detect,csv,tsv,ndjson,parquet" default:"detect" help:"Format of the tables: csv, tsv, ndjson, parquet, or detect: by the file names (${default})."`
	Separator string          `enum:"detect,comma,semicolon,tab,pipe" default:"detect" help:"In CSV: comma, semicolon, tab, pipe, or detect: that of the header (${default})."`
	Strict    bool            `help:"Stop at the first bad value or malformed line, and import nothing. Default: leave them out."`
	ShowBad   int             `default:"20" placeholder:"N" help:"Print at most N bad lines and values (${default})."`
	Bad       tolerance.Share `default:"90%" placeholder:"SHARE" help:"Beyond this bad share of the lines, the values, or those of a column import nothing (${default})."`
	Files     []string        `arg:"" name:"file" help:"Tables: CSV or TSV with a header, a JSON object a line, or Parquet; plain, gzip, zstd or bzip2; - is the standard input, not for Parquet."`
}

// Check fails for flags that cannot be, or do not go together.
func (f *Flags) Check() error {
	switch {
	case f.Schema != "" && (len(f.Column) > 0 || f.Key != "" || len(f.Null) > 0):
		return errors.New("--schema does not go with --column, --key and --null: the file has them")
	case f.Schema != "":
		return nil
	}
	_, err := f.columns()
	return err
}

// columns returns what --column says; no columns, if it is not given.
func (f *Flags) columns() (audience.Schema, error) {
	s := audience.Schema{Key: f.Key, Null: f.Null}
	for _, text := range f.Column {
		column, err := audience.ParseColumn(text)
		if err != nil {
			return s, errors.New("--column: " + trim(err))
		}
		s.Columns = append(s.Columns, column)
	}
	if len(s.Columns) == 0 {
		return s, nil
	}
	if err := s.Check(); err != nil {
		return s, errors.New("--column: " + trim(err))
	}
	return s, nil
}

// given returns the schema that the command line has, if any.
func (f *Flags) given() (s audience.Schema, ok bool, err error) {
	if f.Schema == "" {
		s, err = f.columns()
		return s, len(s.Columns) > 0, err
	}
	text, err := os.ReadFile(f.Schema)
	if err != nil {
		return s, false, fmt.Errorf("--schema: %w", err)
	}
	if s, err = audience.ParseSchema(text); err != nil {
		return s, false, fmt.Errorf("--schema: %s: %s", f.Schema, trim(err))
	}
	return s, true, nil
}

// formatOf returns the format of a file; "" if neither its name nor the command line says it.
func (f *Flags) formatOf(name string) audience.Format {
	if f.Format != "detect" {
		return audience.Format(f.Format)
	}
	format := guess.NameFormat(name)
	if format == audience.TSV && f.Separator != "detect" {
		return audience.CSV
	}
	return format
}

// AdviceError is an error with something to be done about it.
type AdviceError struct {
	err error
	try string
}

// Error returns the error, and the advice on a line of its own.
func (e *AdviceError) Error() string { return e.err.Error() + "\nTry: " + e.try }

// Unwrap returns the error without the advice.
func (e *AdviceError) Unwrap() error { return e.err }

// trim returns the text of an error without the package that it comes from.
func trim(err error) string {
	text := err.Error()
	for _, prefix := range [...]string{"audience: ", uproar.ErrInvalid.Error() + ": ", "uproar: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return text
}
