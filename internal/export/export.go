// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// Format is a form that rows are written in.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	TSV     Format = "tsv"
	Parquet Format = "parquet"
	Arrow   Format = "arrow" // a stream of IPC
)

// media are the media types of formats.
var media = map[Format]string{
	CSV:     "text/csv",
	TSV:     "text/tab-separated-values",
	Parquet: "application/vnd.apache.parquet",
	Arrow:   "application/vnd.apache.arrow.stream",
}

// Media returns the media type of the format.
func (f Format) Media() string { return media[f] }

// OfMedia returns the format of a media type. ok is false for any other.
func OfMedia(of string) (format Format, ok bool) {
	for f, m := range media {
		if m == of {
			return f, true
		}
	}
	return "", false
}

// Kind says what the cells of a column hold.
type Kind int

// The kinds.
const (
	Text     Kind = iota
	Texts         // any number of texts
	Integer       // 64 bits
	Decimal       // an integer of units behind Column.Scale digits
	Date          // days since 1970-01-01
	Time          // seconds since 1970-01-01T00:00:00Z
	Unsigned      // 64 bits without a sign, which are those of Cell.Integer
	Float         // 64 bits with a fraction
)

// Column is one column of all rows.
type Column struct {
	Name  string
	Kind  Kind
	Scale int // of a Decimal: how many digits stand behind its point
}

// Cell is the value of a row in a column. Which member counts says the column's kind.
type Cell struct {
	Null    bool
	Text    string
	Texts   []string
	Integer int64
	Float   float64
}

// groupBytes is about how many bytes of values a group of rows has in memory, before it is written.
const groupBytes = 8 << 20

// cellBytes is about how many bytes a value takes beside those of its text.
const cellBytes = 8

// checkTexts returns about how many bytes a row has. It fails for texts that are no UTF-8, which
// Parquet and Arrow cannot have.
func checkTexts(columns []Column, row []Cell) (bytes int, err error) {
	check := func(c *Column, text string) {
		bytes += cellBytes + len(text)
		if !utf8.ValidString(text) && err == nil {
			err = fmt.Errorf("column %q: got the text %.100q, want UTF-8; csv and tsv have any bytes", c.Name, text)
		}
	}
	for i := range columns {
		switch c := &columns[i]; c.Kind {
		case Text:
			check(c, row[i].Text)
		case Texts:
			for _, text := range row[i].Texts {
				check(c, text)
			}
		default:
			bytes += cellBytes
		}
	}
	return bytes, err
}

// Writer writes rows, one cell for each column. Close writes what is left; it does not close the
// stream below. After an error what was written is no file. Not for concurrent use.
type Writer interface {
	// Write writes a row.
	Write(row []Cell) error

	// Close ends the file.
	Close() error
}

// NewWriter returns a writer of rows with columns. Errors: a format that there is not, two columns
// of one name, or w's.
func NewWriter(w io.Writer, format Format, columns []Column) (Writer, error) {
	names := make(map[string]bool)
	for _, c := range columns {
		if names[c.Name] {
			return nil, fmt.Errorf("columns: got two of the name %q, want each once", c.Name)
		}
		names[c.Name] = true
	}
	switch format {
	case CSV:
		return newSeparated(w, ',', columns)
	case TSV:
		return newSeparated(w, '\t', columns)
	case Parquet:
		return newParquet(w, columns), nil
	case Arrow:
		return newArrow(w, columns), nil
	}
	return nil, fmt.Errorf("format: got %.40q, want csv, tsv, parquet or arrow", format)
}
