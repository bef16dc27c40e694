// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/tolerance"
	"github.com/uproar-db/uproar/internal/value"
)

// batches imports batches of rows: column by column, so that a text is looked at once however many
// rows have it.
type batches struct {
	im    *Import
	keyed bool               // the first column has the keys of the records
	names *uproar.Dictionary // of the keys, if they are numbers
	kinds []textKinds        // of the texts of each column of the schema
	keys  []int64            // of the rows, in the dictionary of keys; -1: the row is left out
	added []uint32           // the keys of the rows that are not left out
	pairs []uproar.Pair
	ends  []int // for each row, where its pairs end
	rows  []int // of those added
	bad   []badValue
}

// badValue is a value or a row that is left out.
type badValue struct {
	*ValueError
	of *tolerance.Tally
}

var errOneValue = errors.New("got a list of several values, want one")

// noKey is the key of a row that is left out.
const noKey = -1

// textKinds says how each text of a dictionary is imported, as far as the import has seen it.
type textKinds struct {
	of    *uproar.Dictionary
	kinds []textKind
}

type textKind uint8

const (
	unknownText textKind = iota
	plainText            // one value, as it is
	nullText             // none
	severalText          // several, or one between spaces or with backslashes
	numberText           // one number, day or time, to be brought into its plain form
)

func newBatches(im *Import, keyed bool) *batches {
	return &batches{im: im, keyed: keyed, names: uproar.NewDictionary(nil),
		kinds: make([]textKinds, len(im.schema.Columns))}
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
	} else if err := b.number(batch.Rows); err != nil {
		return err
	}
	if err := b.records(records); err != nil {
		return err
	}
	for i := range columns {
		if err := b.column(records, &im.columns[i], &columns[i], &b.kinds[i]); err != nil {
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
		key, err := "", errNoKey
		if of := c.Row(i); len(of) == 1 && c.Texts.Text(of[0]) != "" {
			key = c.Texts.Text(of[0])
			if err = b.im.checkKey(key); err == nil {
				b.keys = append(b.keys, int64(of[0]))
				continue
			}
		}
		b.keys = append(b.keys, noKey)
		b.wrong(i, b.im.schema.Key, key, err, &b.im.tally)
	}
}

// records makes the records of the rows exist, whether they have values or not. A row whose key
// cannot be is left out.
func (b *batches) records(keys *uproar.Dictionary) error {
	b.added, b.rows = b.added[:0], b.rows[:0]
	for i, key := range b.keys {
		if key != noKey {
			b.added, b.rows = append(b.added, uint32(key)), append(b.rows, i)
		}
	}
	for added, rows := b.added, b.rows; len(added) > 0; {
		n, err := b.im.load.AddRecords(keys, added)
		for i, row := range rows[:n] {
			if err := b.im.repeats.add(keys.Text(added[i]), b.im.line+int64(row)+1); err != nil {
				return err
			}
		}
		b.im.state.Records += int64(n)
		b.im.tally.Good += int64(n)
		if err != nil && !errors.Is(err, uproar.ErrInvalid) {
			return err
		}
		if added, rows = added[n:], rows[n:]; err != nil {
			b.wrong(rows[0], b.im.schema.Key, keys.Text(added[0]), err, &b.im.tally)
			b.keys[rows[0]] = noKey
			added, rows = added[1:], rows[1:]
		}
	}
	return nil
}

// number makes keys of numbers for the rows.
func (b *batches) number(rows int) (err error) {
	b.keys = b.keys[:0]
	names := make([]string, rows)
	for i := range names {
		if names[i], err = b.im.names.next(); err != nil {
			return err
		}
		b.keys = append(b.keys, int64(i))
	}
	b.names.Reset(names)
	return nil
}

