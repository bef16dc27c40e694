// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/internal/moment"
	"github.com/uproar-db/uproar/internal/plaintext"
)

// ErrTable is matched when a table cannot be read.
var ErrTable = errors.New("catalog: table")

// LineError is a line of a table that is no record.
type LineError struct {
	Line int64 // from 1
	Err  error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, plain(e.Err)) }

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// Table is a table that is read into a replacement.
type Table struct {
	Bad      func(*LineError) error                // told of every line that is no record, which is left out; an error ends the reading. Default: the first one does
	Progress func(bytes int64, records, bad int64) // told now and then; of a compressed table, compressed bytes
}

// Read reads comma-separated values with a header (RFC 4180), plain or compressed with gzip, and adds a record for each line; spaces around values are left out, and an empty value is none. The columns
// are those that the schema names, in any order; others are left out. A column of a rule has conditions as ParseCondition reads them. It returns how many records were added and how many lines left out. Errors:
// ErrTable, those of Bad, ctx's, or those of r and of the load, after which the replacement has to be aborted.
func (r *Replacement) Read(ctx context.Context, table Table, in io.Reader) (records, bad int64, err error) {
	bytes := int64(0)
	plain, err := plaintext.NewReader(in, func(n int) { bytes += int64(n) })
	if err != nil {
		return 0, 0, fmt.Errorf("%w: %w", ErrTable, err)
	}
	bounded := &boundedLines{r: plain, left: maxLine}
	lines := csv.NewReader(bounded)
	lines.ReuseRecord, lines.TrimLeadingSpace = true, true
	header, err := lines.Read()
	if err != nil {
		return 0, 0, fmt.Errorf("%w: header: %w", ErrTable, err)
	}
	at, err := r.layout.columns(header)
	if err != nil {
		return 0, 0, err
	}
	const linesPerLook = 1 << 10
	for n := int64(1); ; n++ {
		bounded.left = maxLine
		fields, err := lines.Read()
		if err == io.EOF {
			return records, bad, nil
		}
		malformed, isMalformed := errors.AsType[*csv.ParseError](err)
		if err != nil && !isMalformed {
			return records, bad, fmt.Errorf("%w: %w", ErrTable, err)
		}
		if n%linesPerLook == 0 {
			if ctx.Err() != nil {
				return records, bad, ctx.Err()
			}
			if table.Progress != nil {
				table.Progress(bytes, records, bad)
			}
		}
		r.lines++
		var wrong *LineError
		if isMalformed {
			wrong = &LineError{int64(malformed.StartLine), fmt.Errorf("%w: %w", ErrTable, malformed.Err)}
		} else if err := r.addLine(at, fields); err == nil {
			records++
			continue
		} else if !errors.As(err, new(*CheckError)) {
			return records, bad, err
		} else {
			line, _ := lines.FieldPos(0)
			wrong = &LineError{int64(line), err}
		}
		bad++
		r.tally.Reject(wrong.Error())
		if table.Bad == nil {
			return records, bad, wrong
		}
		if err := table.Bad(wrong); err != nil {
			return records, bad, err
		}
	}
}

// maxLine is how many bytes a line may have: a quote that is never closed would otherwise make one of all that follows, in memory.
const maxLine = 16 << 20

// boundedLines is a reader of lines, each of which may have so many bytes: who reads them sets left before each. What is read ahead counts as of the line before.
type boundedLines struct {
	r    io.Reader
	left int
}

// Read implements io.Reader.
func (b *boundedLines) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("got a line of more than %d bytes, such as one with a quote that is never closed", maxLine)
	}
	n, err := b.r.Read(p)
	b.left -= n
	return n, err
}

// addLine adds the record of the line that was read last.
func (r *Replacement) addLine(at columns, fields []string) error {
	record, err := r.layout.record(at, fields, r.lines)
	if err != nil {
		return err
	}
	return r.Add(&record)
}

// columns are where a table has what the schema names; -1: nowhere.
type columns struct {
	key, priority, isDefault int
	attributes               []int
}

// columns finds the columns in a header.
func (l *layout) columns(header []string) (c columns, err error) {
	names := make([]string, len(header))
	for i, name := range header {
		names[i] = strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
	}
	find := func(name string) int {
		if name == "" {
			return -1
		}
		i := slices.Index(names, name)
		if i < 0 {
			err = errors.Join(err, fmt.Errorf("%w: got no column %q, want it in %q", ErrTable, name, names))
		}
		return i
	}
	c.key, c.priority, c.isDefault = find(l.schema.Key), find(l.schema.Priority), find(l.schema.Default)
	for i := range l.schema.Attributes {
		c.attributes = append(c.attributes, find(l.schema.Attributes[i].Name))
	}
	return c, err
}

// tableText returns the text of a table as values of the attribute are written.
func (a *Attribute) tableText(text string) string {
	switch a.Type {
	case Date:
		return moment.Day(text)
	case Time:
		return moment.Second(text)
	}
	return text
}

// record returns the record of a line, which borrows its fields.
func (l *layout) record(at columns, fields []string, line int64) (r Record, err error) {
	text := func(i int) string {
		if i < 0 {
			return ""
		}
		return strings.TrimSpace(fields[i])
	}
	if r.Key = strconv.FormatInt(line, 10); at.key >= 0 {
		r.Key = strings.Clone(text(at.key))
	}
	if p := text(at.priority); p != "" {
		if r.Priority, err = strconv.ParseInt(p, 10, 64); err != nil {
			return r, &CheckError{r.Key, fmt.Errorf("%w: priority: got %q, want a whole number", ErrCondition, p)}
		}
	}
	switch d := strings.ToLower(text(at.isDefault)); d {
	case "true", "yes", "1":
		r.Default = true
	case "", "false", "no", "0":
	default:
		return r, &CheckError{r.Key, fmt.Errorf("%w: default: got %q, want true, yes, 1, false, no, 0 or nothing", ErrCondition, d)}
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
