// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// CSV reads separated values with a header (RFC 4180). Blanks around unquoted values are left out;
// quoted ones are kept byte for byte, line ends and blanks included. Empty lines are skipped.
//
// A row has as many values as the header has columns, and a quoted value may go on over lines, up
// to [maxRow] bytes. A row that has not, or whose quotes are wrong, is a [*LineError] if rows can
// be told apart for certain nevertheless: no quote is left over in its line; or it would be a row
// without that quote, every line behind it is a row by itself, up to the next line with a quote,
// and no value of the table goes on over lines. Otherwise it is a [*QuoteError], which ends the
// table. So is the first value over lines whose lines would all be rows without its two quotes.
type CSV struct {
	lines     *lines
	separator Separator
	ambiguous bool
	header    []string
	multiline bool  // a row of several lines was met: lines tell rows apart no more
	dropped   int64 // a line that was left out since they did

	s, probe splitter
	fields   []string
	at       []int
	row      Row
}

// NewCSV begins a table, compressed or not, and reads its header. separator is Detect for the one
// that the header has; a first line such as "sep=;" names it, too, and is no header. Errors: those
// of a table, or r's.
func NewCSV(r io.Reader, separator Separator) (*CSV, error) {
	if err := separator.check(); err != nil {
		return nil, err
	}
	l, sample, err := newLines(r)
	if err != nil {
		return nil, err
	}
	c := &CSV{lines: l, separator: separator}
	first, err := l.peek(0)
	if err == nil {
		if s, ok := Hint(trimEnd(first, l.end)); ok {
			if c.separator == Detect {
				c.separator = s
			}
			sample = sample[min(len(first), len(sample)):]
			l.take(len(first), 1)
		}
	}
	if isJSON(sample) {
		return nil, &FormatError{"JSON",
			"read it as NDJSON, one object a line, where that is read, or convert it to CSV"}
	}
	if c.separator == Detect {
		c.separator, c.ambiguous = sniff(bytes.TrimLeft(sample, "\r\n"), l.end)
	}
	for _, s := range []*splitter{&c.s, &c.probe} {
		s.separator, s.end = byte(c.separator), l.end
	}
	return c, c.readHeader()
}

// isJSON reports whether a header would begin with a JSON object or array.
func isJSON(sample []byte) bool {
	text := bytes.TrimSpace(sample)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	next := bytes.TrimLeft(text[1:], " \t\r\n")
	return len(next) > 0 && bytes.IndexByte([]byte(`"{[`), next[0]) >= 0
}

// readHeader reads the names of the columns.
func (c *CSV) readHeader() error {
	fields, err := c.record()
	if err == io.EOF {
		return fmt.Errorf("header: got an empty table, want the names of the columns in its first line")
	}
	if err != nil {
		return fmt.Errorf("header: %w", err)
	}
	for _, name := range fields {
		c.header = append(c.header, strings.TrimSpace(name))
	}
	return nil
}

// Header returns the names of all columns, in their order.
func (c *CSV) Header() []string { return c.header }

// Select implements [Reader].
func (c *CSV) Select(names ...string) (err error) {
	c.row.Cells = make([][]string, len(names))
	c.at, err = Find(c.header, names)
	if wrong, ok := errors.AsType[*ColumnError](err); ok {
		wrong.Separator, wrong.Ambiguous = c.separator, c.ambiguous
	}
	return err
}

// Next implements [Reader].
func (c *CSV) Next() (*Row, error) {
	fields, err := c.record()
	if err != nil {
		return nil, err
	}
	for i, at := range c.at {
		c.row.Cells[i] = fields[at : at+1 : at+1]
	}
	return &c.row, nil
}

// record returns the values of the next row.
func (c *CSV) record() ([]string, error) {
	for {
		line, err := c.lines.peek(0)
		if err == errLong {
			at := c.lines.line + 1
			if err := c.lines.skip(); err != nil {
				return nil, err
			}
			return nil, &LineError{at, errTooLong}
		}
		if err != nil {
			return nil, err
		}
		text := trimEnd(line, c.lines.end)
		if len(text) == 0 {
			c.lines.take(len(line), 1)
			continue
		}
		c.row.Line = c.lines.line + 1
		if bytes.IndexByte(text, '"') >= 0 {
			return c.quoted(len(line))
		}
		c.lines.take(len(line), 1)
		if err := checkText(text); err != nil {
			return nil, &LineError{c.row.Line, err}
		}
		c.fields = split(c.fields[:0], string(text), byte(c.separator))
		if err := c.check(len(c.fields)); err != nil {
			return nil, &LineError{c.row.Line, err}
		}
		return c.fields, nil
	}
}

// check fails for a row that has not as many values as the header has columns.
func (c *CSV) check(values int) error {
	if c.header == nil || values == len(c.header) {
		return nil
	}
	return fmt.Errorf("got %d values, want %d, as many as the header has columns", values, len(c.header))
}

