// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// NDJSON reads a table of one JSON object a line. Strings, numbers as they are written, true and
// false are values; an array is several, null none. Members that are not wanted are passed over,
// and one that is missing has no values. Empty lines are skipped.
type NDJSON struct {
	lines   *lines
	objects Objects
	wanted  []string
	row     Row
	any     bool // an object was read
}

// NewNDJSON begins a table, compressed or not. Errors: those of a table, or r's.
func NewNDJSON(r io.Reader) (*NDJSON, error) {
	l, sample, err := newLines(r)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(sample), []byte("[")) {
		return nil, &FormatError{"a JSON array", asObject}
	}
	return &NDJSON{lines: l}, nil
}

// Select implements [Reader].
func (n *NDJSON) Select(names ...string) error {
	n.wanted = names
	n.row.Cells = make([][]string, len(names))
	return nil
}

var errNoText = errors.New(
	"got an object or an array in an array, want a string, a number, true or false, or an array of them")

// Next implements [Reader].
func (n *NDJSON) Next() (*Row, error) {
	for {
		line, err := n.lines.peek(0)
		n.row.Line = n.lines.line + 1
		if err == errLong {
			if err := n.lines.skip(); err != nil {
				return nil, err
			}
			return nil, &LineError{n.row.Line, errTooLong}
		}
		if err != nil {
			return nil, err
		}
		n.lines.take(len(line), 1)
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		for i := range n.row.Cells {
			n.row.Cells[i] = n.row.Cells[i][:0]
		}
		n.row.Bad = n.row.Bad[:0]
		err = n.objects.Members(line, n.member)
		if errors.Is(err, errCut) && !n.any {
			return nil, &FormatError{"JSON whose first object does not end in its line",
				"write one object a line: jq -c ."}
		}
		if n.any = true; err != nil {
			return nil, &LineError{n.row.Line, err}
		}
		return &n.row, nil
	}
}

// member takes the values of a member.
func (n *NDJSON) member(name string, value Value) {
	i := slices.Index(n.wanted, name)
	if i < 0 {
		return
	}
	add := func(v Value) {
		if text, ok := v.Text(); ok {
			n.row.Cells[i] = append(n.row.Cells[i], text)
		} else if v.Kind() != Null {
			n.row.Bad = append(n.row.Bad, BadCell{i, string(v), errNoText})
		}
	}
	if value.Kind() == Array {
		value.elements(add)
	} else {
		add(value)
	}
}
