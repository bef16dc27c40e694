// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/internal/table"
)

// lineReader reads likes line by line. No column has a line end: a quote that is not closed in its
// line takes no further ones.
type lineReader struct {
	in   *bufio.Reader
	end  byte
	line int // that was read last, from 1
}

// newLineReader begins a text, whose byte order mark it passes over. Errors: *table.FormatError of
// what is no text in UTF-8, or r's.
func newLineReader(r io.Reader) (*lineReader, error) {
	l := &lineReader{in: bufio.NewReaderSize(r, graph.MaxLine+2)} // two bytes more, for the line's end
	end, err := table.Begin(l.in)
	if err == io.EOF {
		err = nil
	}
	l.end = end
	return l, err
}

// next returns the columns of the next line that is not empty. Errors: *LineError, io.EOF, or the
// reader's.
func (l *lineReader) next() (Change, error) {
	for {
		text, err := l.in.ReadSlice(l.end)
		if err != nil && err != bufio.ErrBufferFull && (err != io.EOF || len(text) == 0) {
			return Change{}, err
		}
		l.line++
		text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte{l.end}), []byte("\r"))
		if len(text) > graph.MaxLine || err == bufio.ErrBufferFull {
			return Change{}, l.wrong(graph.ErrLineTooLong)
		}
		if len(text) > 0 {
			return l.split(string(text))
		}
	}
}

// split returns the columns of a line.
func (l *lineReader) split(text string) (Change, error) {
	columns := strings.SplitN(text, ",", 4)
	if strings.Contains(text, `"`) {
		var err error
		columns, err = csv.NewReader(strings.NewReader(text)).Read()
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			return Change{}, l.wrong(fmt.Errorf("want actor, key, subject: %w", bad.Err))
		}
		if err != nil {
			return Change{}, l.wrong(err)
		}
	}
	if len(columns) != 3 {
		return Change{}, l.wrong(fmt.Errorf("want actor, key, subject: %w", csv.ErrFieldCount))
	}
	return Change{Account: columns[0], Key: columns[1], Subject: columns[2]}, nil
}

// wrong returns an error about the line that was read last; nil if nothing is wrong with it.
func (l *lineReader) wrong(err error) error {
	if err == nil {
		return nil
	}
	return &LineError{l.line, err}
}
