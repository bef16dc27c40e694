// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format is a form that rows are written in.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	TSV     Format = "tsv"
	JSON    Format = "json" // one array of objects
	NDJSON  Format = "ndjson"
	Parquet Format = "parquet"
	Arrow   Format = "arrow" // a stream of IPC
)

// Formats are all formats.
var Formats = []Format{CSV, TSV, JSON, NDJSON, Parquet, Arrow}

// media are the media types of formats.
var media = map[Format]string{
	CSV:     "text/csv",
	TSV:     "text/tab-separated-values",
	JSON:    "application/json",
	NDJSON:  "application/x-ndjson",
	Parquet: "application/vnd.apache.parquet",
	Arrow:   "application/vnd.apache.arrow.stream",
}

// Media returns the media type of the format.
func (f Format) Media() string { return media[f] }

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	if f := Format(name); slices.Contains(Formats, f) {
		return f, nil
	}
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = string(f)
	}
	return "", fmt.Errorf("format: got %.40q, want %s", name, strings.Join(names, ", "))
}

// Accepted returns the format that a client likes best by its field Accept, of those that it names
// by their media types. ok is false when it names none.
func Accepted(accept string) (best Format, ok bool) {
	weight := 0.0
	for part := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		q := quality(parameters)
		for _, f := range Formats {
			if media[f] == name && q > weight {
				best, weight, ok = f, q, true
			}
		}
	}
	return best, ok
}

// quality reads the weight among the parameters of a media type; 1 without one.
func quality(parameters string) float64 {
	for p := range strings.SplitSeq(parameters, ";") {
		if text, ok := strings.CutPrefix(strings.TrimSpace(p), "q="); ok {
			var q float64
			if _, err := fmt.Sscan(text, &q); err != nil {
				return 0
			}
			return q
		}
	}
	return 1
}

// Kind says what the cells of a column hold.
type Kind int

// The kinds.
const (
	Text    Kind = iota
	Texts        // any number of texts
	Integer      // 64 bits
	Decimal      // an integer of units behind Column.Scale digits
	Date         // days since 1970-01-01
	Time         // seconds since 1970-01-01T00:00:00Z
	Float
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

// checkTexts fails for texts that are no UTF-8, which Parquet and Arrow cannot have.
func checkTexts(columns []Column, row []Cell) error {
	for i, c := range columns {
		bad := ""
		switch {
		case c.Kind == Text && !utf8.ValidString(row[i].Text):
			bad = row[i].Text
		case c.Kind == Texts:
			if k := slices.IndexFunc(row[i].Texts, func(s string) bool { return !utf8.ValidString(s) }); k >= 0 {
				bad = row[i].Texts[k]
			}
		}
		if bad != "" {
			return fmt.Errorf("column %q: got the text %.100q, want UTF-8; csv and tsv have any bytes", c.Name, bad)
		}
	}
	return nil
}

// Writer writes rows, one cell for each column. Close writes what is left; it does not close the
// stream below. After an error what was written is no file. Not for concurrent use.
type Writer interface {
	Write(row []Cell) error
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
	case JSON:
		return newObjects(w, columns, "[\n", ",\n", "\n]\n"), nil
	case NDJSON:
		return newObjects(w, columns, "", "\n", "\n"), nil
	case Parquet:
		return newParquet(w, columns), nil
	case Arrow:
		return newArrow(w, columns), nil
	}
	_, err := ParseFormat(string(format))
	return nil, err
}
