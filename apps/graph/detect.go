// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/table"
)

// How much of a text is looked at when its first line is read.
const (
	sampleBytes = MaxLine
	sampleLines = 200
)

// ErrEncoding is matched by the error about a text that cannot be read as one: it is a file of
// another kind, such as a zip archive or UTF-16, its compressed data is damaged or cut short, or
// its header has a column twice.
var ErrEncoding = errors.New("graph: edge list cannot be read")

// start finds out what the text is: its compression, its encoding and the ends of its lines.
func (l *EdgeList) start() error {
	text, err := table.Decompress(l.raw)
	if err == nil {
		if l.ahead != nil {
			text = l.ahead(text)
		}
		l.in = bufio.NewReaderSize(text, MaxLine+2) // two bytes more than a line, for its end
		l.end, err = table.Begin(l.in)
	}
	if err != nil {
		return l.failure(err)
	}
	return nil
}

// failure returns the error that ends the reading.
func (l *EdgeList) failure(err error) error {
	if errors.Is(err, ErrHeader) {
		return err
	}
	if errors.As(err, new(*table.FormatError)) || errors.As(err, new(*table.DamageError)) ||
		errors.As(err, new(*table.ColumnError)) {
		return fmt.Errorf("%w: %w", ErrEncoding, err)
	}
	return fmt.Errorf("graph: reading after line %d: %w", l.line, err)
}

// detect chooses the separator that splits most lines of a sample alike, and how many columns that
// makes. There are at least two columns. The sample is the first line and what follows it. In doubt
// the rarer character within a name wins: tab before comma and semicolon before space and pipe. It
// returns the first line, whose memory may have moved.
func (l *EdgeList) detect(first []byte) ([]byte, error) {
	first = bytes.Clone(first)
	if l.opts.Separator == Objects || l.opts.Separator == Detect && isObject(first) {
		l.separator, l.columns = Objects, 2
		return first, nil
	}
	lines := []string{string(first)}
	sample, err := l.in.Peek(sampleBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	for text := range bytes.SplitAfterSeq(sample, []byte{l.end}) {
		if len(text) == 0 {
			break
		}
		whole := err != nil || text[len(text)-1] == l.end
		if len(lines) == sampleLines || !whole {
			break
		}
		text = bytes.TrimRight(text, "\r\n")
		if !skipped(text) {
			lines = append(lines, string(text))
		}
	}
	candidates := []Separator{Tab, Comma, Semicolon, Spaces, Pipe}
	if l.opts.Separator != Detect {
		candidates = []Separator{l.opts.Separator}
	}
	best, most := candidates[0], 0
	l.columns = 2
	for _, l.separator = range candidates {
		times := make(map[int]int)
		for _, text := range lines {
			if fields, err := l.split(text); err == nil && len(fields) >= 2 {
				times[len(fields)]++
			}
		}
		for columns, n := range times {
			if n > most || n == most && l.separator == best && columns < l.columns {
				best, most, l.columns = l.separator, n, columns
			}
		}
	}
	l.separator = best
	l.account, l.target = 0, 1
	l.sample = lines[1:]
	if l.opts.Header == NoHeader {
		return first, l.placeKey(false, nil)
	}
	return first, nil
}
