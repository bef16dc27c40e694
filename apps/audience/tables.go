// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readTable reads lines of separated values, of which the first names the columns.
func (im *Import) readTable(r io.Reader, separator rune) error {
	lines := csv.NewReader(r)
	lines.Comma, lines.ReuseRecord, lines.TrimLeadingSpace = separator, true, separator != '\t'
	header, err := lines.Read()
	if err != nil {
		return fmt.Errorf("%w: header: %w", ErrTable, err)
	}
	names := make([]string, len(header))
	for i, name := range header {
		names[i] = strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))
	}
	key, at, err := im.columns(names)
	if err != nil {
		return err
	}
	for {
		fields, err := lines.Read()
		if err == io.EOF {
			return nil
		}
		if malformed, ok := errors.AsType[*csv.ParseError](err); ok {
			im.line = int64(malformed.StartLine)
			if err := im.malformed(malformed.Err); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrTable, err)
		}
		line, _ := lines.FieldPos(0)
		im.line = int64(line)
		text := ""
		if key >= 0 {
			text = strings.TrimSpace(fields[key])
		}
		record, ok, err := im.record(text, key >= 0)
		if err != nil {
			return err
		}
		for i := 0; ok && i < len(at); i++ {
			if err := im.values(record, &im.schema.Columns[i], strings.TrimSpace(fields[at[i]])); err != nil {
				return err
			}
		}
	}
}

// columns finds the columns of the schema in a header.
func (im *Import) columns(names []string) (key int, at []int, err error) {
	find := func(name string) int {
		i := slices.Index(names, name)
		if i < 0 {
			err = errors.Join(err, fmt.Errorf("%w: got no column %q, want it in %q", ErrTable, name, names))
		}
		return i
	}
	if key = -1; im.schema.Key != "" {
		key = find(im.schema.Key)
	}
	for _, c := range im.schema.Columns {
		at = append(at, find(c.Name))
	}
	return key, at, err
}

// mostLine is the length of a JSON object at most.
const mostLine = 16 << 20

// readObjects reads lines with one JSON object each.
func (im *Import) readObjects(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), mostLine)
	for lines.Scan() {
		im.line++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		var object map[string]any
		err := d.Decode(&object)
		if err == nil && d.More() {
			err = errors.New("got more behind the object")
		}
		if err == nil && object == nil {
			err = errors.New("got null, want an object")
		}
		if err != nil {
			if err := im.malformed(err); err != nil {
				return err
			}
			continue
		}
		key, named := text(object[im.schema.Key])
		record, ok, err := im.record(key, named)
		if err != nil {
			return err
		}
		for i := 0; ok && i < len(im.schema.Columns); i++ {
			if err := im.member(record, &im.schema.Columns[i], object); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: line %d: %w", ErrTable, im.line+1, err)
	}
	return nil
}

// member sets the values of a member of an object.
func (im *Import) member(record string, c *Column, object map[string]any) error {
	of, several := object[c.Name].([]any)
	if !several {
		of = []any{object[c.Name]}
	}
	for _, v := range of {
		if v == nil {
			continue
		}
		s, ok := text(v)
		if !ok {
			if err := im.bad(c.Name, fmt.Sprint(v), errNoText); err != nil {
				return err
			}
			continue
		}
		if err := im.values(record, c, s); err != nil {
			return err
		}
	}
	return nil
}

var errNoText = errors.New("got an object or an array in an array, want a string, a number, true or false, or an array of them")

// text returns the text of a JSON value that has one.
func text(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return fmt.Sprint(v), true
	}
	return "", false
}
