// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/value"
)

// ErrTable is matched when a table cannot be read.
var ErrTable = errors.New("catalog: table")

// LineError is a line of a table that is no record.
type LineError struct {
	Line int64 // from 1
	Err  error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, withoutPackage(e.Err)) }

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// Table is a table that is read into a replacement.
type Table struct {
	// between values: ',', ';', '\t' or '|'. Default: the one that the header has
	Separator rune
	// told of every line that is no record, which is left out; an error ends the reading. Default:
	// the first one does
	Bad      func(*LineError) error
	Progress func(bytes int64, records, bad int64) // told now and then; of a compressed table, compressed bytes
}

// Read reads separated values with a header (RFC 4180), and adds a record for each row. The text
// may be plain or compressed with gzip, zstd or bzip2. Blanks around unquoted values are left out,
// and an empty value is none. The columns are those of the schema, in any order; others are left
// out. A column of a rule has conditions as ParseCondition reads them. Read returns how many
// records it added and how many lines it left out. Errors: ErrTable, those of Bad, ctx's, or those
// of in and of the load, after which the replacement has to be aborted.
func (r *Replacement) Read(ctx context.Context, t Table, in io.Reader) (records, bad int64, err error) {
	counter := table.NewCounter(in)
	rows, at, err := r.layout.open(counter, table.Separator(t.Separator))
	if err != nil {
		return 0, 0, fmt.Errorf("%w: %w", ErrTable, err)
	}
	const linesPerLook = 1 << 10
	for n := int64(1); ; n++ {
		row, err := rows.Next()
		if err == io.EOF {
			return records, bad, nil
		}
		malformed, isMalformed := errors.AsType[*table.LineError](err)
		if err != nil && !isMalformed {
			return records, bad, fmt.Errorf("%w: %w", ErrTable, err)
		}
		if n%linesPerLook == 0 {
			if ctx.Err() != nil {
				return records, bad, ctx.Err()
			}
			if t.Progress != nil {
				t.Progress(counter.Count(), records, bad)
			}
		}
		r.lines++
		var wrong *LineError
		if isMalformed {
			wrong = &LineError{malformed.Line, fmt.Errorf("%w: %w", ErrTable, malformed.Err)}
		} else if err := r.addLine(at, row.Cells); err == nil {
			records++
			continue
		} else if !errors.As(err, new(*CheckError)) {
			return records, bad, err
		} else {
			wrong = &LineError{row.Line, err}
		}
		bad++
		r.tally.Reject(wrong.Error())
		if t.Bad == nil {
			return records, bad, wrong
		}
		if err := t.Bad(wrong); err != nil {
			return records, bad, err
		}
	}
}

// addLine adds the record of the row that was read last.
func (r *Replacement) addLine(at columns, cells [][]string) error {
	record, err := r.layout.record(at, cells, r.lines)
	if err != nil {
		return err
	}
	return r.Add(&record)
}

// columns are where the cells of a row have what the schema names; -1: nowhere.
type columns struct {
	key, priority, isDefault int
	attributes               []int
}

// open begins a table. It reads the columns that the schema names.
func (l *layout) open(in io.Reader, separator table.Separator) (rows table.Reader, c columns, err error) {
	if rows, err = table.NewCSV(in, separator); err != nil {
		return nil, c, err
	}
	var names []string
	want := func(name string) int {
		if name == "" {
			return -1
		}
		names = append(names, name)
		return len(names) - 1
	}
	c.key, c.priority, c.isDefault = want(l.schema.Key), want(l.schema.Priority), want(l.schema.Default)
	for i := range l.schema.Attributes {
		c.attributes = append(c.attributes, want(l.schema.Attributes[i].Name))
	}
	return rows, c, rows.Select(names...)
}

// tableText returns the text of a table as values of the attribute are written.
func (a *Attribute) tableText(text string) string {
	switch a.Type {
	case Date:
		return value.Day(text)
	case Time:
		return value.Second(text)
	}
	return text
}

// record returns the record of a line, which borrows its fields.
func (l *layout) record(at columns, cells [][]string, line int64) (r Record, err error) {
	text := func(i int) string {
		if i < 0 {
			return ""
		}
		return cells[i][0]
	}
	if r.Key = strconv.FormatInt(line, 10); at.key >= 0 {
		r.Key = strings.Clone(text(at.key))
	}
	if p := text(at.priority); p != "" {
		plain, err := value.Decimal(p, 0)
		if err == nil {
			r.Priority, err = strconv.ParseInt(plain, 10, 64)
		}
		if err != nil {
			return r, &CheckError{r.Key, fmt.Errorf("%w: priority: got %q, want a whole number", ErrCondition, p)}
		}
	}
	switch d := strings.ToLower(text(at.isDefault)); d {
	case "true", "yes", "1":
		r.Default = true
	case "", "false", "no", "0":
	default:
		return r, &CheckError{r.Key, fmt.Errorf("%w: default: got %q, want true, yes, 1, false, no, 0 or nothing",
			ErrCondition, d)}
	}
	r.Conditions = make([]Condition, 0, len(at.attributes))
	for i, column := range at.attributes {
		a := &l.schema.Attributes[i]
		if !a.Rule {
			if v := a.tableText(text(column)); v != "" {
				r.Conditions = append(r.Conditions, Condition{Attribute: a.Name, Value: v})
			}
		} else if c, ok := ParseCondition(a, text(column)); ok {
			r.Conditions = append(r.Conditions, c)
		}
	}
	return r, nil
}
