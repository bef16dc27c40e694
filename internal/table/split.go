// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"errors"
	"strings"
)

var (
	errBareQuote = errors.New(
		"got a quote within a value that does not begin with one; want the value in quotes, and the quote doubled")
	errAfterQuote = errors.New("got more behind the quote that closes a value; want quotes within a value doubled")
)

// A splitter takes a row of separated values apart, line after line.
type splitter struct {
	separator byte
	end       byte // of a line
	text      []byte
	ends      []int // of the values, in text
	open      bool  // the row goes on in the next line, within quotes
	opened    int64 // lines that were fed before the one with the last quote that opened a value
	quote     int   // where in its line that quote stands; -1: there was none
	behind    int   // bytes of its line behind the last quote that closed a value
	lines     int64 // that were fed
	rest      []byte
	line      []byte // of Line.Split
	fields    []string
}

// begin begins a row.
func (s *splitter) begin() {
	s.text, s.ends, s.open, s.opened, s.quote, s.lines = s.text[:0], s.ends[:0], false, 0, -1, 0
}

// feed takes a line, with its end, which ends the row unless open is set afterwards. Behind an
// error rest is what was not looked at.
func (s *splitter) feed(line []byte) error {
	s.rest = line
	s.lines++
	for {
		if s.open {
			if more, err := s.quoted(); err != nil || !more {
				return err
			}
			continue
		}
		if len(s.rest) > 0 && s.rest[0] == '"' {
			s.enter(len(line), 0)
			continue
		}
		i := bytes.IndexByte(s.rest, s.separator)
		value := s.rest
		if i >= 0 {
			value = value[:i]
		} else {
			value = trimEnd(value, s.end)
		}
		trimmed := bytes.TrimSpace(value)
		quote := bytes.IndexByte(trimmed, '"')
		if quote == 0 {
			s.enter(len(line), bytes.IndexByte(s.rest, '"')) // behind blanks
			continue
		}
		if quote > 0 {
			s.rest = s.rest[len(value):]
			return errBareQuote
		}
		s.text = append(s.text, trimmed...)
		s.ends = append(s.ends, len(s.text))
		if i < 0 {
			return nil
		}
		s.rest = s.rest[i+1:]
	}
}

// enter goes behind a quote that opens a value.
func (s *splitter) enter(line, at int) {
	s.open, s.opened, s.quote = true, s.lines-1, line-len(s.rest)+at
	s.rest = s.rest[at+1:]
}

// quoted takes a value on, behind its first quote. more says that the line goes on behind it.
func (s *splitter) quoted() (more bool, err error) {
	for {
		i := bytes.IndexByte(s.rest, '"')
		if i < 0 {
			s.text = append(s.text, s.rest...)
			return false, nil
		}
		s.text = append(s.text, s.rest[:i]...)
		s.rest = s.rest[i+1:]
		if len(s.rest) > 0 && s.rest[0] == '"' {
			s.text = append(s.text, '"')
			s.rest = s.rest[1:]
			continue
		}
		s.open, s.behind = false, len(s.rest)
		s.ends = append(s.ends, len(s.text))
		switch {
		case len(s.rest) > 0 && s.rest[0] == s.separator:
			s.rest = s.rest[1:]
			return true, nil
		case len(trimEnd(s.rest, s.end)) == 0:
			return false, nil
		}
		return false, errAfterQuote
	}
}

// values returns the values of the row. The slice is valid until the next row; the strings stay.
func (s *splitter) values() []string {
	text := string(s.text)
	s.fields = s.fields[:0]
	last := 0
	for _, end := range s.ends {
		s.fields = append(s.fields, text[last:end])
		last = end
	}
	return s.fields
}

// unsure reports whether, behind an error, the line may end within quotes: it has a quote left
// over.
func (s *splitter) unsure() bool {
	return s.open || bytes.Count(s.rest, []byte(`"`))%2 != 0
}

// Line takes single lines of separated values apart.
type Line struct{ s splitter }

// Split returns the values of a line without its end, in which quotes have to close. Blanks around
// unquoted values are left out. The slice is valid until the next call; the strings stay. An error
// says what is wrong with the line.
func (l *Line) Split(line string, separator byte) ([]string, error) {
	l.s.separator, l.s.end = separator, '\n'
	l.s.begin()
	l.s.line = append(l.s.line[:0], line...)
	if err := l.s.feed(l.s.line); err != nil {
		return nil, err
	}
	if l.s.open {
		return nil, errOpenQuote
	}
	return l.s.values(), nil
}

var errOpenQuote = errors.New("got a quote that is not closed in its line")

// split returns the values of a line without quotes.
func split(fields []string, line string, separator byte) []string {
	for {
		i := strings.IndexByte(line, separator)
		if i < 0 {
			return append(fields, strings.TrimSpace(line))
		}
		fields, line = append(fields, strings.TrimSpace(line[:i])), line[i+1:]
	}
}
