// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// NDJSON reads a table of one JSON object a line. Strings, numbers as they are written, true and
// false are values; an array is several, null none. Members that are not wanted are passed over,
// and one that is missing has no values. Empty lines are skipped.
type NDJSON struct {
	// Known, if not nil, are the members that there may be, wanted or not: a value of another one
	// ends the table.
	Known []string

	lines   *lines
	objects Objects
	wanted  []string
	unknown string // a member of the row that is not known
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
	for i := range n.row.Cells {
		n.row.Cells[i] = n.row.Cells[i][:0]
	}
	n.row.Bad, n.unknown = n.row.Bad[:0], ""
	if _, err := n.NextObject(n.member); err != nil {
		return nil, err
	}
	if n.unknown != "" {
		return nil, fmt.Errorf("line %d: got the member %q, which is none of the columns; give a schema with it, or have "+
			"it ignored", n.row.Line, n.unknown)
	}
	return &n.row, nil
}

// NextObject calls fn with each member of the next object, wanted or not, and returns the number of
// its line. Errors: those of Next.
func (n *NDJSON) NextObject(fn func(name string, value Value)) (int64, error) {
	for {
		line, err := n.lines.peek(0)
		n.row.Line = n.lines.line + 1
		if err == errLong {
			if err := n.lines.skip(); err != nil {
				return 0, err
			}
			return 0, &LineError{n.row.Line, errTooLong}
		}
		if err != nil {
			return 0, err
		}
		n.lines.take(len(line), 1)
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		err = n.objects.Members(line, fn)
		if errors.Is(err, errCut) && !n.any {
			return 0, &FormatError{"JSON whose first object does not end in its line",
				"write one object a line: jq -c ."}
		}
		if n.any = true; err != nil {
			return 0, &LineError{n.row.Line, err}
		}
		return n.row.Line, nil
	}
}

// member takes the values of a member.
func (n *NDJSON) member(name string, value Value) {
	i := slices.Index(n.wanted, name)
	if i < 0 {
		if n.Known != nil && value.Kind() != Null && !slices.Contains(n.Known, name) {
			n.unknown = name
		}
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
		value.Elements(add)
	} else {
		add(value)
	}
}
