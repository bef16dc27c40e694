// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/value"
)

// readTable imports the rows of a table.
func (im *Import) readTable(rows table.Reader) error {
	if err := rows.Select(im.wanted()...); err != nil {
		return fmt.Errorf("%w: %w", ErrTable, err)
	}
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if bad, ok := errors.AsType[*table.LineError](err); ok {
			im.line = bad.Line
			err = im.malformed(bad.Err)
		} else if err != nil {
			return fmt.Errorf("%w: %w", ErrTable, err)
		} else {
			im.line = row.Line
			err = im.row(row)
		}
		if err != nil {
			return err
		}
	}
}

// wanted returns the names of the columns that are read: that of the key, if there is one, and
// those of the schema.
func (im *Import) wanted() (names []string) {
	if im.schema.Key != "" {
		names = append(names, im.schema.Key)
	}
	for _, c := range im.schema.Columns {
		names = append(names, c.Name)
	}
	return names
}

// row imports a row.
func (im *Import) row(row *table.Row) error {
	cells, first, key := row.Cells, 0, ""
	if im.schema.Key != "" {
		switch n := len(cells[0]); n {
		case 0:
		case 1:
			key = cells[0][0]
		default:
			return im.badLine(im.schema.Key, cells[0][0], fmt.Errorf("got %d values, want the one key of a record", n))
		}
		cells, first = cells[1:], 1
	}
	record, ok, err := im.record(key)
	if err != nil || !ok {
		return err
	}
	for i, texts := range cells {
		c := &im.columns[i]
		for k, text := range texts {
			if k > 0 && c.Field.Type != uproar.Set {
				err = im.bad(c, text, errOneValue)
			} else {
				err = im.values(record, c, text)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, bad := range row.Bad {
		if bad.Column < first {
			continue
		}
		if err := im.bad(&im.columns[bad.Column-first], bad.Text, bad.Err); err != nil {
			return err
		}
	}
	return nil
}

// value returns a text as the field reads it: a number in its plain form, a day without the
// midnight, a time without a fraction. Errors: uproar.ErrInvalid.
func (c *Column) value(text string) (string, error) {
	switch {
	case c.Field.Type != uproar.Integer:
		return text, nil
	case c.Field.Format == uproar.Date:
		return value.Day(text), nil
	case c.Field.Format == uproar.Time:
		return value.Second(text), nil
	}
	read := value.Decimal
	if c.Round {
		read = value.Rounded
	}
	plain, err := read(text, c.Field.Scale)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", uproar.ErrInvalid, c.Field.Name, err)
	}
	return plain, nil
}