// checkText fails for bytes that are no text. A zero byte is one only in a row with quotes: other
// files than tables are full of them.
func checkText(text []byte) error {
	if bytes.IndexByte(text, 0) >= 0 && bytes.IndexByte(text, '"') < 0 {
		return fmt.Errorf("got a zero byte without quotes, want text")
	}
	if utf8.Valid(text) {
		return nil
	}
	at := 0
	for {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n <= 1 {
			return fmt.Errorf("is not valid UTF-8 at byte %d; if all of the file is like that, %s", at+1,
				asUTF8("windows-1252"))
		}
		at += n
	}
}

// quoted returns the values of the row at the present place, whose first line has quotes.
func (c *CSV) quoted(first int) ([]string, error) {
	c.s.begin()
	size, what := 0, ""
	var err error
	for err == nil && (size == 0 || c.s.open) {
		line, failed := c.lines.peek(size)
		switch {
		case failed == io.EOF:
			what = "is never closed"
		case failed == errLong:
			what = fmt.Sprintf("is not closed within %d bytes", maxRow)
		case failed != nil:
			return nil, failed
		}
		if failed != nil {
			err = failed
			break
		}
		size += len(line)
		err = c.s.feed(line)
	}
	if err == nil {
		err = c.check(len(c.s.ends))
	}
	if err == nil {
		text := c.lines.buf[c.lines.r : c.lines.r+size]
		if c.s.lines > 1 && !c.multiline && c.holdsRows(text) {
			return nil, &QuoteError{c.row.Line, fmt.Sprintf("goes on to line %d, and each line of it would be a row",
				c.row.Line+c.s.lines-1)}
		}
		c.lines.take(size, c.s.lines)
		c.multiline = c.multiline || c.s.lines > 1
		if c.multiline && c.dropped > 0 {
			return nil, &QuoteError{c.dropped, "is not closed in its line, and other values go on over lines"}
		}
		if err := checkText(text); err != nil {
			return nil, &LineError{c.row.Line, err}
		}
		return c.s.values(), nil
	}
	began := c.row.Line + c.s.opened
	reason, _, _ := strings.Cut(err.Error(), "; want") // a QuoteError says what is wanted
	if what == "" && c.s.lines > 1 {
		what = fmt.Sprintf("goes on to line %d: %s", c.row.Line+c.s.lines-1, reason)
	} else if what == "" {
		what = "may go on in the next line: " + reason
	}
	alone, failed := c.alone(first)
	switch {
	case failed != nil:
		return nil, failed
	case !alone:
		return nil, &QuoteError{began, what}
	}
	c.lines.take(first, 1)
	if c.s.lines > 1 || c.s.open {
		err = fmt.Errorf("got a quote that is not closed in its line")
	}
	return nil, &LineError{c.row.Line, err}
}

// alone reports whether only the first line of a row that cannot be read is bad, for certain. first
// is the length of that line. A quote may be left over in it. Then the lines behind it have to be
// rows by themselves, up to the next one with a quote, which would close it.
func (c *CSV) alone(first int) (bool, error) {
	if c.s.lines == 1 && !c.s.unsure() {
		return true, nil
	}
	if len(c.header) < 2 || c.multiline || c.s.opened > 0 || c.s.quote < 0 {
		return false, nil
	}
	line, err := c.lines.peek(0)
	if err != nil || !c.isRow(slices.Delete(bytes.Clone(line), c.s.quote, c.s.quote+1)) {
		return false, err
	}
	c.dropped = c.row.Line
	for from := first; ; {
		line, err := c.lines.peek(from)
		if err == io.EOF || err == errLong {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		from += len(line)
		if len(trimEnd(line, c.lines.end)) == 0 {
			continue
		}
		if !c.isRow(line) {
			return false, nil
		}
		if bytes.IndexByte(line, '"') >= 0 {
			return true, nil
		}
	}
}

// fewestWithin is how many separators a value needs, placed as those of rows, to be taken for rows.
// Lines of an address or a verse may have a few of them by chance.
const fewestWithin = 4

// holdsRows reports whether a row over several lines is as many rows without quotes around the long
// value. Two lines may each have one quote too many.
func (c *CSV) holdsRows(text []byte) bool {
	if len(c.header) < 2 || c.s.opened > 0 {
		return false
	}
	within := 0
	for first := true; len(text) > 0; first = false {
		n := bytes.IndexByte(text, c.lines.end) + 1
		if n == 0 {
			n = len(text)
		}
		line := text[:n]
		text = text[n:]
		switch {
		case first:
			line = slices.Delete(bytes.Clone(line), c.s.quote, c.s.quote+1)
		case len(text) == 0:
			at := len(line) - c.s.behind - 1
			line = slices.Delete(bytes.Clone(line), at, at+1)
		case len(trimEnd(line, c.lines.end)) == 0:
			continue
		}
		if !c.isRow(line) {
			return false
		}
		if !first {
			within += len(c.header) - 1
		}
	}
	return within >= fewestWithin
}

// isRow reports whether a line is a row by itself.
func (c *CSV) isRow(line []byte) bool {
	c.probe.begin()
	return c.probe.feed(line) == nil && !c.probe.open && len(c.probe.ends) == len(c.header)
}