// column sets the values of a column.
func (b *batches) column(records *uproar.Dictionary, c *column, from *BatchColumn, kinds *textKinds) error {
	if kinds.of != from.Texts {
		kinds.of, kinds.kinds = from.Texts, slices.Grow(kinds.kinds[:0], from.Texts.Len())[:from.Texts.Len()]
		clear(kinds.kinds)
	}
	b.pairs, b.ends = slices.Grow(b.pairs[:0], len(from.Numbers)), b.ends[:0]
	for i, key := range b.keys {
		if key != noKey {
			if err := b.row(records, c, from, kinds.kinds, i); err != nil {
				return err
			}
		}
		b.ends = append(b.ends, len(b.pairs))
	}
	return b.set(records, c, from.Texts)
}

// row sets the values of a row, or gathers them as pairs.
func (b *batches) row(records *uproar.Dictionary, c *column, from *BatchColumn, kinds []textKind, i int) error {
	key := uint32(b.keys[i])
	for k, n := range from.Row(i) {
		if k > 0 && c.Field.Type != uproar.Set {
			b.wrong(i, c.Name, from.Texts.Text(n), errOneValue, &c.tally)
			break
		}
		if kinds[n] == plainText {
			b.pairs = append(b.pairs, uproar.Pair{Record: key, Value: n})
			continue
		}
		if kinds[n] == unknownText {
			kinds[n] = b.im.kindOf(c, from.Texts.Text(n))
		}
		switch kinds[n] {
		case plainText:
			b.pairs = append(b.pairs, uproar.Pair{Record: key, Value: n})
		case severalText:
			for part := range value.SplitList(from.Texts.Text(n), c.Split) {
				if err := b.value(records.Text(key), c, i, part); err != nil {
					return err
				}
			}
		case numberText:
			if err := b.value(records.Text(key), c, i, from.Texts.Text(n)); err != nil {
				return err
			}
		}
	}
	return nil
}

// kindOf looks at a text of a column.
func (im *Import) kindOf(c *column, text string) textKind {
	switch {
	case text == "" || slices.Contains(im.schema.Null, text):
		return nullText
	case c.Split != "" && (strings.Contains(text, c.Split) || strings.TrimSpace(text) != text ||
		strings.Contains(text, `\`)):
		return severalText
	}
	if plain, err := c.value(text); err != nil || plain != text {
		return numberText
	}
	return plainText
}

// set sets the pairs gathered.
func (b *batches) set(records *uproar.Dictionary, c *column, values *uproar.Dictionary) error {
	for done := 0; done < len(b.pairs); {
		n, err := b.im.load.SetPairs(c.Field.Name, records, values, b.pairs[done:])
		b.im.state.Values += int64(n)
		c.tally.Good += int64(n)
		if err != nil && !errors.Is(err, uproar.ErrInvalid) {
			return err
		}
		if done += n; err != nil {
			row, _ := slices.BinarySearch(b.ends, done+1) // the first that ends behind it
			b.wrong(row, c.Name, values.Text(b.pairs[done].Value), err, &c.tally)
			done++
		}
	}
	return nil
}

// value sets one value.
func (b *batches) value(record string, c *column, row int, text string) error {
	if text == "" || slices.Contains(b.im.schema.Null, text) {
		return nil
	}
	err := b.im.set(record, c, text)
	if errors.Is(err, uproar.ErrInvalid) {
		b.wrong(row, c.Name, text, err, &c.tally)
		return nil
	}
	return err
}

// wrong notes a value or a row that is left out.
func (b *batches) wrong(row int, column, text string, err error, of *tolerance.Tally) {
	bad := &ValueError{Line: b.im.line + int64(row) + 1, Row: true, Column: column, Value: text, Err: err}
	b.bad = append(b.bad, badValue{bad, of})
}

// tell tells of the values that were left out, in the order of their rows.
func (b *batches) tell() error {
	slices.SortStableFunc(b.bad, func(x, y badValue) int { return cmp.Compare(x.Line, y.Line) })
	for _, bad := range b.bad {
		if err := b.im.tellBad(bad.ValueError, bad.of); err != nil {
			return err
		}
	}
	b.bad = b.bad[:0]
	return nil
}
