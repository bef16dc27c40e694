// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
)

// batches imports batches of rows: column by column, so that a text is looked at once however many rows have it.
type batches struct {
	im    *Import
	keyed bool // the first column has the keys of the records
	names *uproar.Dictionary
	kinds []textKinds // of the texts of each column of the schema
	keys  []int64     // of the rows, in the dictionary of keys; -1: the row is left out
	pairs []uproar.Pair
	rows  []int // of the pairs
	bad   []*ValueError
}

var errOneValue = errors.New("got a list of several values, want one")

// noKey is the key of a row that is left out.
const noKey = -1

// textKinds says of the texts of a dictionary how they are imported, as far as they have been looked at.
type textKinds struct {
	of    *uproar.Dictionary
	kinds []textKind
}

type textKind uint8

const (
	unknownText textKind = iota
	plainText            // one value
	nullText             // none
	severalText          // several, or one between spaces
	numberText           // one, to be brought into its plain form
)

func newBatches(im *Import, keyed bool) *batches {
	return &batches{im: im, keyed: keyed, names: uproar.NewDictionary(nil), kinds: make([]textKinds, len(im.schema.Columns))}
}

// add imports a batch.
func (b *batches) add(batch *Batch) error {
	im := b.im
	if err := im.ctx.Err(); err != nil {
		return err
	}
	im.tell()
	for i := range batch.Columns {
		if err := batch.Columns[i].check(batch.Rows); err != nil {
			return err
		}
	}
	records, columns := b.names, batch.Columns
	if b.keyed {
		records, columns = columns[0].Texts, columns[1:]
		b.keysOf(&batch.Columns[0], batch.Rows)
	} else {
		b.number(batch.Rows)
	}
	for i := range columns {
		if err := b.column(records, &im.schema.Columns[i], &columns[i], &b.kinds[i]); err != nil {
			return err
		}
	}
	err := b.tell()
	im.line += int64(batch.Rows)
	return err
}

// keysOf finds the keys of the rows in a column.
func (b *batches) keysOf(c *BatchColumn, rows int) {
	b.keys = b.keys[:0]
	for i := range rows {
		if of := c.row(i); len(of) == 1 && c.Texts.Text(of[0]) != "" {
			b.keys = append(b.keys, int64(of[0]))
			b.im.state.Records++
			continue
		}
		b.keys = append(b.keys, noKey)
		b.wrong(i, b.im.schema.Key, "", errNoKey)
	}
}

// number makes keys of the numbers of the rows.
func (b *batches) number(rows int) {
	b.keys = b.keys[:0]
	names := make([]string, rows)
	for i := range names {
		b.im.state.Records++
		names[i] = strconv.FormatInt(b.im.state.Records, 10)
		b.keys = append(b.keys, int64(i))
	}
	b.names.Reset(names)
}

// column sets the values of a column.
func (b *batches) column(records *uproar.Dictionary, c *Column, from *BatchColumn, kinds *textKinds) error {
	if kinds.of != from.Texts {
		kinds.of, kinds.kinds = from.Texts, slices.Grow(kinds.kinds[:0], from.Texts.Len())[:from.Texts.Len()]
		clear(kinds.kinds)
	}
	b.pairs, b.rows = b.pairs[:0], b.rows[:0]
	for i, key := range b.keys {
		if key == noKey {
			continue
		}
		for k, n := range from.row(i) {
			if k > 0 && c.Field.Type != uproar.Set {
				b.wrong(i, c.Name, from.Texts.Text(n), errOneValue)
				break
			}
			if kinds.kinds[n] == unknownText {
				kinds.kinds[n] = b.im.kindOf(c, from.Texts.Text(n))
			}
			switch kinds.kinds[n] {
			case plainText:
				b.pairs, b.rows = append(b.pairs, uproar.Pair{Record: uint32(key), Value: n}), append(b.rows, i)
			case severalText:
				for part := range strings.SplitSeq(from.Texts.Text(n), c.Split) {
					if err := b.part(records.Text(uint32(key)), c, i, strings.TrimSpace(part)); err != nil {
						return err
					}
				}
			case numberText:
				if err := b.part(records.Text(uint32(key)), c, i, from.Texts.Text(n)); err != nil {
					return err
				}
			}
		}
	}
	return b.set(records, c, from.Texts)
}

// kindOf looks at a text of a column.
func (im *Import) kindOf(c *Column, text string) textKind {
	switch {
	case text == "" || slices.Contains(im.schema.Null, text):
		return nullText
	case c.Split != "" && (strings.Contains(text, c.Split) || strings.TrimSpace(text) != text):
		return severalText
	}
	if plain, err := c.value(text); err != nil || plain != text {
		return numberText
	}
	return plainText
}

// set sets the pairs gathered.
func (b *batches) set(records *uproar.Dictionary, c *Column, values *uproar.Dictionary) error {
	for pairs, rows := b.pairs, b.rows; len(pairs) > 0; {
		n, err := b.im.load.SetPairs(c.Field.Name, records, values, pairs)
		b.im.state.Values += int64(n)
		if err != nil && !errors.Is(err, uproar.ErrInvalid) {
			return err
		}
		if pairs, rows = pairs[n:], rows[n:]; err != nil {
			b.wrong(rows[0], c.Name, values.Text(pairs[0].Value), err)
			pairs, rows = pairs[1:], rows[1:]
		}
	}
	return nil
}

// part sets one of several values in one text.
func (b *batches) part(record string, c *Column, row int, text string) error {
	if text == "" || slices.Contains(b.im.schema.Null, text) {
		return nil
	}
	value, err := c.value(text)
	if err == nil {
		err = b.im.load.Set(c.Field.Name, record, value)
	}
	if errors.Is(err, uproar.ErrInvalid) {
		b.wrong(row, c.Name, text, err)
		return nil
	}
	b.im.state.Values++
	return err
}

// wrong notes a value that is left out.
func (b *batches) wrong(row int, column, text string, err error) {
	b.bad = append(b.bad, &ValueError{Line: b.im.line + int64(row) + 1, Row: true, Column: column, Value: text, Err: err})
}

// tell tells of the values that were left out, in the order of their rows.
func (b *batches) tell() error {
	slices.SortStableFunc(b.bad, func(x, y *ValueError) int { return cmp.Compare(x.Line, y.Line) })
	for _, bad := range b.bad {
		if err := b.im.tellBad(bad); err != nil {
			return err
		}
	}
	b.bad = b.bad[:0]
	return nil
}
