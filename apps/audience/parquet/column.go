// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
)

// column reads the values of one column of a row group, page by page: a page refers to the
// dictionary of the group, or has texts of its own.
type column struct {
	leaf
	pages parquet.Pages
	page  parquet.Page // nil: none

	dictionary parquet.Dictionary // of the group; nil: none was met yet
	group      *texts             // its texts

	texts   *texts  // of the page
	numbers []int32 // of its values in them, NULL left out
	levels  int     // values of the page, NULL included
	repeats []byte  // of the levels; 0: the first value of a row
	defines []byte  // of the levels; empty: none is NULL
	at      int     // of the levels
	next    int     // of the numbers
	room    []int32 // for numbers of pages with texts of their own
}

// texts are what numbers stand for.
type texts struct {
	all  []string
	dict *uproar.Dictionary
}

func newTexts(all []string) *texts { return &texts{all, uproar.NewDictionary(all)} }

// fill puts the next rows into a batch.
func (c *column) fill(to *audience.BatchColumn, rows int) error {
	f := filling{to: to, rows: rows}
	to.Numbers, to.Ends = to.Numbers[:0], to.Ends[:0]
	for open := false; len(to.Ends) < rows; {
		for c.at == c.levels {
			err := c.read()
			if err == io.EOF && open && len(to.Ends) == rows-1 {
				to.Ends = append(to.Ends, uint32(len(to.Numbers)))
				return f.finish()
			}
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			if err != nil {
				return err
			}
		}
		f.turn(c.texts)
		var err error
		if c.repeated {
			open, err = c.lists(&f, open)
		} else {
			err = c.singles(&f)
		}
		if err != nil {
			return err
		}
	}
	return f.finish()
}

// singles takes values of the page. Each is a row.
func (c *column) singles(f *filling) error {
	for n := min(c.levels-c.at, f.rows-len(f.to.Ends)); n > 0; n-- {
		if err := c.value(f); err != nil {
			return err
		}
		f.to.Ends = append(f.to.Ends, uint32(len(f.to.Numbers)))
	}
	return nil
}

// lists takes values of the page, until one begins a row too many. open says whether a row has
// begun whose end was not met.
func (c *column) lists(f *filling, open bool) (stillOpen bool, err error) {
	for c.at < c.levels {
		if open && c.repeats[c.at] == 0 {
			f.to.Ends = append(f.to.Ends, uint32(len(f.to.Numbers)))
			if open = false; len(f.to.Ends) == f.rows {
				return false, nil
			}
		}
		open = true
		if err := c.value(f); err != nil {
			return open, err
		}
	}
	return open, nil
}

// value takes a value of the page, unless it is NULL.
func (c *column) value(f *filling) error {
	null := len(c.defines) > 0 && c.defines[c.at] != c.defined
	c.at++
	if null {
		return nil
	}
	if c.next >= len(c.numbers) {
		return io.ErrUnexpectedEOF
	}
	n := c.numbers[c.next]
	if c.next++; uint(n) >= uint(len(c.texts.all)) {
		return fmt.Errorf("got value %d of a dictionary of %d", n, len(c.texts.all))
	}
	f.add(uint32(n))
	return nil
}

// read goes to the next page.
func (c *column) read() error {
	c.release()
	page, err := c.pages.ReadPage()
	if err != nil {
		return err
	}
	c.page, c.levels, c.at, c.next = page, int(page.NumValues()), 0, 0
	c.repeats, c.defines = page.RepetitionLevels(), page.DefinitionLevels()
	if c.repeated && len(c.repeats) != c.levels || len(c.defines) > 0 && len(c.defines) != c.levels {
		return fmt.Errorf("got %d and %d levels for %d values", len(c.repeats), len(c.defines), c.levels)
	}
	if dictionary := page.Dictionary(); dictionary != nil {
		if dictionary != c.dictionary {
			c.dictionary, c.group = dictionary, c.textsOf(dictionary)
		}
		data := page.Data()
		c.texts, c.numbers = c.group, data.Int32()
		return nil
	}
	return c.decodePlain()
}

// textsOf returns the texts of a dictionary.
func (c *column) textsOf(dictionary parquet.Dictionary) *texts {
	all := make([]string, dictionary.Len())
	for i := range all {
		all[i] = c.text(dictionary.Index(int32(i)))
	}
	return newTexts(all)
}

// decodePlain makes texts of the values of a page that has no dictionary.
func (c *column) decodePlain() error {
	var all []string
	var buffer [256]parquet.Value // which borrow the page
	values := c.page.Values()
	for left := c.levels; left > 0; {
		n, err := values.ReadValues(buffer[:])
		for _, v := range buffer[:n] {
			if !v.IsNull() {
				all = append(all, c.text(v))
			}
		}
		if left -= n; err == io.EOF {
			break
		}
		if err == nil && n == 0 {
			err = io.ErrNoProgress
		}
		if err != nil {
			return err
		}
	}
	for n := len(c.room); n < len(all); n++ {
		c.room = append(c.room, int32(n))
	}
	c.texts, c.numbers = newTexts(all), c.room[:len(all)]
	return nil
}

func (c *column) release() {
	if c.page != nil {
		parquet.Release(c.page)
	}
	c.page, c.levels, c.at = nil, 0, 0
}

func (c *column) close() {
	c.release()
	_ = c.pages.Close() // it was only read
}

// filling is a column of a batch on its way: its values are of one dictionary as long as that of
// the pages is one.
type filling struct {
	to    *audience.BatchColumn
	rows  int
	of    *texts   // of the page
	apart bool     // values are of several dictionaries, and have texts one by one
	each  []string // these
}

// turn has further values be of some texts.
func (f *filling) turn(of *texts) {
	if f.of != of && len(f.to.Numbers) > 0 && !f.apart {
		f.apart = true
		for i, n := range f.to.Numbers {
			f.each, f.to.Numbers[i] = append(f.each, f.of.all[n]), uint32(i)
		}
	}
	f.of = of
}

// add adds a value.
func (f *filling) add(n uint32) {
	if f.apart {
		f.each = append(f.each, f.of.all[n])
		n = uint32(len(f.each) - 1)
	}
	f.to.Numbers = append(f.to.Numbers, n)
}

// finish ends the column.
func (f *filling) finish() error {
	switch {
	case f.apart:
		f.to.Texts = uproar.NewDictionary(f.each)
	case f.of != nil:
		f.to.Texts = f.of.dict
	default:
		f.to.Texts = uproar.NewDictionary(nil)
	}
	return nil
}
